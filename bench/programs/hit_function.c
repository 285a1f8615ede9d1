/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * hit_function THREADS RUNS WHAT: tools that count functions instead of places. WHAT: off, count.
 * Built with -finstrument-functions (hooks that are always called, so there is no off), with
 * -fxray-instrument and WITH_XRAY (sleds that are patched), and with neither.
 */
#include "loop.h"

#include <stdint.h>
#include <string.h>

#define UNTOUCHED __attribute__((no_instrument_function))

unsigned long hits __attribute__((aligned(64)));

#ifdef WITH_XRAY
/* <xray/xray_interface.h> is for C++ only. */
int __xray_set_handler(void (*entry)(int32_t, int));
int __xray_patch(void); /* 1: success */
#define INSTRUMENTED __attribute__((noinline, xray_always_instrument))

static __attribute__((xray_never_instrument)) void count(int32_t id, int type)
{
    (void)id;
    (void)type;
    __atomic_fetch_add(&hits, 1, __ATOMIC_RELAXED);
}

static int enable(void)
{
    return __xray_set_handler(count) && __xray_patch() == 1;
}
#else
#define INSTRUMENTED __attribute__((noinline))

UNTOUCHED __attribute__((noinline)) void __cyg_profile_func_enter(void *function, void *site)
{
    (void)function;
    (void)site;
    __atomic_fetch_add(&hits, 1, __ATOMIC_RELAXED);
}

UNTOUCHED __attribute__((noinline)) void __cyg_profile_func_exit(void *function, void *site)
{
    (void)function;
    (void)site;
}

static int enable(void)
{
    return 1;
}
#endif

static INSTRUMENTED void work(long i)
{
    __asm__ volatile("" : : "r"(i));
}

LOOP(loop_work, work(i))

static UNTOUCHED __attribute__((noinline)) void bare(long i)
{
    __asm__ volatile("" : : "r"(i));
}

LOOP(loop_bare, bare(i))

int main(int argc, char **argv)
{
    if (argc != 4)
        return 2;
    if (strcmp(argv[3], "count") == 0 && !enable())
        return 1;
    loop_report("hit", loop_work, atoi(argv[1]), atol(argv[2]));
    loop_report("loop", loop_bare, atoi(argv[1]), atol(argv[2]));
    return strcmp(argv[3], "count") == 0 && hits < (unsigned long)atol(argv[2]);
}
