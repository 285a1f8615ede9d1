/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Signals are blocked and read from a descriptor, beside the pipes of the linker's output: no
 * handler, so nothing can be interrupted halfway. A signal that was ignored when we were started
 * (nohup) stays ignored.
 */
#include "supervise.h"

#include "base/diag.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

static int descriptor = -1;
static sigset_t before;
static struct sigaction before_pipe, before_child;

int supervise_begin(void)
{
    static const int deadly[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
    sigset_t set;
    struct sigaction action;
    if (descriptor >= 0)
        return 0;
    sigemptyset(&set);
    sigaddset(&set, SIGCHLD);
    for (size_t i = 0; i < sizeof deadly / sizeof *deadly; i++)
        if (sigaction(deadly[i], NULL, &action) == 0 && action.sa_handler != SIG_IGN)
            sigaddset(&set, deadly[i]);
    action = (struct sigaction){.sa_handler = SIG_IGN};
    sigaction(SIGPIPE, &action, &before_pipe);
    /* If our parent ignored SIGCHLD, there would be nothing to wait for. */
    action.sa_handler = SIG_DFL;
    sigaction(SIGCHLD, &action, &before_child);
    sigprocmask(SIG_BLOCK, &set, &before);
    descriptor = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
    if (descriptor >= 0)
        return 0;
    diag_errno("cannot watch for signals");
    return -1;
}

static void restore(void)
{
    sigaction(SIGPIPE, &before_pipe, NULL);
    sigaction(SIGCHLD, &before_child, NULL);
    sigprocmask(SIG_SETMASK, &before, NULL);
}

pid_t supervise_fork(void)
{
    pid_t child = fork();
    if (child == 0)
        restore();
    else if (child < 0)
        diag_errno("cannot start a process");
    return child;
}

/* Read the signals that have come; those for us go on to the children. Returns the last of them. */
static int forward(const pid_t *children, size_t count)
{
    struct signalfd_siginfo info;
    int last = 0;
    while (read(descriptor, &info, sizeof info) == (ssize_t)sizeof info) {
        if (info.ssi_signo == SIGCHLD)
            continue;
        last = (int)info.ssi_signo;
        for (size_t i = 0; i < count; i++)
            if (children[i] > 0)
                kill(children[i], last);
    }
    return last;
}

/* Reap what has ended; returns how many are left. */
static size_t reap(pid_t *children, int *statuses, size_t count)
{
    size_t left = 0;
    for (size_t i = 0; i < count; i++) {
        if (children[i] > 0 && waitpid(children[i], &statuses[i], WNOHANG) == children[i])
            children[i] = 0;
        left += children[i] > 0;
    }
    return left;
}

int supervise_wait(pid_t *children, int *statuses, size_t count, struct relay *relays,
                   size_t relay_count)
{
    struct pollfd polled[1 + MAX_RELAYS];
    int received = 0;
    while (reap(children, statuses, count) > 0) {
        polled[0] = (struct pollfd){.fd = descriptor, .events = POLLIN};
        for (size_t i = 0; i < relay_count; i++)
            polled[i + 1] = (struct pollfd){.fd = relays[i].from, .events = POLLIN};
        if (poll(polled, relay_count + 1, -1) < 0 && errno != EINTR)
            break;
        for (size_t i = 0; i < relay_count; i++)
            if (polled[i + 1].revents)
                relay_pass(&relays[i]);
        int signal = forward(children, count);
        received = signal ? signal : received;
    }
    return received;
}

void supervise_end(void)
{
    if (descriptor < 0)
        return;
    close(descriptor);
    descriptor = -1;
    restore();
}

void supervise_die(int number)
{
    struct sigaction action = {.sa_handler = SIG_DFL};
    struct rlimit none = {0, 0};
    sigset_t set;
    /* If the linker has dumped core, that is the one to examine. */
    setrlimit(RLIMIT_CORE, &none);
    sigaction(number, &action, NULL);
    sigemptyset(&set);
    sigaddset(&set, number);
    sigprocmask(SIG_UNBLOCK, &set, NULL);
    raise(number);
}
