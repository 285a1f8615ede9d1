/* SPDX-License-Identifier: BSD-2-Clause */
/* Probes with typed names, and handlers with the parameters that the names say; C and C++. */
#include <inttypes.h>
#include <sdt/systemtap.h>
#include <sdt/systemtap_attach.h>
#include <stdio.h>
#include <stdlib.h>

#ifdef __cplusplus
extern "C" {
#endif
void typed(int number, char *text) __attribute__((noinline));
void generic(int number, char *text) __attribute__((noinline));
#ifdef __cplusplus
}
#endif

struct flags {
    unsigned low : 3;
};
enum colour { RED = 4 };

static int evaluated;
static int once(int value)
{
    evaluated++;
    return value;
}

void typed(int number, char *text)
{
    if (number)
        SYSTEMTAP_PROBE(tick);
    else
        SYSTEMTAP_PROBE_N(tock, number);
    SYSTEMTAP_PROBE_NS(pair, number, text);
    SYSTEMTAP_PROBE_NSNSNNS(seven, once(-1), "seven", 'c', text, 2.5, text, "end");
    SYSTEMTAP_PROBE_S(bytes, &number);
}

void generic(int number, char *text)
{
    const char array[] = "array";
    const volatile char *const hard = array;
    struct flags flags = {5};
    enum colour colour = RED;
    unsigned char bytes[2] = {1, 0};
    /* The name of a probe may be that of others, with other types. */
    SYSTEMTAP_PROBE(pair, once(number), text);
    SYSTEMTAP_PROBE(pair, text, once(number));
    SYSTEMTAP_PROBE(several, array, hard, flags.low, colour);
    SYSTEMTAP_PROBE(several, bytes, 1.5f, number == 3, -1L);
    SYSTEMTAP_PROBE(five, number, text, 'c', "lit", array);
}

static void on_tick(void)
{
    puts("tick");
}
static void on_tock(int64_t a)
{
    printf("tock %" PRId64 "\n", a);
}
static void on_pair(int64_t a, const char *b)
{
    printf("pair %" PRId64 " %s\n", a, b);
}
static void on_reversed(const char *a, int64_t b)
{
    printf("reversed %s %" PRId64 "\n", a, b);
}
static void on_seven(int64_t a, const char *b, int64_t c, const char *d, int64_t e, int64_t f,
                     const char *g)
{
    printf("seven %" PRId64 " %s %" PRId64 " %s %" PRId64 " %d %s\n", a, b, c, d, e, f != 0, g);
}
static void on_five(int64_t a, const char *b, int64_t c, const char *d, const char *e)
{
    printf("five %" PRId64 " %s %" PRId64 " %s %s\n", a, b, c, d, e);
}
static void on_strings(const char *a, const char *b, int64_t c, int64_t d)
{
    printf("strings %s %s %" PRId64 " %" PRId64 "\n", a, b, c, d);
}
static void on_numbers(int64_t a, int64_t b, int64_t c, int64_t d)
{
    printf("numbers %d %" PRId64 " %" PRId64 " %" PRId64 "\n", a != 0, b, c, d);
}

int main(void)
{
    char text[] = "text";
    int sessions[9], i, failed = 0;
    typed(1, text);
    generic(1, text);
    sessions[0] = systemtap_attach(tick, on_tick);
    sessions[1] = systemtap_attach_N(tock, on_tock);
    sessions[2] = systemtap_attach_NS(pair, on_pair);
    sessions[3] = systemtap_attach_SN(pair, &on_reversed);
    sessions[4] = systemtap_attach_NSNSNNS(seven, on_seven);
    sessions[5] = systemtap_attach_SSNN(several, on_strings);
    sessions[6] = systemtap_attach_NNNN(several, on_numbers);
    sessions[7] = systemtap_attach_in_NS("", "typ*", pair, on_pair);
    sessions[8] = systemtap_attach_NSNSS(five, on_five);
    typed(1, text);
    typed(0, text);
    generic(3, text);
    for (i = 0; i < 9; i++)
        failed |= systemtap_detach(sessions[i]) != 0;
    typed(1, text);
    generic(1, text);
    printf("evaluated %d\n", evaluated);
    return failed;
}
