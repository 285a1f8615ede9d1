/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * SIGTRAP in the masks of a program: the program's own while nothing is armed by breakpoint, and
 * never blocked from the first breakpoint on, also where it was asked for before.
 */
#define _GNU_SOURCE
#include "runtime_fixture.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define BIT(number) (UINT64_C(1) << ((number)-1))
enum { TOGGLES = 300 };

static sigset_t all, none;

static int enable(void)
{
    int id = sdt_enable_mode("fixture:call", SDT_COUNT, NULL, SDT_MODE_TRAP);
    CHECK(id > 0);
    return id;
}

static void hit(int number)
{
    fx_call((word)number, 0, 0, 0, 0, 0);
}

/* What the kernel says, whoever stands before the C library's functions. */
static int blocks_trap(void)
{
    uint64_t mask = 0;
    syscall(SYS_rt_sigprocmask, SIG_SETMASK, NULL, &mask, sizeof mask);
    return (mask & BIT(SIGTRAP)) != 0;
}

static void handle(int number, void (*handler)(int))
{
    struct sigaction action = {.sa_handler = handler, .sa_mask = all};
    CHECK_EQUAL(sigaction(number, &action, NULL), 0);
}

/* The handler of signal NUMBER, and whether its mask has SIGTRAP, as the kernel knows them. */
static int is_handled_by(int number, void (*handler)(int), int blocks)
{
    struct {
        void (*handler)(int);
        unsigned long flags;
#ifdef __x86_64__
        void (*restorer)(void);
#endif
        uint64_t mask;
    } action;
    CHECK_EQUAL(syscall(SYS_rt_sigaction, number, NULL, &action, sizeof action.mask), 0);
    return action.handler == handler && ((action.mask & BIT(SIGTRAP)) != 0) == blocks;
}

/* A program whose probes are off blocks what it likes, and a signal waits. */
static void check_off(void)
{
    sigset_t old, waiting;
    const struct timespec now = {0};
    handle(SIGUSR1, hit);
    CHECK(is_handled_by(SIGUSR1, hit, 1));
    sigprocmask(SIG_SETMASK, &all, &old);
    CHECK(blocks_trap());
    raise(SIGTRAP);
    CHECK(sigpending(&waiting) == 0 && sigismember(&waiting, SIGTRAP));
    sigemptyset(&waiting);
    sigaddset(&waiting, SIGTRAP);
    CHECK_EQUAL(sigtimedwait(&waiting, NULL, &now), SIGTRAP);
    sigprocmask(SIG_SETMASK, &old, NULL);
}

static void check_handler_of_before(void)
{
    handle(SIGUSR1, hit);
    int id = enable();
    CHECK(is_handled_by(SIGUSR1, hit, 0));
    raise(SIGUSR1);
    CHECK_EQUAL(sdt_hits("fixture:call"), 1);
    handle(SIGUSR1, hit);
    CHECK(is_handled_by(SIGUSR1, hit, 0));
    CHECK_EQUAL(sdt_disable(id), 0);
    handle(SIGUSR1, hit); /* it is the program's again */
    CHECK(is_handled_by(SIGUSR1, hit, 1));
    check_off();
}

static pthread_barrier_t barrier;
static atomic_int may_go;

static void let_go(int number)
{
    (void)number;
}

/* What it blocks meanwhile cannot be seen; the kernel restores it. */
static void *suspended(void *data)
{
    pthread_sigmask(SIG_SETMASK, &all, NULL);
    pthread_barrier_wait(&barrier);
    while (!atomic_load(&may_go))
        sigsuspend(&none);
    hit(0);
    CHECK(!blocks_trap());
    return data;
}

/* Whether thread ID sleeps, without blocking SIGTRAP. */
static int is_suspended(pid_t id)
{
    char path[64], line[256];
    int is_asleep = 0, blocks = 1;
    snprintf(path, sizeof path, "/proc/self/task/%d/status", (int)id);
    FILE *file = fopen(path, "r");
    while (file && fgets(line, sizeof line, file)) {
        is_asleep |= strncmp(line, "State:\tS", 8) == 0;
        if (strncmp(line, "SigBlk:", 7) == 0)
            blocks = (strtoull(line + 7, NULL, 16) & BIT(SIGTRAP)) != 0;
    }
    if (file)
        fclose(file);
    return is_asleep && !blocks;
}

static pid_t suspended_id;

static void *suspend(void *data)
{
    suspended_id = (pid_t)syscall(SYS_gettid);
    return suspended(data);
}

static void check_mask_that_comes_back(void)
{
    pthread_t thread;
    handle(SIGUSR2, let_go);
    pthread_barrier_init(&barrier, NULL, 2);
    pthread_create(&thread, NULL, suspend, NULL);
    pthread_barrier_wait(&barrier);
    while (!is_suspended(suspended_id))
        sched_yield();
    int id = enable();
    uint64_t before = sdt_hits("fixture:call");
    atomic_store(&may_go, 1);
    pthread_kill(thread, SIGUSR2);
    pthread_join(thread, NULL);
    CHECK_EQUAL(sdt_hits("fixture:call") - before, 1);
    CHECK_EQUAL(sdt_disable(id), 0);
}

static volatile int traps;

static void on_trap(int number)
{
    traps += number == SIGTRAP;
}

/* A child of vfork resets its actions, which are its own; what its parent has set stays. */
static void check_vfork(void)
{
    int status, id = enable();
    handle(SIGTRAP, on_trap);
    pid_t child = vfork();
    if (child == 0) {
        signal(SIGTRAP, SIG_DFL);
        _exit(0);
    }
    CHECK(waitpid(child, &status, 0) == child && status == 0);
    raise(SIGTRAP);
    CHECK_EQUAL(traps, 1);
    child = fork();
    if (child == 0) {
        signal(SIGTRAP, SIG_DFL);
        raise(SIGTRAP);
        _exit(0);
    }
    CHECK(waitpid(child, &status, 0) == child && WIFSIGNALED(status));
    CHECK_EQUAL(sdt_disable(id), 0);
    signal(SIGTRAP, SIG_DFL);
}

static void other(int number)
{
    (void)number;
}

/* No action is lost while those of before are changed. */
static void *act(void *is_over)
{
    while (!atomic_load((atomic_int *)is_over)) {
        struct sigaction now;
        handle(SIGUSR1, hit);
        sigaction(SIGUSR1, NULL, &now);
        CHECK(now.sa_handler == hit);
        handle(SIGUSR1, other);
        sigaction(SIGUSR1, NULL, &now);
        CHECK(now.sa_handler == other);
    }
    return NULL;
}

static void check_actions_that_change(void)
{
    static atomic_int is_over;
    pthread_t thread;
    for (int i = 0; i < TOGGLES; i++) {
        atomic_store(&is_over, 0);
        pthread_create(&thread, NULL, act, &is_over);
        int id = enable();
        atomic_store(&is_over, 1);
        pthread_join(thread, NULL);
        CHECK_EQUAL(sdt_disable(id), 0);
    }
}

int main(void)
{
    sigfillset(&all);
    sigemptyset(&none);
    check_off();
    check_handler_of_before();
    check_mask_that_comes_back();
    check_vfork();
    check_actions_that_change();
    return fixture_done();
}
