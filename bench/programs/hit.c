/* SPDX-License-Identifier: BSD-2-Clause */
/* Nanoseconds a run of a call site with three arguments, and of a tail site, in each state. */
#include <sdt/probe.h>
#include <sdt/runtime.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static void on_hit(const struct sdt_event *event, void *data)
{
    (void)event;
    (void)data;
}

/* volatile, so that no run of the loop is optimised away. */
static volatile long sink;

static __attribute__((noinline)) void loop_probe(long runs)
{
    for (long i = 0; i < runs; i++) {
        sink = i;
        SDT_PROBE(hit, site, i, runs, (int)i);
    }
}

/* The compiler turns the last call of a function into a jump: a tail site, armed by a jump. */
extern void __dtrace_sdt_hit___tail(unsigned long) __attribute__((visibility("hidden"), nothrow));
static __attribute__((noinline)) void tail(unsigned long i)
{
    __dtrace_sdt_hit___tail(i);
}

static __attribute__((noinline)) void loop_tail(long runs)
{
    for (long i = 0; i < runs; i++) {
        sink = i;
        tail((unsigned long)i);
    }
}

static void on_trap(int number)
{
    (void)number;
}

static __attribute__((noinline)) void loop_int3(long runs)
{
    for (long i = 0; i < runs; i++) {
        sink = i;
        __asm__ volatile("int3");
    }
}

static __attribute__((noinline)) void loop_empty(long runs)
{
    for (long i = 0; i < runs; i++)
        sink = i;
}

static __attribute__((noinline)) void loop_getppid(long runs)
{
    for (long i = 0; i < runs; i++)
        sink = getppid();
}

static void report(const char *name, void (*loop)(long), long runs)
{
    loop(runs / 10);
    double start = now();
    loop(runs);
    printf("%s %.3f\n", name, (now() - start) / (double)runs);
}

static void report_enabled(const char *name, const char *pattern, sdt_handler *handler, int mode,
                           void (*loop)(long), long runs)
{
    int id = sdt_enable_mode(pattern, handler, NULL, mode);
    if (id < 0) {
        fprintf(stderr, "sdt_enable: %s\n", sdt_strerror(id));
        exit(1);
    }
    report(name, loop, runs);
    sdt_disable(id);
}

int main(int argc, char **argv)
{
    long runs = argc > 1 ? atol(argv[1]) : 1000000;
    report("empty", loop_empty, runs * 100);
    report("off", loop_probe, runs * 100);
    report("tail_off", loop_tail, runs * 100);
    report_enabled("tail_count", "hit:tail", SDT_COUNT, SDT_MODE_JUMP, loop_tail, runs * 10);
    report_enabled("tail_handler", "hit:tail", on_hit, SDT_MODE_JUMP, loop_tail, runs * 10);
    report_enabled("count", "hit:site", SDT_COUNT, SDT_MODE_JUMP, loop_probe, runs * 10);
    report_enabled("handler", "hit:site", on_hit, SDT_MODE_JUMP, loop_probe, runs * 10);
    report_enabled("trap_count", "hit:site", SDT_COUNT, SDT_MODE_TRAP, loop_probe, runs);
    report_enabled("trap_handler", "hit:site", on_hit, SDT_MODE_TRAP, loop_probe, runs);
    report("getppid", loop_getppid, runs);
    signal(SIGTRAP, on_trap);
    report("int3", loop_int3, runs);
    return 0;
}
