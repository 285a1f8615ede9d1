/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See chain.h. SA_ONSTACK: a thread may have got the signal because its stack is nearly full.
 * SA_NODEFER: users' handlers may be entered while a previous owner's handler, which we called,
 * still runs. SA_RESTART: a fault interrupts no system call, but a raise() by others does.
 *
 * sa_mask: an alternate stack has room for few of the kernel's frames, which have thousands of
 * bytes. If another signal came while our handler runs, and its handler hit a breakpoint, three
 * frames would lie there, of which the program knows one. So all others wait until ours has
 * returned, and its frame is gone. Only signals that an instruction may cause, or a system call
 * (SIGSYS), are not blocked: the kernel ends a process that blocks one when it is due.
 */
#define _GNU_SOURCE
#include "chain.h"

#include <errno.h>
#include <machine/context.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/*
 * What this thread is passing on now, and where on the stack that is. A handler may be left by
 * siglongjmp(), and the next signal of the thread be in the same place; only what is further down
 * the stack comes from the handler.
 */
static __thread struct passing {
    const void *context, *frame;
} passing __attribute__((tls_model("initial-exec")));

static int act_by_kernel(int number, const struct sigaction *action, struct sigaction *old)
{
    struct kernel_action new = {.handler = NULL}, before = {.handler = NULL};
    if (action) {
        new.handler = action->sa_sigaction;
        new.flags = (unsigned long)(unsigned)action->sa_flags;
        memcpy(&new.mask, &action->sa_mask, sizeof new.mask);
        context_return_by(&new);
    }
    if (syscall(SYS_rt_sigaction, number, action ? &new : NULL, &before, sizeof before.mask) != 0)
        return -1;
    if (old) {
        memset(old, 0, sizeof *old);
        old->sa_sigaction = before.handler;
        old->sa_flags = (int)before.flags;
        memcpy(&old->sa_mask, &before.mask, sizeof before.mask);
    }
    return 0;
}

int chain_sigaction(int number, const struct sigaction *action, struct sigaction *old)
{
    if (__sigaction)
        return __sigaction(number, action, old);
    if (number < 32 || number >= SIGRTMIN) /* those between are the C library's own */
        return act_by_kernel(number, action, old);
    errno = EINVAL;
    return -1;
}

static bool is_ours(const struct chain *chain, const struct sigaction *action)
{
    return (action->sa_flags & SA_SIGINFO) && action->sa_sigaction == chain->handler;
}

bool chain_is_ours(const struct chain *chain)
{
    struct sigaction now;
    return chain->taken && chain_sigaction(chain->number, NULL, &now) == 0 && is_ours(chain, &now);
}

static void fill_mask(sigset_t *mask)
{
    static const int synchronous[] = {SIGILL, SIGTRAP, SIGBUS, SIGFPE, SIGSEGV, SIGSYS};
    sigfillset(mask);
    for (size_t i = 0; i < sizeof synchronous / sizeof synchronous[0]; i++)
        sigdelset(mask, synchronous[i]);
}

int chain_take(struct chain *chain)
{
    struct sigaction action = {.sa_sigaction = chain->handler,
                               .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER | SA_RESTART};
    struct sigaction now;
    fill_mask(&action.sa_mask);
    if (chain_sigaction(chain->number, NULL, &now) != 0)
        return -errno;
    if (!is_ours(chain, &now)) {
        chain->previous = now;
        if (!chain->taken)
            chain->earliest = now;
        if (chain_sigaction(chain->number, &action, NULL) != 0)
            return -errno;
    }
    chain->taken = true;
    return 0;
}

void chain_give_back(struct chain *chain)
{
    if (!chain_is_ours(chain))
        return; /* the new owner may know us as its previous one: `earliest` is still needed */
    chain_sigaction(chain->number, &chain->previous, NULL);
    chain->taken = false;
}

void chain_raise(int number)
{
    struct sigaction action = {.sa_handler = SIG_DFL};
    sigset_t set;
    sigemptyset(&action.sa_mask);
    chain_sigaction(number, &action, NULL);
    sigemptyset(&set);
    sigaddset(&set, number);
    pthread_sigmask(SIG_UNBLOCK, &set, NULL);
    raise(number);
}

/*
 * The mask that the kernel would have set for ACTION: that of the interrupted code, and what the
 * action adds. It ends with our handler, whose return restores the former. Without SIGTRAP: there
 * may be breakpoints in the handlers of others.
 */
static void set_mask(const struct chain *chain, const struct sigaction *action,
                     const ucontext_t *context)
{
    enum { KERNEL_SIZE = 8 }; /* of a mask in the kernel's frame; glibc's sigset_t is larger */
    sigset_t mask, interrupted;
    sigemptyset(&interrupted);
    memcpy(&interrupted, &context->uc_sigmask, KERNEL_SIZE);
    sigorset(&mask, &interrupted, &action->sa_mask);
    if (!(action->sa_flags & SA_NODEFER))
        sigaddset(&mask, chain->number);
    sigdelset(&mask, SIGTRAP);
    pthread_sigmask(SIG_SETMASK, &mask, NULL);
}

/*
 * The previous owner may have come after us and know us as *its* previous owner, from before we
 * took the signal again: one that comes back this way goes to the first owner.
 */
void chain_pass_on(struct chain *chain, siginfo_t *info, ucontext_t *context)
{
    const struct passing here = {context, __builtin_frame_address(0)}, outer = passing;
    bool comes_back = outer.context == context && (uintptr_t)here.frame < (uintptr_t)outer.frame;
    struct sigaction action = comes_back ? chain->earliest : chain->previous;
    bool is_forced = info->si_code > 0; /* by the CPU: the kernel does not let it be ignored */
    if (!(action.sa_flags & SA_SIGINFO) && action.sa_handler == SIG_IGN && !is_forced)
        return;
    if (!(action.sa_flags & SA_SIGINFO) &&
        (action.sa_handler == SIG_DFL || action.sa_handler == SIG_IGN)) {
        chain->die(info, context);
        return;
    }
    if (action.sa_flags & (int)SA_RESETHAND) {
        chain->previous.sa_flags = 0;
        chain->previous.sa_handler = SIG_DFL;
    }
    passing = here;
    set_mask(chain, &action, context);
    if (action.sa_flags & SA_SIGINFO)
        action.sa_sigaction(chain->number, info, context);
    else
        action.sa_handler(chain->number);
    passing = outer;
}
