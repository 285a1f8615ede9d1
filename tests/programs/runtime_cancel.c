/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pthread_cancel meets the library: its functions are no cancellation points, so a cancelled thread
 * leaves no lock held; a handler may be cancelled, also between any two of its instructions.
 */
#include "runtime_fixture.h"

#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

static pthread_barrier_t barrier;
static atomic_int in_handler, release, returned;

static int visit(const struct sdt_probe_info *site, void *data)
{
    (void)site;
    ++*(int *)data;
    return 0;
}

/* Cancelled before it begins: the first cancellation point ends it. */
static void *use_everything(void *data)
{
    int visited = 0;
    (void)data;
    pthread_barrier_wait(&barrier); /* which is none */
    int id = sdt_enable("fixture:call", SDT_COUNT, NULL);
    CHECK(id > 0);
    fx_call(0, 0, 0, 0, 0, 0);
    CHECK(sdt_hits("fixture:call") > 0);
    CHECK_EQUAL(sdt_foreach("fixture:call", visit, &visited), 0);
    CHECK_EQUAL(visited, 2);
    CHECK_EQUAL(sdt_disable(id), 0);
    atomic_fetch_add(&returned, 1);
    pthread_testcancel();
    return NULL;
}

static void check_cancelled(pthread_t thread)
{
    void *result;
    pthread_join(thread, &result);
    CHECK(result == PTHREAD_CANCELED);
}

static void check_no_cancellation_point(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, use_everything, NULL);
    pthread_cancel(thread);
    pthread_barrier_wait(&barrier);
    check_cancelled(thread);
    CHECK_EQUAL(atomic_load(&returned), 1);
}

static void stay(const struct sdt_event *event, void *data)
{
    (void)event;
    (void)data;
    atomic_store(&in_handler, 1);
    while (!atomic_load(&release))
        ;
}

static void *hit(void *data)
{
    if (data)
        pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
    fx_call(0, 0, 0, 0, 0, 0);
    return NULL;
}

static void *disable(void *data)
{
    CHECK_EQUAL(sdt_disable(*(int *)data), 0);
    CHECK_EQUAL(atomic_load(&release), 1);
    atomic_fetch_add(&returned, 1);
    pthread_testcancel();
    return NULL;
}

/* Cancelled while sdt_disable waits for a handler: it goes on waiting. */
static void check_cancelled_in_disable(void)
{
    pthread_t hitting, disabling;
    int id = sdt_enable("fixture:call", stay, NULL);
    pthread_create(&hitting, NULL, hit, NULL);
    while (!atomic_load(&in_handler))
        sched_yield();
    pthread_create(&disabling, NULL, disable, &id);
    pthread_cancel(disabling);
    usleep(20000); /* lets a wrong one end at its nanosleep; the right one needs no time */
    atomic_store(&release, 1);
    check_cancelled(disabling);
    CHECK_EQUAL(atomic_load(&returned), 2);
    pthread_join(hitting, NULL);
}

/* Cancelled asynchronously inside a handler that is no cancellation point. */
static void check_asynchronous(void)
{
    pthread_t thread;
    atomic_store(&in_handler, 0);
    atomic_store(&release, 0);
    int id = sdt_enable("fixture:call", stay, NULL);
    pthread_create(&thread, NULL, hit, "asynchronously");
    while (!atomic_load(&in_handler))
        sched_yield();
    pthread_cancel(thread);
    check_cancelled(thread);
    CHECK_EQUAL(sdt_disable(id), 0);
}

int main(void)
{
    pthread_barrier_init(&barrier, NULL, 2);
    check_no_cancellation_point();
    check_cancelled_in_disable();
    check_asynchronous();
    int id = sdt_enable("fixture:call", SDT_COUNT, NULL);
    CHECK(id > 0);
    CHECK_EQUAL(sdt_disable(id), 0);
    return fixture_done();
}
