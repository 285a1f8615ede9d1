/* SPDX-License-Identifier: BSD-2-Clause */
/* Each probe of macros_types.h and macros_counts.c, with a handler that prints what it gets. */
#include <sdt/runtime.h>

#include <inttypes.h>
#include <stdio.h>

void scalars(void);
void pointers(void *opaque, void (*function)(void));
void bit_fields(const void *bits);
void counts(long a);

static void print(const struct sdt_event *event, void *data)
{
    (void)data;
    printf("%s %s %u", sdt_provider(event), sdt_name(event), sdt_nargs(event));
    for (unsigned i = 0; i < sdt_nargs(event); i++)
        printf(" %" PRIx64 " %.17g", sdt_arg(event, i), sdt_arg_double(event, i));
    putchar('\n');
}

static void run(void)
{
    struct {
        unsigned u : 3;
        int s : 5;
        unsigned long wide : 40;
    } bits = {5, -3, 0xfffffffffful};

    scalars();
    pointers((void *)0x1234, (void (*)(void))0x5678);
    bit_fields(&bits);
    counts(-2);
}

int main(void)
{
    int subscription;

    run();
    subscription = sdt_enable("types,pointers,bits,counts", print, NULL);
    if (subscription < 0) {
        fprintf(stderr, "%s\n", sdt_strerror(subscription));
        return 1;
    }
    run();
    if (sdt_disable(subscription) != 0)
        return 1;
    run();
    return 0;
}
