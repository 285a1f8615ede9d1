/* SPDX-License-Identifier: BSD-2-Clause */
#include "interrupt.h"

#include "started.h"

#include <signal.h>
#include <stddef.h>
#include <sys/signalfd.h>
#include <unistd.h>

static int signals = -1;

void interrupt_take(void)
{
    sigset_t mask;
    sigemptyset(&mask);
    sigaddset(&mask, SIGINT);
    sigaddset(&mask, SIGTERM);
    sigaddset(&mask, SIGHUP);
    sigaddset(&mask, SIGQUIT);
    sigprocmask(SIG_BLOCK, &mask, NULL);
    signals = signalfd(-1, &mask, SFD_CLOEXEC | SFD_NONBLOCK);
}

int interrupt_descriptor(void)
{
    return signals;
}

int interrupt_read(void)
{
    struct signalfd_siginfo info;
    return read(signals, &info, sizeof info) == sizeof info ? (int)info.ssi_signo : 0;
}

bool interrupt_is_ours(const struct started *started)
{
    int signal = interrupt_read();
    if (!signal)
        return false;
    if (!started_runs(started))
        return true;
    if (signal == SIGTERM || signal == SIGHUP)
        kill(started->pid, signal);
    return false;
}
