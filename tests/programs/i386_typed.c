/* SPDX-License-Identifier: BSD-2-Clause */
/* Arguments that a descriptor describes, of one and of two words: tests/asm/i386_typed.S. */
#include <sdt/runtime.h>

#include <inttypes.h>
#include <stdio.h>

void sell_typed(void);

static void print(const struct sdt_event *event, void *data)
{
    uint64_t words[12];
    unsigned n = sdt_args(event, words, 12);
    (void)data;
    for (unsigned i = 0; i < n; i++)
        printf("%s %" PRIx64 " %g%s\n", sdt_arg_type(event, i), words[i], sdt_arg_double(event, i),
               words[i] == sdt_arg(event, i) ? "" : " not the same");
}

int main(void)
{
    int id = sdt_enable("shop:typed", print, NULL);
    sell_typed();
    return sdt_disable(id) != 0;
}
