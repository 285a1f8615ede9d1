/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * hit_branch THREADS RUNS WHAT: what programs do that have no probes: a flag that is loaded and
 * tested, or a function pointer. WHAT: flag_off, flag_count, pointer_off, pointer_six.
 */
#include "loop.h"

#include <string.h>

int flag;
unsigned long hits __attribute__((aligned(64)));
typedef void hook_function(long, long, int, short, char, const void *);
hook_function *hook __attribute__((aligned(64)));

static void six(long a, long b, int c, short d, char e, const void *f)
{
    long sum = a + b + c + d + e + (long)f;
    __asm__ volatile("" : : "r"(sum));
}

LOOP(loop_flag, {
    if (__builtin_expect(__atomic_load_n(&flag, __ATOMIC_RELAXED), 0))
        __atomic_fetch_add(&hits, 1, __ATOMIC_RELAXED);
})

LOOP(loop_pointer, {
    hook_function *call = __atomic_load_n(&hook, __ATOMIC_ACQUIRE);
    if (__builtin_expect(call != NULL, 0))
        call(i, runs, (int)i, (short)i, (char)i, &runs);
})

int main(int argc, char **argv)
{
    if (argc != 4)
        return 2;
    flag = strcmp(argv[3], "flag_count") == 0;
    hook = strcmp(argv[3], "pointer_six") == 0 ? six : NULL;
    loop_report("hit", strncmp(argv[3], "flag", 4) == 0 ? loop_flag : loop_pointer, atoi(argv[1]),
                atol(argv[2]));
    loop_report("loop", loop_empty, atoi(argv[1]), atol(argv[2]));
    return 0;
}
