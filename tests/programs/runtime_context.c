/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What sdt_enable(3) says of a handler that switches to another context: until it is resumed, in
 * the same thread, the thread's probes count and call no handlers, and sdt_disable waits for it or,
 * in the thread itself, returns -EINPROGRESS. Afterwards all is as it was.
 */
#include "runtime_fixture.h"

#include <pthread.h>
#include <stdatomic.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

static ucontext_t coroutine, outside;
static int calls, switches;

static void switch_away(const struct sdt_event *event, void *data)
{
    (void)event;
    (void)data;
    if (switches++ == 0)
        CHECK_EQUAL(swapcontext(&coroutine, &outside), 0);
}

static void count_calls(const struct sdt_event *event, void *data)
{
    (void)event;
    (void)data;
    calls++;
}

static void hit(void)
{
    fx_call(0, 0, 0, 0, 0, 0);
}

static int switching, counting;
static atomic_int disabled;

static void *disable_elsewhere(void *data)
{
    CHECK_EQUAL(sdt_disable(counting), 0);
    atomic_store(&disabled, 1);
    return data;
}

int main(void)
{
    static char stack[1 << 16];
    pthread_t thread;
    switching = sdt_enable("fixture:call", switch_away, NULL);
    int hits = sdt_enable("fixture:call,fixture:tail", SDT_COUNT, NULL);
    counting = sdt_enable("fixture:tail", count_calls, NULL);
    CHECK(switching > 0 && hits > 0 && counting > 0);

    getcontext(&coroutine);
    coroutine.uc_stack.ss_sp = stack;
    coroutine.uc_stack.ss_size = sizeof stack;
    coroutine.uc_link = &outside;
    makecontext(&coroutine, hit, 0);
    swapcontext(&outside, &coroutine);
    CHECK_EQUAL(switches, 1); /* the handler is suspended */

    fx_tail(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11);
    CHECK_EQUAL(sdt_hits("fixture:tail"), 1);
    CHECK_EQUAL(calls, 0);
    CHECK_EQUAL(sdt_disable(switching), -EINPROGRESS);
    pthread_create(&thread, NULL, disable_elsewhere, NULL);
    struct timespec pause = {.tv_nsec = 20000000};
    nanosleep(&pause, NULL); /* for a disable that would not wait; one that waits fails no check */
    CHECK_EQUAL(atomic_load(&disabled), 0);

    swapcontext(&outside, &coroutine); /* the handler, and the function around it, return */
    alarm(20);
    pthread_join(thread, NULL);
    CHECK_EQUAL(atomic_load(&disabled), 1);
    CHECK_EQUAL(sdt_disable(switching), 0);
    counting = sdt_enable("fixture:tail", count_calls, NULL);
    fx_tail(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11);
    CHECK_EQUAL(calls, 1);
    return fixture_done();
}
