/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Companion mode: before main the calls have become NOPs; then the probes work as elsewhere. With
 * -DTHREADS an early constructor starts threads that run the sites while they are rewritten; with
 * -DFAILING=1 as well, the second step of one site cannot be written (linked with --wrap for the
 * two functions below), and its trap does the call for ever. With -DFAILING=0, with threads or
 * without, the first byte of it cannot, so that it stays the call that it is.
 */
#include "runtime_fixture.h"

#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

void cm_call(long a, long b);
void cm_tail(long a, long b);
int cm_flag(void);
int cm_flag_tail(void);
void cm_flagged(void);
void cm_wrong(void);
void cm_many(long a, long b);
extern int cm_target_calls;

#ifdef FAILING
ssize_t __real_pwrite(int fd, const void *bytes, size_t n, off_t at);
ssize_t __wrap_pwrite(int fd, const void *bytes, size_t n, off_t at);
int __wrap_mprotect(void *address, size_t n, int protection);

ssize_t __wrap_pwrite(int fd, const void *bytes, size_t n, off_t at)
{
    uintptr_t byte = (uintptr_t)cm_call + 4 + FAILING;
    if ((uintptr_t)at <= byte && (uintptr_t)at + n > byte) {
        errno = EIO;
        return -1;
    }
    return __real_pwrite(fd, bytes, n, at);
}

int __wrap_mprotect(void *address, size_t n, int protection)
{
    (void)address;
    (void)n;
    (void)protection;
    errno = EACCES;
    return -1;
}
#endif

#ifdef THREADS
static pthread_t threads[4];
static atomic_int stop;
static atomic_long wrong_answers, rounds;

static void *run(void *data)
{
    (void)data;
    while (!atomic_load(&stop)) {
        cm_call(1, 2);
        cm_tail(1, 2);
        if (cm_flag() != 0 || cm_flag_tail() != 0)
            atomic_fetch_add(&wrong_answers, 1);
        cm_many(1, 2);
        atomic_fetch_add(&rounds, 1);
    }
    return NULL;
}

/* Runs before the constructor in the fixture, whose section has no priority. */
__attribute__((constructor(200))) static void start_early(void)
{
    for (int i = 0; i < 4; i++)
        pthread_create(&threads[i], NULL, run, NULL);
    while (atomic_load(&rounds) < 10)
        sched_yield();
}

static void stop_threads(void)
{
    long before = atomic_load(&rounds);
    while (atomic_load(&rounds) < before + 10)
        sched_yield();
    atomic_store(&stop, 1);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    CHECK_EQUAL(atomic_load(&wrong_answers), 0);
}
#else
static void stop_threads(void) {}
#endif

static int bytes_are(void (*function)(void), int at, const char *bytes, int n)
{
    return memcmp((const char *)(uintptr_t)function + at, bytes, (size_t)n) == 0;
}

static long first, second;

static void on_hit(const struct sdt_event *event, void *data)
{
    first = (long)sdt_arg(event, 0);
    second = (long)sdt_arg(event, 1);
    ++*(int *)data;
}

static int blocked;

static int visit(const struct sdt_probe_info *site, void *data)
{
    (void)data;
    blocked += site->mode == SDT_MODE_BLOCKED;
    return 0;
}

int main(void)
{
    int calls = 0;
    stop_threads();
    if (getenv("SDT_DISABLE_RUNTIME")) { /* nothing was rewritten, and the program works */
        CHECK(bytes_are((void (*)(void))cm_call, 4, "\xe8", 1));
        cm_call(1, 2);
        cm_tail(1, 2);
        CHECK_EQUAL(cm_flag(), 0);
        CHECK_EQUAL(cm_flag_tail(), 0);
        return fixture_done();
    }
#if defined FAILING && FAILING == 0
    CHECK(bytes_are((void (*)(void))cm_call, 4, "\xe8", 1));
    cm_call(1, 2);
    /* No one tries to arm the call: what is said is why it is still one. */
    CHECK_EQUAL(sdt_enable("companion::cm_call:call", on_hit, &calls), -EACCES);
    CHECK(bytes_are((void (*)(void))cm_call, 4, "\xe8", 1));
    CHECK_EQUAL(sdt_foreach("companion::cm_call:call", visit, NULL), 0);
    CHECK_EQUAL(blocked, 1);
    CHECK_EQUAL(calls, 0);
    return fixture_done();
#elif defined FAILING
    CHECK(bytes_are((void (*)(void))cm_call, 4, "\xcc", 1));
    cm_call(1, 2);
    int tail = sdt_enable("companion:tail", on_hit, &calls);
    CHECK(tail > 0);
    CHECK_EQUAL(sdt_disable(tail), 0); /* must not give SIGTRAP back: no thread but ours is left */
    cm_call(1, 2);
    CHECK_EQUAL(sdt_foreach("companion:call", visit, NULL), 0);
    CHECK_EQUAL(blocked, 1);
    return fixture_done();
#endif
    CHECK(bytes_are((void (*)(void))cm_call, 4, "\x90\x66\x0f\x1f\xc0", 5));
    CHECK(bytes_are((void (*)(void))cm_tail, 0, "\xc3", 1));
    CHECK(bytes_are((void (*)(void))cm_flag, 0, "\xb8\0\0\0\0", 5));
    CHECK(bytes_are((void (*)(void))cm_flag_tail, 0, "\x6a\0\x58\xc3\xcc", 5));
    CHECK(bytes_are((void (*)(void))cm_many, 4, "\x90\x66\x0f\x1f\xc0\x90\x90", 7));
    CHECK(bytes_are((void (*)(void))cm_many, 4 + 599 * 25, "\x90\x66\x0f\x1f\xc0\x90\x90", 7));

    int before = cm_target_calls;
    cm_wrong();
    CHECK_EQUAL(cm_target_calls, before + 1);
    CHECK_EQUAL(sdt_enable("companion:wrong", SDT_COUNT, NULL), -EILSEQ);
    CHECK_EQUAL(sdt_foreach("companion", visit, NULL), 0);
    CHECK_EQUAL(blocked, 1);

    CHECK_EQUAL(cm_flag(), 0);
    int id = sdt_enable("companion", on_hit, &calls);
    CHECK(id > 0);
    CHECK_EQUAL(cm_flag(), 1);
    CHECK_EQUAL(cm_flag_tail(), 1);
    CHECK_EQUAL(calls, 0);
    cm_call(-1, -2);
    CHECK(calls == 1 && first == -1 && second == -2);
    cm_tail(-3, -4);
    CHECK(calls == 2 && first == -3 && second == -4);
    cm_flagged();
    CHECK_EQUAL(calls, 3);
    cm_many(5, 6);
    CHECK_EQUAL(calls, 603);
    CHECK_EQUAL(sdt_disable(id), 0);
    cm_call(1, 2);
    cm_tail(1, 2);
    cm_many(1, 2);
    CHECK_EQUAL(calls, 603);
    CHECK_EQUAL(cm_flag(), 0);
    return fixture_done();
}
