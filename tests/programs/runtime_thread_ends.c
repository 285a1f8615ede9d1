/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Threads end all the time. The C library blocks nearly every signal in a thread that ends, for a
 * moment: that must not be taken for a program that blocks SIGTRAP, where breakpoints would kill.
 */
#include "runtime_fixture.h"

#include <pthread.h>
#include <stdatomic.h>

enum { ROUNDS = 2000 };

static atomic_int stop;

static void *end_at_once(void *data)
{
    return data;
}

static void *start_and_join(void *data)
{
    while (!atomic_load(&stop)) {
        pthread_t thread;
        if (pthread_create(&thread, NULL, end_at_once, NULL) == 0)
            pthread_join(thread, NULL);
    }
    return data;
}

int main(void)
{
    pthread_t parents[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&parents[i], NULL, start_and_join, NULL);
    for (int i = 0; i < ROUNDS; i++) {
        int id = sdt_enable_mode("fixture:call", SDT_COUNT, NULL, SDT_MODE_TRAP);
        CHECK_EQUAL(id < 0 ? id : 0, 0);
        CHECK_EQUAL(sdt_disable(id), 0);
    }
    atomic_store(&stop, 1);
    for (int i = 0; i < 2; i++)
        pthread_join(parents[i], NULL);
    return fixture_done();
}
