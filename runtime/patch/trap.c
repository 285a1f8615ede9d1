/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See trap.h. The signal handler decides nothing about probes: it asks the resolver, changes the
 * interrupted registers and returns, so that users' handlers run in normal context afterwards and
 * may take locks and allocate. It must never return without setting the program counter: the thread
 * would continue one byte into an instruction.
 *
 * Giving SIGTRAP back is only safe when no other thread can be between its breakpoint and its
 * signal. The kernel cannot tell (a thread may be preempted right there, even after membarrier), so
 * this is done only in a process with one thread; otherwise our handler stays and passes on all
 * traps that are not ours.
 */
#define _GNU_SOURCE
#include "trap.h"

#include "hit/sync.h"
#include "process/chain.h"
#include "sigtrap.h"

#include <dirent.h>
#include <errno.h>
#include <machine/context.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

static trap_resolver *resolver;
static void on_trap(int number, siginfo_t *info, void *data);
static void die_of_it(siginfo_t *info, ucontext_t *context);
static struct chain chain = {.number = SIGTRAP, .handler = on_trap, .die = die_of_it};

/* The int3 that this thread ran into and that is not ours, or 0. */
static __thread uintptr_t foreign __attribute__((tls_model("initial-exec")));

/* End the process as this trap would have ended it without us. */
static void die_of_it(siginfo_t *info, ucontext_t *context)
{
    (void)info;
    if (!foreign) {
        chain_raise(SIGTRAP);
        return;
    }
    struct sigaction action = {.sa_handler = SIG_DFL};
    sigemptyset(&action.sa_mask);
    sigaction(SIGTRAP, &action, NULL);
    context_resume(context, foreign); /* execute it once more */
}

static void on_trap(int number, siginfo_t *info, void *data)
{
    (void)number;
    int saved = errno;
    ucontext_t *context = data;
    struct trap_answer answer = {.verdict = TRAP_FOREIGN};
    /* Not single steps, watchpoints, performance counters: those stop a thread anywhere. */
    if (info->si_code == SI_KERNEL || info->si_code == TRAP_BRKPT) {
        if (context_leave(context))
            return;
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
    case TRAP_LINK:
        context_link(context, answer.resume);
        context_resume(context, answer.stub);
        break;
    case TRAP_RETURN:
        context_return(context, answer.stub);
        break;
    case TRAP_FOREIGN:
        errno = saved; /* the previous owner may longjmp */
        foreign = answer.resume;
        chain_pass_on(&chain, info, data);
        break;
    }
    errno = saved;
}

/* What a thread's signal mask says. */
enum blocking { BLOCKS_NOT, BLOCKS_FOR_A_MOMENT, BLOCKS_PERHAPS, BLOCKS };

#define BIT(number) (1ull << ((number)-1))
/* Signals of the C library's own; programs cannot block them: sigprocmask() leaves them out. */
#define INTERNAL (BIT(32) | BIT(33))
/* Every signal that can be blocked but those and SIGSYS. */
#define OF_SANITIZERS (~(INTERNAL | BIT(SIGSYS) | BIT(SIGKILL) | BIT(SIGSTOP)))

/*
 * The C library also blocks its own signals for a moment: both when it starts a thread or runs a
 * program, and one of them when a thread ends (nptl/pthread_create.c of glibc). That thread is not
 * running anybody's probes then.
 *
 * Under gcc 14's AddressSanitizer a thread starts with a mask without those two, which a program
 * could have set as well: it gets the time to go, and if it stays, it is the program's.
 */
static enum blocking classify(unsigned long long mask)
{
    if (mask & INTERNAL)
        return BLOCKS_FOR_A_MOMENT;
    if (mask == OF_SANITIZERS)
        return BLOCKS_PERHAPS;
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

/* The same, when a mask that may be the library's has had time to go: a mask that it sets for a
 * moment will do after some milliseconds, but one that may be the program's as well must go, and a
 * thread that has to wait for a processor keeps it. */
static enum blocking settled(const char *task)
{
    enum { MOMENT = 50, LONGER = 1000 }; /* looks */
    const struct timespec pause = {.tv_nsec = 100000};
    enum blocking seen = blocking_of(task);
    for (int i = 0;
         (seen == BLOCKS_FOR_A_MOMENT && i < MOMENT) || (seen == BLOCKS_PERHAPS && i < LONGER);
         i++) {
        nanosleep(&pause, NULL);
        seen = blocking_of(task);
    }
    return seen;
}

/* Whether SIGTRAP is blocked in any thread. Each is waited for by itself: where threads come and go
 * all the time, there is always another one that has just started. */
static bool is_blocked_somewhere(void)
{
    sigset_t mask;
    if (pthread_sigmask(SIG_SETMASK, NULL, &mask) == 0 && sigismember(&mask, SIGTRAP))
        return true;
    bool is_blocked = false;
    DIR *tasks = opendir("/proc/self/task");
    for (struct dirent *entry; tasks && !is_blocked && (entry = readdir(tasks));)
        is_blocked = entry->d_name[0] != '.' && settled(entry->d_name) >= BLOCKS_PERHAPS;
    if (tasks)
        closedir(tasks);
    return is_blocked;
}

int trap_acquire(trap_resolver *resolve)
{
    if (is_blocked_somewhere())
        return -EBUSY;
    resolver = resolve;
    return chain_take(&chain);
}

/* /proc/self/task has one link for each thread, beside its own two. */
bool trap_has_one_thread(void)
{
    struct stat tasks;
    return stat("/proc/self/task", &tasks) == 0 && tasks.st_nlink == 3;
}

void trap_release(void)
{
    if (chain.taken && trap_has_one_thread())
        chain_give_back(&chain);
}

/* Not locked: a program that changes the action in two threads at once gets either. */
__attribute__((visibility("default"))) bool __sdt_sigtrap(const struct sigaction *action,
                                                          struct sigaction *old)
{
    if (!chain_is_ours(&chain))
        return false;
    struct sigaction before = chain.previous;
    if (action)
        chain.previous = *action;
    if (old)
        *old = before;
    return true;
}

bool trap_forbids_calls(void)
{
    return context_has_shadow_stack();
}
