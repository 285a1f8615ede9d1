/* SPDX-License-Identifier: BSD-2-Clause */
/* What handlers may do: hit probes, disable, enable, allocate, fail, end their thread. */
#include "runtime_fixture.h"

#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

static void hit(void)
{
    fx_call(0, 0, 0, 0, 0, 0);
}

static int depth, runs;

static void recurse(const struct sdt_event *event, void *data)
{
    (void)event;
    (void)data;
    depth++;
    runs++;
    CHECK_EQUAL(depth, 1);
    hit();                                         /* the probe itself */
    fx_tail(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11); /* another one */
    free(malloc(100));
    depth--;
}

static void check_recursion(void)
{
    int id = sdt_enable("fixture:call,fixture:tail", recurse, NULL);
    int count = sdt_enable("fixture:call,fixture:tail", SDT_COUNT, NULL);
    hit();
    CHECK_EQUAL(runs, 1);
    CHECK_EQUAL(sdt_hits("fixture:call"), 2); /* counted, although its handlers were skipped */
    CHECK_EQUAL(sdt_hits("fixture:tail"), 1);
    CHECK_EQUAL(sdt_disable(id), 0);
    CHECK_EQUAL(sdt_disable(count), 0);
}

static int own_id, own_calls;

static void disable_itself(const struct sdt_event *event, void *data)
{
    (void)event;
    (void)data;
    own_calls++;
    CHECK_EQUAL(sdt_disable(own_id), -EINPROGRESS);
    CHECK_EQUAL(sdt_disable(own_id), -EINPROGRESS);
}

static void check_self_disable(void)
{
    own_id = sdt_enable("fixture:call", disable_itself, NULL);
    hit();
    hit();
    CHECK_EQUAL(own_calls, 1);
    CHECK_EQUAL(sdt_disable(own_id), 0);
    CHECK_EQUAL(sdt_disable(own_id), -ENOENT);
}

static int other_id, other_calls;

static void count_calls(const struct sdt_event *event, void *data)
{
    (void)event;
    ++*(int *)data;
}

static void disable_next(const struct sdt_event *event, void *data)
{
    (void)event;
    (void)data;
    sdt_disable(other_id);
}

static void check_disable_of_next(void)
{
    int id = sdt_enable("fixture:call", disable_next, NULL);
    other_id = sdt_enable("fixture:call", count_calls, &other_calls);
    hit(); /* at once: the second handler is not called any more, not even for this hit */
    CHECK_EQUAL(other_calls, 0);
    CHECK_EQUAL(sdt_disable(other_id), 0);
    CHECK_EQUAL(sdt_disable(id), 0);
}

static int inner_id, inner_calls;

static void enable_another(const struct sdt_event *event, void *data)
{
    (void)event;
    (void)data;
    if (inner_id == 0)
        inner_id = sdt_enable("fixture:call", count_calls, &inner_calls);
}

static void check_enable_inside(void)
{
    int id = sdt_enable("fixture:call", enable_another, NULL);
    hit();
    CHECK(inner_id > 0);
    CHECK_EQUAL(inner_calls, 0);
    hit();
    CHECK_EQUAL(inner_calls, 1);
    CHECK_EQUAL(sdt_disable(id), 0);
    CHECK_EQUAL(sdt_disable(inner_id), 0);
}

static void break_errno(const struct sdt_event *event, void *data)
{
    (void)event;
    (void)data;
    errno = ENOTTY;
}

static void check_errno(int mode)
{
    int id = sdt_enable_mode("fixture:call,fixture:tail", break_errno, NULL, mode);
    errno = EDOM;
    hit();
    CHECK_EQUAL(errno, EDOM);
    fx_tail(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11);
    CHECK_EQUAL(errno, EDOM);
    CHECK_EQUAL(sdt_disable(id), 0);
}

static void exit_thread(const struct sdt_event *event, void *data)
{
    (void)event;
    (void)data;
    pthread_exit((void *)42);
}

static pthread_barrier_t barrier;

static void be_cancelled(const struct sdt_event *event, void *data)
{
    (void)event;
    (void)data;
    pthread_barrier_wait(&barrier);
    for (;;)
        pause(); /* a cancellation point */
}

static void *hit_in_thread(void *data)
{
    (void)data;
    hit();
    return NULL;
}

static void *tail_in_thread(void *data)
{
    (void)data;
    fx_tail(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11);
    return NULL;
}

static void check_thread_end(void *(*body)(void *), sdt_handler *handler)
{
    pthread_t thread;
    void *result = NULL;
    int id = sdt_enable("fixture:call,fixture:tail", handler, NULL);
    pthread_create(&thread, NULL, body, NULL);
    if (handler == be_cancelled) {
        pthread_barrier_wait(&barrier);
        pthread_cancel(thread);
    }
    pthread_join(thread, &result);
    CHECK(result == (handler == be_cancelled ? PTHREAD_CANCELED : (void *)42));
    CHECK_EQUAL(sdt_disable(id), 0);
}

/* More threads than one slab of records, again and again: records are reused. */
static void check_many_threads(void)
{
    int calls = 0;
    int id = sdt_enable("fixture:tail", count_calls, &calls);
    for (int round = 0; round < 300; round++) {
        pthread_t thread;
        pthread_create(&thread, NULL, tail_in_thread, NULL);
        pthread_join(thread, NULL);
    }
    CHECK_EQUAL(calls, 300);
    CHECK_EQUAL(sdt_disable(id), 0);
}

/* A probe that is hit by a thread-specific destructor, after ours may have run. */
static void hit_in_destructor(void *data)
{
    (void)data;
    fx_tail(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11);
}

static pthread_key_t key;

static void *use_key(void *data)
{
    pthread_setspecific(key, data);
    fx_tail(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11);
    return NULL;
}

static void check_last_moments(void)
{
    int calls = 0;
    int id = sdt_enable("fixture:tail", count_calls, &calls);
    pthread_key_create(&key, hit_in_destructor);
    for (int round = 0; round < 100; round++) {
        pthread_t thread;
        pthread_create(&thread, NULL, use_key, &key);
        pthread_join(thread, NULL);
    }
    CHECK_EQUAL(calls, 200);
    CHECK_EQUAL(sdt_disable(id), 0);
}

int main(void)
{
    pthread_barrier_init(&barrier, NULL, 2);
    check_recursion();
    check_self_disable();
    check_disable_of_next();
    check_enable_inside();
    check_errno(SDT_MODE_AUTO);
    check_errno(SDT_MODE_TRAP);
    check_thread_end(hit_in_thread, exit_thread);
    check_thread_end(tail_in_thread, exit_thread);
    check_thread_end(hit_in_thread, be_cancelled);
    check_many_threads();
    check_last_moments();
    return fixture_done();
}
