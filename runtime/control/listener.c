/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See listener.h. A thread of our own serves requests, in normal context: it may allocate, take
 * locks and wait. Without sessions it sleeps in a futex, for ever; with sessions it wakes up to
 * check that their tools are alive.
 *
 * It blocks the program's signals, except those that its own instructions may cause: breakpoints (a
 * probe in malloc) and faults. docs/decisions/0033 has its cost, and why it is a thread
 * nevertheless.
 */
#define _GNU_SOURCE
#include "listener.h"

#include "process/early.h"
#include "process/msan.h"
#include "process/robust.h"
#include "request.h"
#include "session.h"

#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* Beyond what the C library needs for itself. Untouched, it is only addresses. */
#define STACK ((size_t)128 << 10)

static void futex_wait(_Atomic uint32_t *word, uint32_t value, const struct timespec *timeout)
{
    syscall(SYS_futex, word, FUTEX_WAIT, value, timeout, NULL, 0);
}

static void futex_wake(_Atomic uint32_t *word)
{
    syscall(SYS_futex, word, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}

/*
 * Work what was posted. Only this thread takes requests, so nothing is taken twice. Places without
 * a session are not read: each is another page, which reading would allocate.
 */
static void work_all(struct live_page *page)
{
    for (unsigned i = 0; i < LIVE_REQUESTS; i++) {
        struct live_request *request = &page->requests[i];
        uint32_t posted = LIVE_POSTED, running = LIVE_RUNNING;
        if (atomic_load(&page->sessions[i / 2].id) == 0 ||
            !atomic_compare_exchange_strong(&request->state, &posted, LIVE_RUNNING))
            continue;
        request_serve(page, i);
        atomic_compare_exchange_strong(&request->state, &running, LIVE_DONE);
        futex_wake(&request->state);
    }
}

/* Held while requests are processed. At the end of the process that stops: IS_OVER. A robust mutex
 * may not stay locked: a copy of this library that only waits for its end is unmapped.
 */
static pthread_mutex_t working;
static atomic_bool is_over;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static SDT_EARLY atomic_bool is_started;

static void make_lock(void)
{
    robust_init(&working);
}

/* If a thread died while forking, the lock cannot be taken; still, no other thread processes
 * requests. */
static bool look_around(struct live_page *page)
{
    bool is_held = robust_lock(&working) == 0, is_watched = false;
    if (!atomic_load(&is_over)) {
        work_all(page);
        is_watched = session_check(page);
        request_clean(page);
        request_refresh();
    }
    if (is_held)
        robust_unlock(&working);
    return is_watched;
}

/* Take the lock. False: it took too long, or the listener has died. */
static bool wait_for_work(void)
{
    enum { PATIENCE = 200 /* ms */ };
    struct timespec limit;
    clock_gettime(CLOCK_REALTIME, &limit);
    limit.tv_nsec += PATIENCE * 1000000L;
    limit.tv_sec += limit.tv_nsec / 1000000000L;
    limit.tv_nsec %= 1000000000L;
    pthread_once(&once, make_lock);
    return robust_lock_until(&working, &limit) == 0;
}

/*
 * A request in progress would go on while the process exits. But do not wait for ever: the handler
 * that called exit() may be what a request is waiting for.
 */
__attribute__((destructor)) static void stop_working(void)
{
    MSAN_LOOKS_AWAY;
    if (!atomic_load(&is_started))
        return;
    bool is_held = wait_for_work();
    atomic_store(&is_over, true);
    if (is_held)
        robust_unlock(&working);
}

/*
 * A fork while a request is processed would leave the child with half of it: a subscription that
 * belongs to no session, rings that are never left. So a fork waits, but not for ever: the thread
 * may be in a handler whose end a request waits for. Forks can nest, by a signal handler.
 */
static __thread unsigned forks __attribute__((tls_model("initial-exec")));
static __thread bool has_waited __attribute__((tls_model("initial-exec")));

void listener_before_fork(void)
{
    if (forks++ == 0)
        has_waited = wait_for_work();
}

void listener_after_fork_parent(void)
{
    if (--forks == 0 && has_waited)
        robust_unlock(&working);
}

void listener_after_fork_child(void)
{
    forks = 0;
    atomic_store(&is_over, false);
    robust_init(&working); /* its holder is not in this process */
}

/* In the child of a fork: something is followed, or to be ended. Asked by who starts the thread,
 * as elsewhere the answer is known, and asking touches pages. */
static bool is_inherited;

static void *listen(void *data)
{
    MSAN_LOOKS_AWAY;
    struct live_page *page = data;
    pthread_setname_np(pthread_self(), "sdt-listener");
    atomic_store(&page->state, LIVE_SERVING); /* from here on, without that name it is dead */
    const struct timespec beat = {.tv_nsec = LIVE_BEAT_MS * 1000000L};
    uint32_t bell = 0; /* no request yet: read nothing, which would allocate pages */
    bool is_watched = is_inherited;
    for (;;) {
        futex_wait(&page->bell, bell, is_watched ? &beat : NULL);
        bell = atomic_load(&page->bell);
        is_watched = look_around(page);
    }
    return NULL;
}

/* All but those that our own instructions may cause, and the C library's own. */
static void own_signals(sigset_t *mask)
{
    sigfillset(mask);
    sigdelset(mask, SIGTRAP);
    sigdelset(mask, SIGSEGV);
    sigdelset(mask, SIGBUS);
}

/* Set this thread's. By system calls: the first call of our own pthread_sigmask(), and that is what
 * its name leads to (start/signals.c), looks for nine functions. */
static void set_mask(const sigset_t *mask, sigset_t *old)
{
    uint64_t word;
    memcpy(&word, mask, sizeof word);
    word &= ~(3ull << 31); /* SIGCANCEL, SIGSETXID */
    syscall(SYS_rt_sigprocmask, SIG_SETMASK, &word, old, sizeof word);
}

int listener_start(struct live_page *page, bool is_child)
{
    pthread_t thread;
    pthread_attr_t attributes;
    sigset_t mask, old;
    long least = sysconf(_SC_THREAD_STACK_MIN);
    is_inherited = is_child && session_is_inherited();
    atomic_store(&is_started, true);
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_attr_setstacksize(&attributes, STACK + (least > 0 ? (size_t)least : 0));
    pthread_once(&once, make_lock);
    own_signals(&mask);
    sigemptyset(&old);
    set_mask(&mask, &old);
    int error = pthread_create(&thread, &attributes, listen, page);
    if (error == EINVAL) /* the program's thread-local variables are larger than that */
        error = pthread_create(&thread, NULL, listen, page);
    sigdelset(&old, SIGTRAP); /* it stays deliverable from now on (patch/trap.h) */
    set_mask(&old, NULL);
    pthread_attr_destroy(&attributes);
    return -error;
}
