/* SPDX-License-Identifier: BSD-2-Clause */
/* Sites that are switched on and off while threads run them: for machine_run.c and i386_run.c,
 * which have sell(), leave() and expensive(), with sites of `shop`. */
#ifndef MACHINE_TOGGLE_H
#define MACHINE_TOGGLE_H

#include <pthread.h>
#include <sched.h>
#include <sdt/runtime.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { THREADS = 3, TURNS = 200 };
static atomic_bool is_over;
static atomic_ulong calls, wrong;

static void check(const struct sdt_event *event, void *data)
{
    const char *name = sdt_name(event);
    (void)data;
    atomic_fetch_add(&calls, 1);
    if (strcmp(name, "left") == 0 ? sdt_arg(event, 0) != 7
                                  : strcmp(name, "sale") == 0 && sdt_arg(event, 0) != 8)
        atomic_fetch_add(&wrong, 1);
}

static void *run(void *data)
{
    unsigned long *turns = data;
    for (; !atomic_load(&is_over); ++*turns) {
        leave(7);
        sell(8, "x");
        expensive(101);
    }
    return NULL;
}

/* On until a thread has been there, then off, in all ways of arming, or by jumps only. */
static int toggle(bool jumps)
{
    static const int modes[] = {SDT_MODE_JUMP, SDT_MODE_TRAP, SDT_MODE_AUTO};
    static unsigned long turns[THREADS];
    pthread_t threads[THREADS];
    int failed = 0;
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, run, &turns[i]);
    for (int i = 0; i < TURNS; i++) {
        unsigned long before = atomic_load(&calls);
        int id = sdt_enable_mode("shop:*", check, NULL, jumps ? SDT_MODE_JUMP : modes[i % 3]);
        failed += id <= 0;
        while (id > 0 && atomic_load(&calls) == before)
            sched_yield();
        failed += sdt_disable(id) != 0;
    }
    unsigned long after = atomic_load(&calls);
    unsigned long begun = *(volatile unsigned long *)&turns[0];
    while (*(volatile unsigned long *)&turns[0] < begun + 100) /* no handler is called any more */
        sched_yield();
    printf("calls %s, wrong %lu, failed %d, late %lu\n",
           atomic_load(&calls) >= TURNS ? "enough" : "few", atomic_load(&wrong), failed,
           atomic_load(&calls) - after);
    atomic_store(&is_over, true);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    return 0;
}

#endif
