/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What comes at any moment of a hit, and walks the stack.
 *
 *   unwind_async sample N WHAT MODE   a profiler: a signal handler that calls backtrace(), N times
 *   unwind_async cancel N WHAT MODE   N threads with a clean-up handler are cancelled at any time
 *
 * WHAT and MODE as in unwind_step. Prints "lost L of N".
 */
#define _GNU_SOURCE
#include "unwind_handlers.h"

#include <errno.h>
#include <execinfo.h>
#include <pthread.h>
#include <sdt/probe.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static volatile sig_atomic_t samples, lost, wanted, is_sampling;
static int is_text;

IN("fn_probed") static long probed(long a)
{
    SDT_PROBE(unwind, async, a);
    if (is_text)
        SDT_PROBE(unwind, text, "text that is not aligned" + a % 8, a);
    return a * 3;
}

/* Until UNTIL, or for ever. */
IN("fn_caller") static void caller(const volatile sig_atomic_t *done, int until)
{
    while (*done < until)
        probed(*done);
}

/* ---- A profiler. ---- */

static void on_sample(int number)
{
    void *frames[64];
    int saved = errno, n = backtrace(frames, 64), found = 0;
    (void)number;
    for (int i = 0; i < n; i++)
        found |= (char *)frames[i] >= __start_fn_caller && (char *)frames[i] <= __stop_fn_caller;
    is_sampling |= found; /* the first ones come before caller() */
    if (samples < wanted && is_sampling) {
        samples++;
        lost += !found;
    }
    errno = saved;
}

static void sample(void)
{
    struct sigaction action = {.sa_handler = on_sample, .sa_flags = SA_RESTART};
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGPROF};
    const struct itimerspec often = {{0, 61000}, {0, 61000}}, never = {{0, 0}, {0, 0}};
    timer_t timer;
    void *warm[4];
    backtrace(warm, 4); /* loads libgcc_s */
    sigaction(SIGPROF, &action, NULL);
    timer_create(CLOCK_MONOTONIC, &event, &timer);
    timer_settime(timer, 0, &often, NULL);
    caller(&samples, wanted);
    timer_settime(timer, 0, &never, NULL);
}

/* ---- Cancellation. ---- */

static atomic_int is_running, cleaned;

static void clean_up(void *data)
{
    (void)data;
    atomic_fetch_add(&cleaned, 1);
}

static void *run(void *data)
{
    (void)data;
    pthread_cleanup_push(clean_up, NULL);
    pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
    atomic_store(&is_running, 1);
    const volatile sig_atomic_t never = 0;
    caller(&never, 1);
    pthread_cleanup_pop(1);
    return NULL;
}

static void cancel_one(int i)
{
    pthread_t thread;
    atomic_store(&is_running, 0);
    if (pthread_create(&thread, NULL, run, NULL) != 0)
        exit(5);
    while (!atomic_load(&is_running))
        ;
    for (volatile int wait = 0; wait < i % 997 * 13; wait++)
        ;
    pthread_cancel(thread);
    pthread_join(thread, NULL);
    samples++;
    lost = samples - atomic_load(&cleaned);
}

int main(int argc, char **argv)
{
    if (argc != 5)
        return 2;
    wanted = atoi(argv[2]);
    is_text = strcmp(argv[3], "record-text") == 0;
    int id = enable(is_text ? "unwind:text" : "unwind:async", argv[3], argv[4]);
    if (id <= 0)
        return 3;
    if (strcmp(argv[1], "sample") == 0)
        sample();
    else
        for (int i = 0; i < wanted; i++)
            cancel_one(i);
    printf("lost %d of %d\n", (int)lost, (int)samples);
    if (strcmp(argv[3], "off") != 0 && strncmp(argv[3], "record", 6) != 0 && sdt_disable(id) != 0)
        return 4;
    return 0;
}
