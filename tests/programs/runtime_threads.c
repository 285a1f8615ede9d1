/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Eight threads run the probes. `exact`: every execution between two quiescent points is counted.
 * `load`: enable and disable while they run; what the handler uses is freed as soon as sdt_disable
 * has returned, so that AddressSanitizer, or the poison, finds a handler that came too late.
 */
#include "runtime_fixture.h"

#include <pthread.h>
#include <stdatomic.h>

enum { THREADS = 8, RUNS = 20000, ROUNDS = 60 };

static pthread_barrier_t barrier;
static atomic_int stop;

static void hit(void)
{
    fx_call(1, 2, 3, 4, 5, 6);
    fx_tail(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11);
}

static void *run_counted(void *data)
{
    (void)data;
    pthread_barrier_wait(&barrier);
    for (int i = 0; i < RUNS; i++)
        hit();
    pthread_barrier_wait(&barrier);
    for (int i = 0; i < 1000; i++)
        hit();
    return NULL;
}

static atomic_long handled;

static void on_hit(const struct sdt_event *event, void *data)
{
    (void)event;
    (void)data;
    atomic_fetch_add(&handled, 1);
}

static void exact(void)
{
    pthread_t threads[THREADS];
    pthread_barrier_init(&barrier, NULL, THREADS + 1);
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, run_counted, NULL);
    int count = sdt_enable("fixture:call", SDT_COUNT, NULL);
    int handler = sdt_enable("fixture:call,fixture:tail", on_hit, NULL);
    CHECK(count > 0 && handler > 0);
    pthread_barrier_wait(&barrier);
    pthread_barrier_wait(&barrier); /* all threads stand here or are past their counted runs… */
    CHECK_EQUAL(sdt_disable(count), 0);
    CHECK_EQUAL(sdt_disable(handler), 0);
    long after = atomic_load(&handled);
    uint64_t hits = sdt_hits("fixture:call");
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    /* …and may have begun the thousand after them: no fewer, and none after sdt_disable. */
    CHECK(hits >= (uint64_t)THREADS * RUNS && hits <= (uint64_t)THREADS * (RUNS + 1000));
    CHECK_EQUAL(sdt_hits("fixture:call"), hits);
    CHECK(after >= 2L * THREADS * RUNS);
    CHECK_EQUAL(atomic_load(&handled), after);

    count = sdt_enable("fixture:call", SDT_COUNT, NULL);
    pthread_barrier_destroy(&barrier);
    pthread_barrier_init(&barrier, NULL, THREADS);
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, run_counted, NULL);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    CHECK_EQUAL(sdt_hits("fixture:call") - hits, THREADS * (RUNS + 1000));
    CHECK_EQUAL(sdt_disable(count), 0);
}

struct box {
    _Atomic unsigned magic;
    atomic_long calls;
};

static void on_box(const struct sdt_event *event, void *data)
{
    struct box *box = data;
    (void)event;
    if (atomic_load(&box->magic) != 0x600d600d)
        abort();
    atomic_fetch_add(&box->calls, 1);
    if (atomic_load(&box->magic) != 0x600d600d)
        abort();
}

static atomic_int running;

static void *run_until_stopped(void *data)
{
    (void)data;
    atomic_fetch_add(&running, 1);
    while (!atomic_load(&stop))
        hit();
    return NULL;
}

static void load(void)
{
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, run_until_stopped, NULL);
    /* Under AddressSanitizer they block SIGTRAP before that, and may wait long for a processor. */
    while (atomic_load(&running) < THREADS)
        sched_yield();
    for (int round = 0; round < ROUNDS; round++) {
        struct box *box = malloc(sizeof *box);
        atomic_init(&box->magic, 0x600d600d);
        atomic_init(&box->calls, 0);
        int mode = fixture_mode() == SDT_MODE_JUMP || round % 2 ? fixture_mode() : SDT_MODE_TRAP;
        int id = sdt_enable_mode("fixture:call,fixture:tail", on_box, box, mode);
        CHECK(id > 0);
        while (id > 0 && atomic_load(&box->calls) < 20)
            sched_yield();
        CHECK_EQUAL(sdt_disable(id), 0);
        atomic_store(&box->magic, 0xdeaddead);
        free(box);
    }
    atomic_store(&stop, 1);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
}

int main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "exact") == 0)
        exact();
    else
        load();
    return fixture_done();
}
