/* SPDX-License-Identifier: BSD-2-Clause */
/* fork and vfork: the child goes on with what is enabled, and then each has its own text. */
#define _GNU_SOURCE
#include "runtime_fixture.h"

#include <pthread.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <unistd.h>

static int status_of(pid_t child)
{
    int status = -1;
    return waitpid(child, &status, 0) == child && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void hit(void)
{
    fx_call(0, 0, 0, 0, 0, 0);
}

static void check_inherited(void)
{
    int id = sdt_enable("fixture:call", SDT_COUNT, NULL);
    hit();
    pid_t child = fork();
    if (child == 0) {
        hit();
        CHECK_EQUAL(sdt_hits("fixture:call"), 2);
        CHECK_EQUAL(sdt_disable(id), 0); /* the child's own text only */
        CHECK_EQUAL(*fx_byte(), FX_OFF);
        hit();
        CHECK_EQUAL(sdt_hits("fixture:call"), 2);
        _exit(fixture_failures);
    }
    CHECK_EQUAL(status_of(child), 0);
    CHECK_EQUAL(*fx_byte(), FX_ON);
    hit();
    CHECK_EQUAL(sdt_hits("fixture:call"), 2);
    CHECK_EQUAL(sdt_disable(id), 0);
}

static void check_child_alone(void)
{
    pid_t child = fork();
    if (child == 0) {
        uint64_t before = sdt_hits("fixture:call");
        CHECK(sdt_enable("fixture:call", SDT_COUNT, NULL) > 0);
        CHECK_EQUAL(*fx_byte(), FX_ON);
        hit();
        CHECK_EQUAL(sdt_hits("fixture:call"), before + 1);
        _exit(fixture_failures);
    }
    CHECK_EQUAL(status_of(child), 0);
    CHECK_EQUAL(*fx_byte(), FX_OFF);
}

static void check_vfork(void)
{
    int id = sdt_enable("fixture:call", SDT_COUNT, NULL);
    uint64_t before = sdt_hits("fixture:call");
    pid_t child = vfork();
    if (child == 0) {
        hit(); /* in the parent's memory */
        _exit(0);
    }
    CHECK_EQUAL(status_of(child), 0);
    hit();
    CHECK_EQUAL(sdt_hits("fixture:call"), before + 2);
    CHECK_EQUAL(sdt_disable(id), 0);
}

static pid_t handler_child;

static void fork_in_handler(const struct sdt_event *event, void *data)
{
    (void)event;
    (void)data;
    handler_child = fork();
}

static void check_fork_in_handler(void)
{
    int id = sdt_enable("fixture:call", fork_in_handler, NULL);
    hit();
    if (handler_child == 0) {
        CHECK_EQUAL(sdt_disable(id), 0); /* this thread's section was inherited, and has ended */
        _exit(fixture_failures);
    }
    CHECK_EQUAL(status_of(handler_child), 0);
    CHECK_EQUAL(sdt_disable(id), 0);
}

/* fork() while other threads sit in handlers and fight for the library's lock. */
static atomic_int stop;
static pthread_barrier_t entered;

static void wait_in_handler(const struct sdt_event *event, void *data)
{
    static atomic_int once;
    (void)event;
    (void)data;
    if (!atomic_exchange(&once, 1))
        pthread_barrier_wait(&entered);
    while (!atomic_load(&stop))
        sched_yield();
}

static void *sit_in_handler(void *data)
{
    (void)data;
    fx_call_again(0, 0, 0, 0, 0, 0);
    return NULL;
}

static void *toggle(void *data)
{
    (void)data;
    while (!atomic_load(&stop)) {
        int id = sdt_enable("other", SDT_COUNT, NULL);
        (void)id;
    }
    return NULL;
}

static void check_fork_among_threads(void)
{
    pthread_t sitting, toggling;
    pthread_barrier_init(&entered, NULL, 2);
    int id = sdt_enable("fixture::fx_call_again:call", wait_in_handler, NULL);
    pthread_create(&sitting, NULL, sit_in_handler, NULL);
    pthread_barrier_wait(&entered);
    if (CHILD_MAY_ALLOCATE)
        pthread_create(&toggling, NULL, toggle, NULL);
    for (int i = 0; i < 20; i++) {
        pid_t child = fork();
        if (child == 0) { /* no other thread is left here that could be in the handler */
            CHECK_EQUAL(sdt_disable(id), 0);
            _exit(fixture_failures);
        }
        CHECK_EQUAL(status_of(child), 0);
    }
    atomic_store(&stop, 1);
    pthread_join(sitting, NULL);
    if (CHILD_MAY_ALLOCATE)
        pthread_join(toggling, NULL);
    CHECK_EQUAL(sdt_disable(id), 0);
}

/*
 * A thread whose record of readers was claimed by a thread with another number: its child in vfork,
 * which runs in its place, or itself before a _Fork() that told no one. It must not be taken for
 * dead while it is in a handler.
 */
static atomic_int in_slow_handler, slow_disabled;

static void be_slow(const struct sdt_event *event, void *data)
{
    (void)event;
    (void)data;
    if (!atomic_load(&in_slow_handler))
        return;
    atomic_store(&in_slow_handler, 2);
    usleep(50000);
    CHECK_EQUAL(atomic_load(&slow_disabled), 0);
}

static void *hit_slowly(void *data)
{
    if (data) { /* the first hit of this thread is its child's */
        pid_t child = vfork();
        if (child == 0) {
            hit();
            _exit(0);
        }
        CHECK_EQUAL(status_of(child), 0);
    }
    atomic_store(&in_slow_handler, 1);
    hit();
    return NULL;
}

static void *disable_meanwhile(void *data)
{
    while (atomic_load(&in_slow_handler) != 2)
        sched_yield();
    CHECK_EQUAL(sdt_disable(*(int *)data), 0);
    atomic_store(&slow_disabled, 1);
    return NULL;
}

static void check_record_of_vfork(void)
{
    pthread_t hitting, disabling;
    int id = sdt_enable("fixture:call", be_slow, NULL);
    pthread_create(&hitting, NULL, hit_slowly, "vfork");
    pthread_create(&disabling, NULL, disable_meanwhile, &id);
    pthread_join(hitting, NULL);
    pthread_join(disabling, NULL);
    atomic_store(&in_slow_handler, 0);
    atomic_store(&slow_disabled, 0);
}

static void check_record_of_raw_fork(void)
{
    int id = sdt_enable("fixture:call", be_slow, NULL);
    hit();
    pid_t child = _Fork();
    if (child == 0) {
        pthread_t disabling;
        pthread_create(&disabling, NULL, disable_meanwhile, &id);
        hit_slowly(NULL);
        pthread_join(disabling, NULL);
        _exit(fixture_failures);
    }
    CHECK_EQUAL(status_of(child), 0);
    CHECK_EQUAL(sdt_disable(id), 0);
}

int main(void)
{
    check_record_of_vfork();
    check_record_of_raw_fork();
    check_child_alone();
    check_inherited();
    check_vfork();
    check_fork_in_handler();
    check_fork_among_threads();
    return fixture_done();
}
