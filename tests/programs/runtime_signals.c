/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * SIGTRAP belongs to others as well: debuggers, crash reporters, raise(SIGTRAP). Most of this is
 * about those whom the library does not see, as they make system calls themselves, or whom it does
 * not stand before: a name of the C library's that is not interposed stands for all of them. Those
 * who call sigaction() and signal() come at the end.
 */
#define _GNU_SOURCE
#include "runtime_fixture.h"
#include "runtime_step.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

int __sigaction(int number, const struct sigaction *action, struct sigaction *old);

static void reset(void (*handler)(int))
{
    struct sigaction action = {.sa_handler = handler};
    sigemptyset(&action.sa_mask);
    __sigaction(SIGTRAP, &action, NULL);
}

static volatile int foreign_traps, foreign_raises;
static uint64_t blocked_inside;

/* Of the calling thread: bit N - 1 is signal N. */
static uint64_t blocked_now(void)
{
    uint64_t mask = 0;
    syscall(SYS_rt_sigprocmask, SIG_SETMASK, NULL, &mask, sizeof mask);
    return mask;
}

#define BIT(number) (UINT64_C(1) << ((number)-1))

static void foreign(int number, siginfo_t *info, void *context)
{
    (void)number;
    (void)context;
    if (info->si_code > 0)
        foreign_traps++;
    else
        foreign_raises++;
    blocked_inside = blocked_now();
}

static struct sigaction install_foreign(void)
{
    struct sigaction action = {.sa_sigaction = foreign, .sa_flags = SA_SIGINFO}, old;
    sigemptyset(&action.sa_mask);
    sigaddset(&action.sa_mask, SIGUSR2);
    __sigaction(SIGTRAP, &action, &old);
    return old;
}

static int is_foreign(void)
{
    struct sigaction now;
    __sigaction(SIGTRAP, NULL, &now);
    return (now.sa_flags & SA_SIGINFO) && now.sa_sigaction == foreign;
}

static void hit(void)
{
    fx_call(0, 0, 0, 0, 0, 0);
}

static void check_foreign_before(void)
{
    install_foreign();
    int id = sdt_enable("fixture:call", SDT_COUNT, NULL);
    uint64_t before = sdt_hits("fixture:call");
    CHECK(!is_foreign());
    __asm__ volatile("int3");
    CHECK_EQUAL(foreign_traps, 1);
    CHECK_EQUAL(blocked_inside, BIT(SIGUSR2)); /* there may be breakpoints in it */
    raise(SIGTRAP);
    CHECK_EQUAL(foreign_raises, 1);
    hit();
    CHECK_EQUAL(sdt_hits("fixture:call") - before, 1);
    CHECK_EQUAL(foreign_traps, 1);
    CHECK_EQUAL(sdt_disable(id), 0);
    CHECK(is_foreign()); /* given back */
    __asm__ volatile("int3");
    CHECK_EQUAL(foreign_traps, 2);
}

/* The handlers of others run with the mask that the kernel would have given them, but SIGTRAP, and
 * what is interrupted goes on with its own, whatever ours has blocked. */
static void check_masks(void)
{
    sigset_t set, old;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    sigaddset(&set, SIGRTMAX);
    pthread_sigmask(SIG_BLOCK, &set, &old);
    uint64_t before = blocked_now();
    CHECK_EQUAL(before, BIT(SIGUSR1) | BIT(SIGRTMAX));
    install_foreign();
    int id = sdt_enable("fixture:call", SDT_COUNT, NULL);
    hit();
    CHECK_EQUAL(blocked_now(), before);
    __asm__ volatile("int3");
    CHECK_EQUAL(blocked_inside, before | BIT(SIGUSR2));
    CHECK_EQUAL(blocked_now(), before);
    CHECK_EQUAL(sdt_disable(id), 0);
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    reset(SIG_DFL);
}

static void check_foreign_after(void)
{
    reset(SIG_DFL);
    int id = sdt_enable("fixture:call", SDT_COUNT, NULL);
    uint64_t before = sdt_hits("fixture:call");
    install_foreign(); /* without chaining to us: our traps are lost to it… */
    int second = sdt_enable("other:dash-name", SDT_COUNT, NULL); /* …until it is taken again */
    hit();
    CHECK_EQUAL(sdt_hits("fixture:call") - before, 1);
    __asm__ volatile("int3");
    CHECK_EQUAL(foreign_traps, 3);
    CHECK_EQUAL(sdt_disable(second), 0);
    CHECK_EQUAL(sdt_disable(id), 0);
    CHECK(is_foreign());
    reset(SIG_DFL);
}

/* A handler that is installed after ours, and that calls the one before it, as it should. */
static struct sigaction before_chain;

static void chaining(int number, siginfo_t *info, void *context)
{
    if (before_chain.sa_flags & SA_SIGINFO)
        before_chain.sa_sigaction(number, info, context);
}

static void check_chained_after(void)
{
    install_foreign();
    int id = sdt_enable("fixture:call", SDT_COUNT, NULL);
    uint64_t before = sdt_hits("fixture:call");
    struct sigaction action = {.sa_sigaction = chaining, .sa_flags = SA_SIGINFO}, now;
    sigemptyset(&action.sa_mask);
    __sigaction(SIGTRAP, &action, &before_chain);
    hit();
    CHECK_EQUAL(sdt_hits("fixture:call") - before, 1);

    /* Taken again, on top of the one that chains to us: a foreign trap must not go round and round,
       but end where it would have ended without us. */
    int second = sdt_enable("other", SDT_COUNT, NULL);
    hit();
    CHECK_EQUAL(sdt_hits("fixture:call") - before, 2);
    int traps = foreign_traps;
    __asm__ volatile("int3");
    CHECK_EQUAL(foreign_traps, traps + 1);
    CHECK_EQUAL(sdt_disable(second), 0);
    __sigaction(SIGTRAP, &action, NULL);

    CHECK_EQUAL(sdt_disable(id), 0);
    __sigaction(SIGTRAP, NULL, &now);
    CHECK(now.sa_sigaction == chaining); /* no longer ours, so not given back */

    /* Once more: it still knows us as the one before it. */
    traps = foreign_traps;
    id = sdt_enable("fixture:call", SDT_COUNT, NULL);
    __asm__ volatile("int3");
    CHECK_EQUAL(foreign_traps, traps + 1);
    CHECK_EQUAL(sdt_disable(id), 0);
    reset(SIG_DFL);
}

static void check_ignored(void)
{
    reset(SIG_IGN);
    int id = sdt_enable("fixture:call", SDT_COUNT, NULL);
    uint64_t before = sdt_hits("fixture:call");
    raise(SIGTRAP); /* ignored, as it was */
    hit();
    CHECK_EQUAL(sdt_hits("fixture:call") - before, 1);
    pid_t child = fork();
    int status = 0;
    if (child == 0)
        __asm__ volatile("int3"); /* which cannot be ignored */
    CHECK(waitpid(child, &status, 0) == child && WIFSIGNALED(status) &&
          WTERMSIG(status) == SIGTRAP);
    CHECK_EQUAL(sdt_disable(id), 0);
    reset(SIG_DFL);
}

/* A trap that no handler takes ends the process the way it would have without us. */
static void check_default(int raised)
{
    int id = sdt_enable("fixture:call", SDT_COUNT, NULL);
    pid_t child = fork();
    int status = 0;
    if (child == 0) {
        if (raised)
            raise(SIGTRAP);
        else
            __asm__ volatile("int3");
        _exit(1);
    }
    CHECK(waitpid(child, &status, 0) == child && WIFSIGNALED(status) &&
          WTERMSIG(status) == SIGTRAP);
    CHECK_EQUAL(sdt_disable(id), 0);
}

/* A program that steps through itself: a trap after each instruction, none of them ours. */
static void check_single_steps(void)
{
    install_foreign();
    int id = sdt_enable("fixture:call", SDT_COUNT, NULL);
    uint64_t before = sdt_hits("fixture:call");
    int traps = foreign_traps;
    step(true);
    hit();
    step(false);
    CHECK_EQUAL(sdt_hits("fixture:call") - before, 1);
    CHECK(foreign_traps > traps + 10);
    CHECK_EQUAL(sdt_disable(id), 0);
    reset(SIG_DFL);
}

/*
 * A trap that reaches us when its breakpoint is gone already, with the object that it was in: the
 * program ends, its destructor has disarmed it, and a thread is still on its way.
 */
static void set_byte(uint8_t value)
{
    uint8_t *byte = (uint8_t *)(uintptr_t)fx_call + 5;
    uintptr_t page = (uintptr_t)byte & ~(uintptr_t)4095;
    mprotect((void *)page, 4096, PROT_READ | PROT_WRITE | PROT_EXEC);
    *(volatile uint8_t *)byte = value;
}

static void remove_and_chain(int number, siginfo_t *info, void *context)
{
    set_byte(0x66);
    before_chain.sa_sigaction(number, info, context);
}

static int visit_any(const struct sdt_probe_info *site, void *data)
{
    (void)site;
    ++*(int *)data;
    return 0;
}

static void *stay(void *data)
{
    for (;;)
        pause();
    return data;
}

/* The last of all: the program's own sites are there until it has ended, though off. */
__attribute__((destructor(101))) static void check_late_trap(void)
{
    struct sigaction action = {.sa_sigaction = remove_and_chain, .sa_flags = SA_SIGINFO};
    int sites = 0;
    CHECK_EQUAL(sdt_foreach("fixture", visit_any, &sites), 0);
    CHECK(sites > 0);
    sigemptyset(&action.sa_mask);
    __sigaction(SIGTRAP, &action, &before_chain);
    set_byte(0xcc);
    hit(); /* the default action would end us */
    if (fixture_failures)
        _exit(1);
}

/*
 * A trap without a breakpoint, as a debugger sends it that passes its own on: there is nothing to
 * go back to. The program ends, as it would have without us.
 */
static void check_trap_without_breakpoint(void)
{
    int id = sdt_enable("fixture:call", SDT_COUNT, NULL);
    pid_t child = fork();
    int status = 0;
    if (child == 0) {
        siginfo_t info = {.si_signo = SIGTRAP, .si_code = SI_KERNEL};
        syscall(SYS_rt_sigqueueinfo, getpid(), SIGTRAP, &info);
        _exit(1);
    }
    CHECK(waitpid(child, &status, 0) == child && WIFSIGNALED(status) &&
          WTERMSIG(status) == SIGTRAP);
    CHECK_EQUAL(sdt_disable(id), 0);
}

static pthread_barrier_t barrier;

static void *block_trap(void *data)
{
    sigset_t set;
    (void)data;
    sigemptyset(&set);
    sigaddset(&set, SIGTRAP);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    pthread_barrier_wait(&barrier);
    pthread_barrier_wait(&barrier);
    return NULL;
}

/* A thread that has been joined is still on the kernel's list for a moment, with signals blocked.
 */
static void wait_until_alone(void)
{
    enum { ALONE = 3 }; /* links of a directory: itself, its parent's, one for each thread */
    struct stat tasks;
    while (stat("/proc/self/task", &tasks) == 0 && tasks.st_nlink > ALONE)
        ;
}

static void join(pthread_t thread)
{
    pthread_join(thread, NULL);
    wait_until_alone();
}

static int blocked_error;

static int visit(const struct sdt_probe_info *site, void *data)
{
    (void)data;
    CHECK_EQUAL(site->mode, SDT_MODE_BLOCKED);
    blocked_error = site->error;
    return 1;
}

static void check_blocked(void)
{
    pthread_t thread;
    pthread_barrier_init(&barrier, NULL, 2);
    pthread_create(&thread, NULL, block_trap, NULL);
    pthread_barrier_wait(&barrier);
    CHECK_EQUAL(sdt_enable("fixture:call", SDT_COUNT, NULL), -EBUSY);
    sdt_foreach("fixture:call", visit, NULL);
    CHECK_EQUAL(blocked_error, -EBUSY);
    int tail = (sdt_enable)("fixture:tail", SDT_COUNT, NULL); /* needs no trap */
    CHECK(tail > 0);
    pthread_barrier_wait(&barrier);
    join(thread);
    int id = sdt_enable("fixture:call", SDT_COUNT, NULL);
    CHECK(id > 0);
    CHECK_EQUAL(sdt_disable(id), 0);
    CHECK_EQUAL(sdt_disable(tail), 0);
}

/* The mask in which a thread starts under gcc 14's AddressSanitizer, as the kernel has it. */
static const uint64_t of_sanitizers = 0xfffffffe3ffbfeff;
static atomic_bool may_go;
static atomic_int looks;
static bool goes;

static void *start_slowly(void *data)
{
    uint64_t mask;
    (void)data;
    syscall(SYS_rt_sigprocmask, SIG_SETMASK, &of_sanitizers, &mask, sizeof mask);
    pthread_barrier_wait(&barrier);
    while (!atomic_load(&may_go))
        sched_yield();
    syscall(SYS_rt_sigprocmask, SIG_SETMASK, &mask, NULL, sizeof mask);
    pthread_barrier_wait(&barrier);
    pthread_barrier_wait(&barrier); /* a thread that ends blocks signals again */
    return NULL;
}

/* The runtime's, between two looks at the threads (linked with --wrap). */
int __wrap_nanosleep(const struct timespec *pause, struct timespec *rest);

int __wrap_nanosleep(const struct timespec *pause, struct timespec *rest)
{
    (void)pause;
    (void)rest;
    if (atomic_fetch_add(&looks, 1) == 3 && goes) {
        atomic_store(&may_go, true);
        pthread_barrier_wait(&barrier);
    }
    return 0;
}

/* A thread that may only be starting gets the time to; one that stays like that blocks. */
static void check_starting(bool is_starting)
{
    pthread_t thread;
    atomic_store(&may_go, false);
    atomic_store(&looks, 0);
    goes = is_starting;
    pthread_create(&thread, NULL, start_slowly, NULL);
    pthread_barrier_wait(&barrier);
    int id = sdt_enable("fixture:call", SDT_COUNT, NULL);
    if (!atomic_exchange(&may_go, true))
        pthread_barrier_wait(&barrier);
    pthread_barrier_wait(&barrier);
    if (is_starting)
        CHECK(id > 0 && atomic_load(&looks) == 4 && sdt_disable(id) == 0);
    else
        CHECK(id == -EBUSY && atomic_load(&looks) > 4);
    join(thread);
}

/* By the C library's functions: what the program has set it reads back, and gets what is its own;
 * the library's handler stays. */
static volatile int signalled;

static void on_signal(int number)
{
    signalled += number == SIGTRAP;
}

static void check_functions(void)
{
    struct sigaction now;
    int id = sdt_enable("fixture:call", SDT_COUNT, NULL);
    uint64_t before = sdt_hits("fixture:call");
    CHECK(signal(SIGTRAP, on_signal) == SIG_DFL);
    hit();
    raise(SIGTRAP);
    CHECK_EQUAL(signalled, 1);
    CHECK(sigaction(SIGTRAP, NULL, &now) == 0 && now.sa_handler == on_signal &&
          (now.sa_flags & SA_RESTART));
    CHECK(sysv_signal(SIGTRAP, on_signal) == on_signal);
    raise(SIGTRAP); /* once only */
    CHECK(signalled == 2 && signal(SIGTRAP, SIG_IGN) == SIG_DFL);
    hit();
    raise(SIGTRAP);
    CHECK(signalled == 2 && sigignore(SIGTRAP) == 0 && sigset(SIGTRAP, SIG_DFL) == SIG_IGN);
    hit();
    CHECK_EQUAL(sdt_hits("fixture:call") - before, 3);
    CHECK(siginterrupt(SIGUSR2, 1) == 0 && signal(SIGUSR2, on_signal) == SIG_DFL);
    CHECK(sigaction(SIGUSR2, NULL, &now) == 0 && !(now.sa_flags & SA_RESTART));
    CHECK(siginterrupt(SIGUSR2, 0) == 0 && sigaction(SIGUSR2, NULL, &now) == 0 &&
          (now.sa_flags & SA_RESTART));
    CHECK(signal(SIGUSR2, SIG_DFL) == on_signal && signal(NSIG, SIG_DFL) == SIG_ERR);
    CHECK_EQUAL(sdt_disable(id), 0);
    CHECK(__sigaction(SIGTRAP, NULL, &now) == 0 && now.sa_handler == SIG_DFL);
}

int main(void)
{
    check_foreign_before();
    check_foreign_after();
    check_chained_after();
    check_masks();
    check_ignored();
    check_default(0);
    check_default(1);
    check_blocked();
    check_starting(true);
    check_starting(false);
    check_single_steps();
    check_trap_without_breakpoint();
    check_functions();
    /* For check_late_trap(): with a second thread, SIGTRAP is not given back. */
    pthread_t thread;
    pthread_create(&thread, NULL, stay, NULL);
    CHECK(sdt_enable("fixture:call", SDT_COUNT, NULL) > 0);
    return fixture_done();
}
