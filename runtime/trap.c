/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See trap.h. The signal handler decides nothing about probes: it asks the resolver, changes the
 * interrupted registers and returns, so that users' handlers run in normal context afterwards and
 * may take locks and allocate. It must never return without having set the program counter: the
 * thread would go on one byte into an instruction.
 *
 * SA_ONSTACK: a thread may have trapped because its stack is nearly full. SA_NODEFER: users'
 * handlers may be entered while a previous owner's handler, which we called, still runs.
 * SA_RESTART: a trap interrupts no system call, but raise(SIGTRAP) by others does.
 *
 * Giving SIGTRAP back is only safe when no other thread can be between its breakpoint and its
 * signal. The kernel does not say so (a thread may be preempted right there, even after
 * membarrier), so it is done in a process that has one thread; otherwise our handler stays and
 * passes on what is not ours, which by then is everything.
 */
#define _GNU_SOURCE
#include "trap.h"

#include "sync.h"

#include <arch/context_x86_64.h>
#include <dirent.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

static trap_resolver *resolver;
static bool taken;
/* Who had SIGTRAP before us. Written before our handler is installed on top of it. */
static struct sigaction previous;
static struct sigaction earliest; /* the same, when we took it first */

/* End the process as this trap would have ended it without us. BREAKPOINT: an int3's, or 0. */
static void die_of_it(uintptr_t breakpoint, ucontext_t *context)
{
    struct sigaction action = {.sa_handler = SIG_DFL};
    sigset_t set;
    sigemptyset(&action.sa_mask);
    sigaction(SIGTRAP, &action, NULL);
    if (breakpoint) { /* execute it once more */
        context_resume(context, breakpoint);
        return;
    }
    sigemptyset(&set);
    sigaddset(&set, SIGTRAP);
    pthread_sigmask(SIG_UNBLOCK, &set, NULL);
    raise(SIGTRAP);
}

/* The trap that this thread is passing on now. */
static __thread const void *passing __attribute__((tls_model("initial-exec")));

/*
 * Do what the kernel would have done if the previous owner still had the signal. That owner may
 * have come after us and know us as *its* previous owner, from before we took the signal again: a
 * trap that comes back this way goes to whoever had it before us all.
 */
static void pass_on(int number, siginfo_t *info, void *context, uintptr_t breakpoint)
{
    struct sigaction action = passing == context ? earliest : previous;
    bool is_forced = info->si_code > 0; /* by the CPU: the kernel lets nobody ignore that */
    if (!(action.sa_flags & SA_SIGINFO) && action.sa_handler == SIG_IGN && !is_forced)
        return;
    if (!(action.sa_flags & SA_SIGINFO) &&
        (action.sa_handler == SIG_DFL || action.sa_handler == SIG_IGN)) {
        die_of_it(breakpoint, context);
        return;
    }
    if (action.sa_flags & (int)SA_RESETHAND) {
        previous.sa_flags = 0;
        previous.sa_handler = SIG_DFL;
    }
    sigset_t mask;
    const void *outer = passing;
    passing = context;
    if (!(action.sa_flags & SA_NODEFER))
        sigaddset(&action.sa_mask, number);
    pthread_sigmask(SIG_BLOCK, &action.sa_mask, &mask);
    if (action.sa_flags & SA_SIGINFO)
        action.sa_sigaction(number, info, context);
    else
        action.sa_handler(number);
    pthread_sigmask(SIG_SETMASK, &mask, NULL);
    passing = outer;
}

static void on_trap(int number, siginfo_t *info, void *data)
{
    int saved = errno;
    ucontext_t *context = data;
    struct trap_answer answer = {.verdict = TRAP_FOREIGN};
    /* Not single steps, watchpoints, performance counters: those stop a thread anywhere. */
    if (info->si_code == SI_KERNEL || info->si_code == TRAP_BRKPT) {
        struct reader *reader = sync_enter();
        answer = resolver(context_trap_address(context));
        sync_leave(reader);
    }
    switch (answer.verdict) {
    case TRAP_CALL:
        context_call(context, answer.stub, answer.patch, answer.resume);
        break;
    case TRAP_ENTER:
        context_enter(context, answer.stub, answer.patch);
        break;
    case TRAP_RESUME:
        context_resume(context, answer.resume);
        break;
    case TRAP_RETURN:
        context_return(context, answer.stub);
        break;
    case TRAP_FOREIGN:
        errno = saved; /* the previous owner may longjmp */
        pass_on(number, info, data, answer.resume);
        break;
    }
    errno = saved;
}

static bool is_ours(const struct sigaction *action)
{
    return (action->sa_flags & SA_SIGINFO) && action->sa_sigaction == on_trap;
}

/* What a thread's signal mask says. */
enum blocking { BLOCKS_NOT, BLOCKS_FOR_A_MOMENT, BLOCKS };

#define BIT(number) (1ull << ((number)-1))
/* Signals of the C library's own; programs cannot block them: sigprocmask() leaves them out. */
#define INTERNAL (BIT(32) | BIT(33))

/*
 * The C library blocks its own signals, too, for a moment: both when it starts a thread or runs a
 * program, and one of them when a thread ends (nptl/pthread_create.c of glibc). That thread is not
 * running anybody's probes then.
 */
static enum blocking classify(unsigned long long mask)
{
    if (mask & INTERNAL)
        return BLOCKS_FOR_A_MOMENT;
    return mask & BIT(SIGTRAP) ? BLOCKS : BLOCKS_NOT;
}

static enum blocking blocking_of(const char *task)
{
    char line[256], path[64];
    enum blocking blocking = BLOCKS_NOT;
    snprintf(path, sizeof path, "/proc/self/task/%.20s/status", task);
    FILE *status = fopen(path, "re");
    while (status && fgets(line, sizeof line, status))
        if (strncmp(line, "SigBlk:", 7) == 0)
            blocking = classify(strtoull(line + 7, NULL, 16));
    if (status)
        fclose(status);
    return blocking;
}

/* The worst of all threads. */
static enum blocking look_at_threads(void)
{
    enum blocking worst = BLOCKS_NOT;
    DIR *tasks = opendir("/proc/self/task");
    for (struct dirent *entry; tasks && worst != BLOCKS && (entry = readdir(tasks));) {
        enum blocking one = entry->d_name[0] == '.' ? BLOCKS_NOT : blocking_of(entry->d_name);
        if (one > worst)
            worst = one;
    }
    if (tasks)
        closedir(tasks);
    return worst;
}

/* Look until all masks are real ones; after some milliseconds, a mask of the library's will do. */
static bool is_blocked_somewhere(void)
{
    sigset_t mask;
    const struct timespec pause = {.tv_nsec = 100000};
    if (pthread_sigmask(SIG_SETMASK, NULL, &mask) == 0 && sigismember(&mask, SIGTRAP))
        return true;
    enum blocking seen = look_at_threads();
    for (int i = 0; i < 50 && seen == BLOCKS_FOR_A_MOMENT; i++) {
        nanosleep(&pause, NULL);
        seen = look_at_threads();
    }
    return seen == BLOCKS;
}

int trap_acquire(trap_resolver *resolve)
{
    struct sigaction action = {.sa_sigaction = on_trap,
                               .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER | SA_RESTART};
    struct sigaction now;
    sigemptyset(&action.sa_mask);
    if (is_blocked_somewhere())
        return -EBUSY;
    if (sigaction(SIGTRAP, NULL, &now) != 0)
        return -errno;
    resolver = resolve;
    if (!is_ours(&now)) {
        previous = now;
        if (!taken)
            earliest = now;
        if (sigaction(SIGTRAP, &action, NULL) != 0)
            return -errno;
    }
    taken = true;
    return 0;
}

/* /proc/self/task has one link for each thread, beside its own two. */
bool trap_has_one_thread(void)
{
    struct stat tasks;
    return stat("/proc/self/task", &tasks) == 0 && tasks.st_nlink == 3;
}

void trap_release(void)
{
    struct sigaction now;
    if (!taken || !trap_has_one_thread() || sigaction(SIGTRAP, NULL, &now) != 0)
        return;
    if (!is_ours(&now))
        return; /* the new owner may know us as its previous one: `earliest` is still needed */
    sigaction(SIGTRAP, &previous, NULL);
    taken = false;
}

bool trap_forbids_calls(void)
{
    return context_has_shadow_stack();
}
