/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * libsdt-stock.so, which `sdt run` preloads beside libsdt.so: it keeps SIGTRAP deliverable.
 *
 * A site of a stock binary is armed by a breakpoint. The kernel ends a process that executes one
 * while it blocks SIGTRAP, and a program that installs its own handler for SIGTRAP would get our
 * breakpoints. Programs block all signals in their threads and handlers (sigfillset) without
 * meaning this one. So these functions of the C library are interposed:
 *
 *     what blocks signals     SIGTRAP stays unblocked; the rest is as asked for
 *     sigaction, signal, …    of SIGTRAP, once libsdt has it: the program's action is that of the
 *                             traps that are not libsdt's; it reads back what it has set
 *
 * Calls inside the C library (it blocks all signals while it starts a thread) and direct system
 * calls of programs are not intercepted.
 */
#define _GNU_SOURCE
#include "patch/sigtrap.h"

#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <poll.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/select.h>

/* NOLINTBEGIN(readability-inconsistent-declaration-parameter-name) */

#define EXPORT __attribute__((visibility("default")))

/* The C library's own, found before main: signal handlers call these functions. */
static struct {
    int (*sigaction)(int, const struct sigaction *, struct sigaction *);
    int (*sigprocmask)(int, const sigset_t *, sigset_t *);
    int (*pthread_sigmask)(int, const sigset_t *, sigset_t *);
    int (*sigsuspend)(const sigset_t *);
    int (*ppoll)(struct pollfd *, nfds_t, const struct timespec *, const sigset_t *);
    int (*pselect)(int, fd_set *, fd_set *, fd_set *, const struct timespec *, const sigset_t *);
    int (*epoll_pwait)(int, struct epoll_event *, int, int, const sigset_t *);
    int (*epoll_pwait2)(int, struct epoll_event *, int, const struct timespec *, const sigset_t *);
    sighandler_t (*signal)(int, sighandler_t);
    sighandler_t (*sysv_signal)(int, sighandler_t);
} real;

static uintptr_t libsdt_low, libsdt_high;

static int visit(struct dl_phdr_info *object, size_t size, void *data)
{
    uintptr_t low = UINTPTR_MAX, high = 0, wanted = (uintptr_t)data;
    (void)size;
    for (unsigned i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &object->dlpi_phdr[i];
        uintptr_t begin = object->dlpi_addr + segment->p_vaddr, end = begin + segment->p_memsz;
        if (segment->p_type != PT_LOAD)
            continue;
        low = begin < low ? begin : low;
        high = end > high ? end : high;
    }
    if (wanted < low || wanted >= high)
        return 0;
    libsdt_low = low;
    libsdt_high = high;
    return 1;
}

#define FIND(name) (*(void **)&real.name = dlsym(RTLD_NEXT, #name))

__attribute__((constructor)) static void find_all(void)
{
    FIND(sigprocmask);
    FIND(pthread_sigmask);
    FIND(sigsuspend);
    FIND(ppoll);
    FIND(pselect);
    FIND(epoll_pwait);
    FIND(epoll_pwait2);
    FIND(signal);
    FIND(sysv_signal);
    dl_iterate_phdr(visit, (void *)__sdt_sigtrap);
    FIND(sigaction);
}

/* Constructors of others may run before ours. */
static void start(void)
{
    if (!real.sigaction)
        find_all();
}

/* ---- What blocks signals. ---- */

/* SET, or NULL, without SIGTRAP. */
static const sigset_t *without(const sigset_t *set, sigset_t *copy)
{
    if (!set)
        return NULL;
    *copy = *set;
    sigdelset(copy, SIGTRAP);
    return copy;
}

EXPORT int sigprocmask(int how, const sigset_t *set, sigset_t *old)
{
    sigset_t copy;
    start();
    return real.sigprocmask(how, how == SIG_UNBLOCK ? set : without(set, &copy), old);
}

EXPORT int pthread_sigmask(int how, const sigset_t *set, sigset_t *old)
{
    sigset_t copy;
    start();
    return real.pthread_sigmask(how, how == SIG_UNBLOCK ? set : without(set, &copy), old);
}

EXPORT int sigsuspend(const sigset_t *set)
{
    sigset_t copy;
    start();
    return real.sigsuspend(without(set, &copy));
}

EXPORT int ppoll(struct pollfd *fds, nfds_t n, const struct timespec *timeout, const sigset_t *set)
{
    sigset_t copy;
    start();
    return real.ppoll(fds, n, timeout, without(set, &copy));
}

EXPORT int pselect(int n, fd_set *in, fd_set *out, fd_set *except, const struct timespec *timeout,
                   const sigset_t *set)
{
    sigset_t copy;
    start();
    return real.pselect(n, in, out, except, timeout, without(set, &copy));
}

EXPORT int epoll_pwait(int fd, struct epoll_event *events, int n, int timeout, const sigset_t *set)
{
    sigset_t copy;
    start();
    return real.epoll_pwait(fd, events, n, timeout, without(set, &copy));
}

EXPORT int epoll_pwait2(int fd, struct epoll_event *events, int n, const struct timespec *timeout,
                        const sigset_t *set)
{
    sigset_t copy;
    start();
    if (real.epoll_pwait2)
        return real.epoll_pwait2(fd, events, n, timeout, without(set, &copy));
    errno = ENOSYS;
    return -1;
}

/* The old interface: masks are words, of which bit N - 1 is signal N. */
static int mask_word(int how, int mask)
{
    sigset_t set, old;
    unsigned was = 0;
    sigemptyset(&set);
    for (int i = 1; i <= 32; i++)
        if ((unsigned)mask & 1u << (i - 1))
            sigaddset(&set, i);
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

EXPORT int sighold(int number)
{
    sigset_t set;
    if (sigemptyset(&set) != 0 || sigaddset(&set, number) != 0)
        return -1;
    return sigprocmask(SIG_BLOCK, &set, NULL);
}

/* ---- What changes actions. ---- */

/* libsdt itself may change the action of SIGTRAP. (dladdr() would take the loader's lock, for which
 * libsdt must not wait.) */
static bool is_libsdt(const void *caller)
{
    return (uintptr_t)caller >= libsdt_low && (uintptr_t)caller < libsdt_high;
}

static int act(int number, const struct sigaction *action, struct sigaction *old,
               const void *caller)
{
    struct sigaction copy;
    start();
    if (number == SIGTRAP && !is_libsdt(caller) && __sdt_sigtrap(action, old))
        return 0;
    if (action) {
        copy = *action;
        sigdelset(&copy.sa_mask, SIGTRAP);
    }
    return real.sigaction(number, action ? &copy : NULL, old);
}

EXPORT int sigaction(int number, const struct sigaction *action, struct sigaction *old)
{
    return act(number, action, old, __builtin_return_address(0));
}

/* The C library's signal() and similar functions do not call the interposed sigaction(). */
static sighandler_t handle_trap(sighandler_t handler, int flags,
                                sighandler_t (*otherwise)(int, sighandler_t))
{
    struct sigaction action = {.sa_flags = flags}, old;
    action.sa_handler = handler;
    if (handler == SIG_ERR || !__sdt_sigtrap(&action, &old))
        return otherwise(SIGTRAP, handler);
    return old.sa_handler;
}

EXPORT sighandler_t signal(int number, sighandler_t handler)
{
    start();
    return number == SIGTRAP ? handle_trap(handler, SA_RESTART, real.signal)
                             : real.signal(number, handler);
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
    start();
    return number == SIGTRAP
               ? handle_trap(handler, (int)(SA_RESETHAND | SA_NODEFER), real.sysv_signal)
               : real.sysv_signal(number, handler);
}

EXPORT sighandler_t __sysv_signal(int number, sighandler_t handler)
{
    return sysv_signal(number, handler);
}

EXPORT int sigignore(int number)
{
    struct sigaction action = {.sa_flags = 0};
    action.sa_handler = SIG_IGN;
    return act(number, &action, NULL, NULL);
}

/* NOLINTEND(readability-inconsistent-declaration-parameter-name) */
