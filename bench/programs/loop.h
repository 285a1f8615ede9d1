/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * How every program of `bench/run.py hit` and `disabled` measures: one loop with a probe in it and
 * the same loop without, in so many threads at once.
 *
 * The clock is each thread's processor time, kernel included, not the wall: on a machine with other
 * work that is the figure which still means something, and where a thread has a processor to itself
 * the two are the same.
 */
#ifndef BENCH_LOOP_H
#define BENCH_LOOP_H

#include "now.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

/* A loop that the compiler can neither remove nor unroll into something else. */
#define LOOP(name, hit)                                                                            \
    static __attribute__((noinline, unused)) void name(long runs)                                  \
    {                                                                                              \
        for (long i = 0; i < runs; i++) {                                                          \
            __asm__ volatile("" : "+r"(i));                                                        \
            hit;                                                                                   \
        }                                                                                          \
    }

LOOP(loop_empty, )

struct loop_job {
    void (*loop)(long);
    long runs;
    pthread_barrier_t *start;
    double nanoseconds;
};

static void *loop_thread(void *argument)
{
    struct loop_job *job = argument;
    job->loop(job->runs / 10 + 1);
    pthread_barrier_wait(job->start);
    double start = cpu_time();
    job->loop(job->runs);
    job->nanoseconds = (cpu_time() - start) / (double)job->runs;
    return NULL;
}

/* Nanoseconds of processor time a run, the mean of all threads. */
static double loop_measure(void (*loop)(long), int threads, long runs)
{
    struct loop_job job[64];
    pthread_t id[64];
    pthread_barrier_t start;
    double sum = 0;
    if (threads < 1 || threads > 64)
        exit(2);
    pthread_barrier_init(&start, NULL, (unsigned)threads);
    for (int i = 0; i < threads; i++) {
        job[i] = (struct loop_job){loop, runs, &start, 0};
        if (pthread_create(&id[i], NULL, loop_thread, &job[i]) != 0)
            exit(1);
    }
    for (int i = 0; i < threads; i++) {
        pthread_join(id[i], NULL);
        sum += job[i].nanoseconds;
    }
    return sum / threads;
}

/* Prints `name value`; from it the cost of the loop itself is to be taken. */
static void loop_report(const char *name, void (*loop)(long), int threads, long runs)
{
    printf("%s %.4f\n", name, loop_measure(loop, threads, runs));
}

/* How often a thread runs its loop in loop_report(): what a tracer must have counted. */
#define LOOP_HITS(threads, runs) ((long)(threads) * ((runs) + (runs) / 10 + 1))

#endif
