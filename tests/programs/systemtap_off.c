/* SPDX-License-Identifier: BSD-2-Clause */
/* The loop without a probe, with the macro of the proposal of 2005, and with ours, all off. */
#include <sdt/marker.h>
#include <sdt/systemtap.h>
#include <stdlib.h>

/* As in the mail: a static pointer, checked, then called. */
#define PROPOSED_N(name, arg)                                                                      \
    do {                                                                                           \
        static void (*volatile probe_n_##name)(int64_t);                                           \
        if (__builtin_expect(probe_n_##name != NULL, 0))                                           \
            probe_n_##name((int64_t)(arg));                                                        \
    } while (0)

#define LOOP(name, probe)                                                                          \
    __attribute__((noinline)) static long name(long n)                                             \
    {                                                                                              \
        long sum = 0;                                                                              \
        for (long i = 0; i < n; i++) {                                                             \
            sum += i;                                                                              \
            __asm__ volatile("" : "+r"(sum));                                                      \
            probe;                                                                                 \
        }                                                                                          \
        return sum;                                                                                \
    }

LOOP(loop_plain, (void)0)
LOOP(loop_proposed, PROPOSED_N(tick, i))
LOOP(loop_systemtap, SYSTEMTAP_PROBE_N(tick, i))
LOOP(loop_marker, MARKER(tick))

int main(int argc, char **argv)
{
    long n = argc > 1 ? atol(argv[1]) : 1;
    return loop_plain(n) + loop_proposed(n) + loop_systemtap(n) + loop_marker(n) == 0;
}
