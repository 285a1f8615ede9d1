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

#include <errno.h>
#include <machine/context.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

static trap_resolver *resolver;
static void on_trap(int number, siginfo_t *info, void *data);
static void die_of_it(siginfo_t *info, ucontext_t *context);
static bool keeps_for_good;
static bool has_unmasked;  /* the program's actions, since keeps was last false */
static atomic_int process; /* whose actions these are; not a child of vfork(2) */
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
    chain_sigaction(SIGTRAP, &action, NULL);
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
        answer = resolver(context_pc(context) - CONTEXT_TRAP);
        sync_leave(reader);
    }
    switch (answer.verdict) {
    case TRAP_CALL:
        context_link(context, answer.resume);
        context_enter(context, answer.stub, answer.patch);
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
        context_resume(context, answer.stub + CONTEXT_STUB_RETURN);
        break;
    case TRAP_FOREIGN:
        errno = saved; /* the previous owner may longjmp */
        foreign = answer.resume;
        chain_pass_on(&chain, info, data);
        break;
    }
    errno = saved;
}

/* ---- What keeps SIGTRAP deliverable. ---- */

/*
 * The program's actions, installed before SIGTRAP had to stay unblocked: take it out of their
 * masks. Functions that change an action meanwhile do it once more (start/signals.c).
 *
 * By system calls: our own pthread_sigmask() would unblock SIGTRAP in this thread, if the program
 * blocks it, which is to be found out.
 */
static void unmask_actions(void)
{
    const uint64_t all = UINT64_MAX;
    uint64_t old = 0;
    struct sigaction action;
    syscall(SYS_rt_sigprocmask, SIG_SETMASK, &all, &old, sizeof old);
    atomic_fetch_add(&trap_keeper.round, 1);
    for (int number = 1; number < NSIG; number++)
        if (number != SIGTRAP && chain_sigaction(number, NULL, &action) == 0 &&
            sigismember(&action.sa_mask, SIGTRAP) == 1 && action.sa_handler != SIG_DFL &&
            action.sa_handler != SIG_IGN) {
            sigdelset(&action.sa_mask, SIGTRAP);
            chain_sigaction(number, &action, NULL);
        }
    atomic_fetch_add(&trap_keeper.round, 1);
    syscall(SYS_rt_sigprocmask, SIG_SETMASK, &old, NULL, sizeof old);
}

void trap_know_process(void)
{
    atomic_store(&process, (int)getpid());
}

static void keep(void)
{
    trap_know_process();
    atomic_store(&trap_keeper.keeps, true);
}

/* The same, and the actions from before. That takes 65 system calls, so it is left to the first
 * breakpoint: most processes that a tool may attach to never have one. */
static void keep_all(void)
{
    keep();
    if (!has_unmasked)
        unmask_actions();
    has_unmasked = true;
}

/* Nothing is armed by breakpoint. */
static void keep_no_more(void)
{
    if (keeps_for_good)
        return;
    atomic_store(&trap_keeper.keeps, false);
    has_unmasked = false;
}

void trap_keep_for_good(void)
{
    keeps_for_good = true;
    keep();
}

void trap_unblock(void)
{
    sigset_t set, pending;
    sigemptyset(&set);
    sigaddset(&set, SIGTRAP);
    if (sigpending(&pending) == 0 && !sigismember(&pending, SIGTRAP))
        pthread_sigmask(SIG_UNBLOCK, &set, NULL);
}

static bool is_handler(const struct sigaction *action)
{
    return (action->sa_flags & SA_SIGINFO) ||
           (action->sa_handler != SIG_DFL && action->sa_handler != SIG_IGN);
}

/*
 * Not locked: a program that changes the action in two threads at once gets either. A child of
 * vfork(2) that resets its actions, as it should before it executes another program, has them for
 * itself, but our memory is its parent's.
 */
static bool act(const struct sigaction *action, struct sigaction *old)
{
    if (!chain_is_ours(&chain))
        return false;
    struct sigaction before = chain.previous;
    if (action && (is_handler(action) || atomic_load(&process) == (int)getpid()))
        chain.previous = *action;
    if (old)
        *old = before;
    return true;
}

struct trap_keeper trap_keeper = {.act = act};

/* ---- Taking it, and giving it back. ---- */

int trap_acquire(trap_resolver *resolve, bool is_careful)
{
    if (is_careful && !atomic_load(&trap_keeper.watched))
        return -ENOLINK;
    keep_all();
    if (trap_is_blocked()) {
        if (!chain.taken)
            keep_no_more();
        return -EBUSY;
    }
    resolver = resolve;
    return chain_take(&chain);
}

void trap_release(void)
{
    if (!chain.taken || !trap_has_one_thread())
        return;
    chain_give_back(&chain);
    if (!chain.taken)
        keep_no_more();
}

bool trap_forbids_calls(void)
{
    return context_has_shadow_stack();
}
