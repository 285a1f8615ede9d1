/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Threads that keep values in registers of every class while their sites come and go: subscriptions
 * that leave vector registers alone, that change them all, and that count, one after the other and
 * at the same time.
 *
 *   race ROUNDS         the program toggles all of these
 *   race ROUNDS plain   only those that change registers, beside a tool's
 *
 * Prints how many values were wrong, and which.
 */
#include "race.h"

#include <pthread.h>
#include <sched.h>
#include <sdt/runtime.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_THREADS = 16, THREADS_OF_CLASS = 2 };

static atomic_bool is_over;
static atomic_ulong calls;

struct worker {
    pthread_t thread;
    const struct race_class *class;
    unsigned long held, wrong;
};

static void *work(void *given)
{
    struct worker *worker = given;
    struct race_value before, after;
    for (size_t i = 0; i < sizeof before.words / sizeof *before.words; i++)
        before.words[i] = UINT64_C(0x4008000000000000) + i; /* numbers in floating point */
    while (!is_over) {
        after = before;
        worker->class->hold(&after, worker->held);
        worker->wrong += memcmp(&before, &after, sizeof before) != 0;
        worker->held++;
    }
    return NULL;
}

static void on_plain(const struct sdt_event *event, void *data)
{
    (void)event;
    (void)data;
    atomic_fetch_add_explicit(&calls, 1, memory_order_relaxed);
    race_spoil();
}

SDT_GENERAL_REGS_HANDLER(on_general)
{
    (void)event;
    (void)data;
}

static int enable(int kind)
{
    static sdt_handler *const handlers[] = {on_plain, on_general, SDT_COUNT};
    int id = sdt_enable_mode("race:*", handlers[kind], NULL,
                             SDT_MODE_AUTO | (kind == 1 ? SDT_GENERAL_REGS : 0));
    if (id <= 0)
        printf("sdt_enable_mode: %s\n", sdt_strerror(id));
    return id;
}

/* One subscription ends before the next one begins, or after it: by turns. The first one is waited
 * for: on a busy machine all rounds may be over before a thread has run. */
static void toggle(unsigned long rounds, bool is_plain)
{
    int last = enable(0);
    while (last > 0 && !calls)
        sched_yield();
    srand(1);
    for (unsigned long i = 0; i < rounds; i++) {
        int kind = is_plain ? 0 : rand() % 3;
        bool overlaps = rand() % 2;
        if (!overlaps && last)
            sdt_disable(last);
        int next = enable(kind);
        if (overlaps && last)
            sdt_disable(last);
        last = next;
    }
    sdt_disable(last);
}

int main(int argc, char **argv)
{
    static struct worker workers[MOST_THREADS];
    unsigned long rounds = argc > 1 ? strtoul(argv[1], NULL, 10) : 1000, wrong = 0;
    size_t count = 0;
    for (const struct race_class *class = race_classes(); class->name; class ++)
        for (int i = 0; !class->is_absent && i < THREADS_OF_CLASS; i++)
            workers[count++].class = class;
    for (size_t i = 0; i < count; i++)
        if (pthread_create(&workers[i].thread, NULL, work, &workers[i]) != 0)
            return 1;
    toggle(rounds, argc > 2 && strcmp(argv[2], "plain") == 0);
    is_over = true;
    for (size_t i = 0; i < count; i++) {
        pthread_join(workers[i].thread, NULL);
        if (workers[i].wrong || !workers[i].held)
            printf("%s: %lu wrong of %lu\n", workers[i].class->name, workers[i].wrong,
                   workers[i].held);
        wrong += workers[i].wrong;
    }
    printf("%zu threads, handler called: %s, wrong: %lu\n", count, calls ? "yes" : "no", wrong);
    return 0;
}
