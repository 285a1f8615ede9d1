/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * SIGTRAP stays deliverable: functions of the C library that this library interposes.
 *
 * The kernel ends a process that executes a breakpoint while it blocks SIGTRAP, or while the action
 * of SIGTRAP is the default one. Programs block all signals in their threads and handlers
 * (sigfillset) and reset all actions without meaning this signal. So from the moment on when a
 * breakpoint may be set (trap_keeper.keeps):
 *
 *     what blocks signals     SIGTRAP stays unblocked; the rest is as asked for
 *     sigaction, signal, …    of SIGTRAP, once we have it: the program's action is that of the
 *                             traps that are not ours; it reads back what it has set
 *
 * Until then they do what the C library's do. A function that blocked SIGTRAP meanwhile, or whose
 * return makes it blocked again, checks once more at its end.
 *
 * They are weak: a program that defines one of them keeps its own, and a sanitizer that is linked
 * statically has the first word. What they call next is what comes after this library: another
 * sanitizer, or the C library. In a static program there is nothing to look for it with; there they
 * make the system call, which is what the C library does.
 *
 * Calls inside the C library (it blocks all signals while it starts a thread), system calls that
 * programs make themselves, and masks in a ucontext_t are not seen.
 */
#define _GNU_SOURCE
#include "signals.h"

#include "copies.h"
#include "leader.h"
#include "patch/trap.h"
#include "process/chain.h"
#include "process/environment.h"

#include <dlfcn.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/syscall.h>
#include <unistd.h>

#pragma weak dlsym

/* NOLINTBEGIN(readability-inconsistent-declaration-parameter-name) */

#define EXPORT __attribute__((visibility("default"), weak))
enum { KERNEL_SIZE = 8 }; /* of a mask */

/* ---- Who comes next. ---- */

/* The functions after this library's; NULL: there is none, or no way to find it. */
static struct {
    int (*sigaction)(int, const struct sigaction *, struct sigaction *);
    int (*sigprocmask)(int, const sigset_t *, sigset_t *);
    int (*pthread_sigmask)(int, const sigset_t *, sigset_t *);
    int (*sigsuspend)(const sigset_t *);
    int (*ppoll)(struct pollfd *, nfds_t, const struct timespec *, const sigset_t *);
    int (*ppoll_chk)(struct pollfd *, nfds_t, const struct timespec *, const sigset_t *, size_t);
    int (*pselect)(int, fd_set *, fd_set *, fd_set *, const struct timespec *, const sigset_t *);
    int (*epoll_pwait)(int, struct epoll_event *, int, int, const sigset_t *);
    int (*epoll_pwait2)(int, struct epoll_event *, int, const struct timespec *, const sigset_t *);
} next;

#define FIND(name, symbol) (*(void **)&next.name = dlsym(RTLD_NEXT, symbol))

/* Looked for at the first call of any of them, which is not in a handler: that is installed by one.
 */
static void find_next(void)
{
    static atomic_bool is_done;
    if (atomic_load_explicit(&is_done, memory_order_acquire) || !dlsym)
        return;
    FIND(sigaction, "sigaction");
    FIND(sigprocmask, "sigprocmask");
    FIND(pthread_sigmask, "pthread_sigmask");
    FIND(sigsuspend, "sigsuspend");
    FIND(ppoll, "ppoll");
    FIND(ppoll_chk, "__ppoll_chk");
    FIND(pselect, "pselect");
    FIND(epoll_pwait, "epoll_pwait");
    FIND(epoll_pwait2, "epoll_pwait2");
    atomic_store_explicit(&is_done, true, memory_order_release);
}

/* A system call that waits, in a static program. Cancellation ends it, as it ends the C library's.
 */
#define WAIT(...)                                                                                  \
    ({                                                                                             \
        int type_;                                                                                 \
        pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, &type_);                                \
        long result_ = syscall(__VA_ARGS__);                                                       \
        pthread_setcanceltype(type_, NULL);                                                        \
        (int)result_;                                                                              \
    })

/* ---- What is to be kept. ---- */

/* That of the copy in charge; NULL: there is none yet. */
static struct trap_keeper *keeper(void)
{
    const struct copy *leader =
        atomic_load_explicit(&sdt_rendezvous_copy.leader, memory_order_acquire);
    return leader && leader->version == COPY_VERSION ? leader->functions->trap_keeper : NULL;
}

/* Before there is a copy in charge, what the environment says that it will do. */
static bool keeps_trap(void)
{
    const struct trap_keeper *known = keeper();
    return known ? atomic_load(&known->keeps) : environment_may_arm();
}

/* Unblock SIGTRAP: it may have been blocked before that was forbidden. */
static void unblock_trap(void)
{
    sigset_t set;
    int saved = errno;
    sigemptyset(&set);
    sigaddset(&set, SIGTRAP);
    if (next.sigprocmask)
        next.sigprocmask(SIG_UNBLOCK, &set, NULL);
    else
        syscall(SYS_rt_sigprocmask, SIG_UNBLOCK, &set, NULL, KERNEL_SIZE);
    errno = saved;
}

/* Of one call that changes a mask, for its time or for good. */
struct change {
    const sigset_t *set; /* to be blocked */
    bool kept;
    sigset_t copy;
};

static void begin(struct change *change, const sigset_t *set)
{
    find_next();
    change->kept = keeps_trap();
    change->set = set;
    if (!set || !change->kept)
        return;
    change->copy = *set;
    sigdelset(&change->copy, SIGTRAP);
    change->set = &change->copy;
}

static int end(const struct change *change, int result)
{
    if (!change->kept && keeps_trap())
        unblock_trap();
    return result;
}

/* ---- What blocks signals. ---- */

/* The C library's own signals are not the program's to block. */
static int mask_by_kernel(int how, const sigset_t *set, sigset_t *old)
{
    unsigned long long mask;
    if (!set)
        return (int)syscall(SYS_rt_sigprocmask, how, NULL, old, KERNEL_SIZE);
    memcpy(&mask, set, sizeof mask);
    mask &= ~(3ull << 31); /* SIGCANCEL, SIGSETXID */
    return (int)syscall(SYS_rt_sigprocmask, how, &mask, old, KERNEL_SIZE);
}

EXPORT int sigprocmask(int how, const sigset_t *set, sigset_t *old)
{
    struct change change;
    begin(&change, how == SIG_UNBLOCK ? NULL : set);
    const sigset_t *asked = how == SIG_UNBLOCK ? set : change.set;
    return end(&change, next.sigprocmask ? next.sigprocmask(how, asked, old)
                                         : mask_by_kernel(how, asked, old));
}

int signals_mask(int how, const sigset_t *set, sigset_t *old)
{
    struct change change;
    int saved = errno;
    begin(&change, how == SIG_UNBLOCK ? NULL : set);
    const sigset_t *asked = how == SIG_UNBLOCK ? set : change.set;
    int error = next.pthread_sigmask                   ? next.pthread_sigmask(how, asked, old)
                : mask_by_kernel(how, asked, old) != 0 ? errno
                                                       : 0;
    errno = saved;
    return end(&change, error);
}

EXPORT int pthread_sigmask(int how, const sigset_t *set, sigset_t *old)
    __attribute__((alias("signals_mask")));

EXPORT int sigsuspend(const sigset_t *set)
{
    struct change change;
    begin(&change, set);
    return end(&change, next.sigsuspend ? next.sigsuspend(change.set)
                                        : WAIT(SYS_rt_sigsuspend, change.set, KERNEL_SIZE));
}

/* The kernel changes TIMEOUT. */
static int ppoll_by_kernel(struct pollfd *fds, nfds_t n, const struct timespec *timeout,
                           const sigset_t *set)
{
    struct timespec left = timeout ? *timeout : (struct timespec){0};
    return WAIT(SYS_ppoll, fds, n, timeout ? &left : NULL, set, KERNEL_SIZE);
}

EXPORT int ppoll(struct pollfd *fds, nfds_t n, const struct timespec *timeout, const sigset_t *set)
{
    struct change change;
    begin(&change, set);
    return end(&change, next.ppoll ? next.ppoll(fds, n, timeout, change.set)
                                   : ppoll_by_kernel(fds, n, timeout, change.set));
}

/* What _FORTIFY_SOURCE makes of it. */
int __ppoll_chk(struct pollfd *fds, nfds_t n, const struct timespec *timeout, const sigset_t *set,
                size_t size);

EXPORT int __ppoll_chk(struct pollfd *fds, nfds_t n, const struct timespec *timeout,
                       const sigset_t *set, size_t size)
{
    struct change change;
    begin(&change, set);
    if (!next.ppoll_chk && size / sizeof *fds < n)
        __builtin_trap();
    return end(&change, next.ppoll_chk ? next.ppoll_chk(fds, n, timeout, change.set, size)
                                       : ppoll_by_kernel(fds, n, timeout, change.set));
}

static int pselect_by_kernel(int n, fd_set *in, fd_set *out, fd_set *except,
                             const struct timespec *timeout, const sigset_t *set)
{
    struct timespec left = timeout ? *timeout : (struct timespec){0};
    struct {
        const sigset_t *set;
        size_t size;
    } mask = {set, KERNEL_SIZE};
    return WAIT(SYS_pselect6, n, in, out, except, timeout ? &left : NULL, &mask);
}

EXPORT int pselect(int n, fd_set *in, fd_set *out, fd_set *except, const struct timespec *timeout,
                   const sigset_t *set)
{
    struct change change;
    begin(&change, set);
    return end(&change, next.pselect ? next.pselect(n, in, out, except, timeout, change.set)
                                     : pselect_by_kernel(n, in, out, except, timeout, change.set));
}

EXPORT int epoll_pwait(int fd, struct epoll_event *events, int n, int timeout, const sigset_t *set)
{
    struct change change;
    begin(&change, set);
    return end(&change, next.epoll_pwait ? next.epoll_pwait(fd, events, n, timeout, change.set)
                                         : WAIT(SYS_epoll_pwait, fd, events, n, timeout, change.set,
                                                KERNEL_SIZE));
}

#ifndef SYS_epoll_pwait2
#define SYS_epoll_pwait2 441 /* on all machines */
#endif

#if !defined __GLIBC__ || (__GLIBC__ == 2 && __GLIBC_MINOR__ < 35)
int epoll_pwait2(int fd, struct epoll_event *events, int n, const struct timespec *timeout,
                 const sigset_t *set);
#endif

EXPORT int epoll_pwait2(int fd, struct epoll_event *events, int n, const struct timespec *timeout,
                        const sigset_t *set)
{
    struct change change;
    begin(&change, set);
    return end(&change, next.epoll_pwait2 ? next.epoll_pwait2(fd, events, n, timeout, change.set)
                                          : WAIT(SYS_epoll_pwait2, fd, events, n, timeout,
                                                 change.set, KERNEL_SIZE));
}

/* ---- The old interface. ---- */

/* Masks are words, of which bit N - 1 is signal N. */
static void set_of(int mask, sigset_t *set)
{
    sigemptyset(set);
    for (int i = 1; i <= 32; i++)
        if ((unsigned)mask & 1u << (i - 1))
            sigaddset(set, i);
}

static int mask_word(int how, int mask)
{
    sigset_t set, old;
    unsigned was = 0;
    set_of(mask, &set);
    sigprocmask(how, &set, &old);
    for (int i = 1; i <= 32; i++)
        was |= sigismember(&old, i) == 1 ? 1u << (i - 1) : 0;
    return (int)was;
}

EXPORT int sigblock(int mask)
{
    return mask_word(SIG_BLOCK, mask);
}

EXPORT int sigsetmask(int mask)
{
    return mask_word(SIG_SETMASK, mask);
}

static int mask_one(int how, int number, sigset_t *old)
{
    sigset_t set;
    if (sigemptyset(&set) != 0 || sigaddset(&set, number) != 0)
        return -1;
    return sigprocmask(how, &set, old);
}

EXPORT int sighold(int number)
{
    return mask_one(SIG_BLOCK, number, NULL);
}

/* ---- What changes actions. ---- */

/* Wait until the masks of actions are not being changed (trap_keep()): in which round. Not for
 * ever: after fork(2), the thread that changes them may not exist. */
static unsigned wait_for_round(const struct trap_keeper *known)
{
    enum { MOST = 1000 };
    unsigned round = atomic_load(&known->round);
    for (int i = 0; round % 2 && i < MOST; i++) {
        sched_yield();
        round = atomic_load(&known->round);
    }
    return round;
}

static int act_next(int number, const struct sigaction *action, struct sigaction *old)
{
    struct sigaction copy;
    if (action) {
        copy = *action;
        if (keeps_trap())
            sigdelset(&copy.sa_mask, SIGTRAP);
        action = &copy;
    }
    return next.sigaction ? next.sigaction(number, action, old)
                          : chain_sigaction(number, action, old);
}

EXPORT int sigaction(int number, const struct sigaction *action, struct sigaction *old)
{
    const struct trap_keeper *known = keeper();
    find_next();
    if (number == SIGTRAP && known && known->act(action, old))
        return 0;
    if (!action || !known)
        return act_next(number, action, old);
    unsigned round = wait_for_round(known);
    int result = act_next(number, action, old);
    while (result == 0 && atomic_load(&known->round) != round) { /* ours may have been lost */
        round = wait_for_round(known);
        result = act_next(number, action, NULL);
    }
    return result;
}

/* Signals that siginterrupt() has made interrupt system calls. */
static sigset_t interrupting;

EXPORT int siginterrupt(int number, int flag)
{
    struct sigaction action;
    if (sigaction(number, NULL, &action) != 0)
        return -1;
    if (flag)
        sigaddset(&interrupting, number);
    else
        sigdelset(&interrupting, number);
    action.sa_flags = flag ? action.sa_flags & ~SA_RESTART : action.sa_flags | SA_RESTART;
    return sigaction(number, &action, NULL);
}

static sighandler_t handle(int number, sighandler_t handler, int flags)
{
    struct sigaction action = {.sa_flags = flags}, old;
    action.sa_handler = handler;
    sigemptyset(&action.sa_mask);
    if (handler == SIG_ERR) {
        errno = EINVAL;
        return SIG_ERR;
    }
    if (!(flags & SA_NODEFER) && sigaddset(&action.sa_mask, number) != 0)
        return SIG_ERR;
    return sigaction(number, &action, &old) == 0 ? old.sa_handler : SIG_ERR;
}

EXPORT sighandler_t signal(int number, sighandler_t handler)
{
    return handle(number, handler, sigismember(&interrupting, number) == 1 ? 0 : SA_RESTART);
}

/* No header declares them any more. */
sighandler_t bsd_signal(int number, sighandler_t handler);

EXPORT sighandler_t bsd_signal(int number, sighandler_t handler)
{
    return signal(number, handler);
}

EXPORT sighandler_t ssignal(int number, sighandler_t handler)
{
    return signal(number, handler);
}

EXPORT sighandler_t sysv_signal(int number, sighandler_t handler)
{
    return handle(number, handler, (int)(SA_RESETHAND | SA_NODEFER));
}

EXPORT sighandler_t __sysv_signal(int number, sighandler_t handler)
{
    return sysv_signal(number, handler);
}

EXPORT int sigignore(int number)
{
    struct sigaction action = {.sa_flags = 0};
    action.sa_handler = SIG_IGN;
    sigemptyset(&action.sa_mask);
    return sigaction(number, &action, NULL);
}

EXPORT sighandler_t sigset(int number, sighandler_t handler)
{
    struct sigaction action = {.sa_flags = 0}, before;
    sigset_t old;
    if (handler == SIG_ERR) {
        errno = EINVAL;
        return SIG_ERR;
    }
    action.sa_handler = handler;
    sigemptyset(&action.sa_mask);
    if (sigaction(number, handler == SIG_HOLD ? NULL : &action, &before) != 0 ||
        mask_one(handler == SIG_HOLD ? SIG_BLOCK : SIG_UNBLOCK, number, &old) != 0)
        return SIG_ERR;
    return sigismember(&old, number) == 1 ? SIG_HOLD : before.sa_handler;
}

/* NOLINTEND(readability-inconsistent-declaration-parameter-name) */
