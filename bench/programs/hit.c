/* SPDX-License-Identifier: BSD-2-Clause */
/* Nanoseconds a run of one call site with three arguments, in each state. Argument: runs. */
#include <sdt/probe.h>
#include <sdt/runtime.h>
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

static void report_enabled(const char *name, sdt_handler *handler, long runs)
{
    int id = sdt_enable("hit:site", handler, NULL);
    if (id < 0) {
        fprintf(stderr, "sdt_enable: %s\n", sdt_strerror(id));
        exit(1);
    }
    report(name, loop_probe, runs);
    sdt_disable(id);
}

int main(int argc, char **argv)
{
    long runs = argc > 1 ? atol(argv[1]) : 1000000;
    report("empty", loop_empty, runs * 100);
    report("off", loop_probe, runs * 100);
    report_enabled("count", SDT_COUNT, runs);
    report_enabled("handler", on_hit, runs);
    report("getppid", loop_getppid, runs);
    return 0;
}
