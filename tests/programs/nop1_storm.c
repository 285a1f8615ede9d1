/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Probes of <sys/sdt.h> under load: threads that run through them while others switch them on and
 * off and signals interrupt everything, some of them on alternate stacks and with a probe of their
 * own; probes side by side; a handler that runs into its own probe; pthread_exit in a handler.
 */
#include <pthread.h>
#include <sdt/runtime.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/sdt.h>
#include <sys/time.h>

enum { THREADS = 3, ROUNDS = 2000, TOGGLES = 40 };

static atomic_long hits, wrong, in_signal;
static atomic_bool stop;

/* A leaf that keeps its variables below the stack pointer, and floating point in registers. */
__attribute__((noinline)) static double leaf(long n, double x)
{
    volatile long a = n, b = n + 1, c = n + 2;
    double y = x * 3;
    STAP_PROBE2(storm, leaf, n, y);
    STAP_PROBE(storm, beside);
    return (double)(a + b + c) + y + x;
}

static void on_hit(const struct sdt_event *event, void *data)
{
    (void)data;
    if (sdt_nargs(event) == 2 && sdt_arg_double(event, 1) != (double)(long)sdt_arg(event, 0) * 3)
        wrong++;
    hits++;
    if (leaf(2, 2) != 17) /* into the probe again: counted nowhere, harmless */
        wrong++;
}

static void on_alarm(int number)
{
    (void)number;
    in_signal++;
    if (leaf(5, 5) != 38)
        wrong++;
}

static void *run(void *data)
{
    stack_t stack = {.ss_sp = malloc(1 << 16), .ss_size = 1 << 16};
    long seed = (long)data;
    if (seed % 2)
        sigaltstack(&stack, NULL);
    for (long i = 0; i < ROUNDS || !stop; i++)
        if (leaf(i, (double)i) != (double)(3 * i + 3 + 4 * i))
            wrong++;
    stack.ss_flags = SS_DISABLE;
    sigaltstack(&stack, NULL);
    return NULL;
}

static void leave(const struct sdt_event *event, void *data)
{
    (void)event;
    pthread_exit(data);
}

static void *run_once(void *data)
{
    leaf(1, 1);
    return (char *)data + 1;
}

int main(void)
{
    pthread_t threads[THREADS], leaving;
    struct sigaction action = {.sa_handler = on_alarm, .sa_flags = SA_ONSTACK | SA_RESTART};
    struct itimerval often = {{0, 300}, {0, 300}}, never = {{0, 0}, {0, 0}};
    sigaction(SIGALRM, &action, NULL);
    for (long i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, run, (void *)i);
    setitimer(ITIMER_REAL, &often, NULL);
    for (int i = 0; i < TOGGLES; i++) {
        int id = sdt_enable(i % 3 ? "storm:*" : "storm:leaf", i % 5 ? on_hit : SDT_COUNT, NULL);
        long before = hits;
        for (int k = 0; k < 100; k++)
            leaf(k, k);
        if (id <= 0 || (i % 5 && hits - before < 100))
            wrong++;
        if (sdt_disable(id) != 0)
            wrong++;
    }
    stop = true;
    for (long i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    setitimer(ITIMER_REAL, &never, NULL);
    long before = hits;
    leaf(1, 1);
    if (hits != before)
        wrong++;
    void *result = NULL;
    int id = sdt_enable("storm:leaf", leave, &action);
    pthread_create(&leaving, NULL, run_once, NULL);
    pthread_join(leaving, &result);
    if (result != &action || sdt_disable(id) != 0)
        wrong++;
    printf("%s: %ld wrong, %s hits, %s signals\n", wrong ? "bad" : "ok", wrong,
           hits ? "some" : "no", in_signal ? "some" : "no");
    return wrong != 0;
}
