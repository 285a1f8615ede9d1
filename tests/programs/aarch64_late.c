/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A thread that meets a breakpoint which memory no longer has: where the signal handler lets it go
 * on, from each site; see test_aarch64_runtime.py. The trap is made up, as only some CPUs are late.
 */
#define _GNU_SOURCE
#include <sdt/probe.h>
#include <sdt/runtime.h>

#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <ucontext.h>

extern void __dtrace_sdt_late___left(unsigned long number);

static __attribute__((noinline)) void stay(int n)
{
    SDT_PROBE(late, here, n);
}

static __attribute__((noinline)) void leave(int n)
{
    __dtrace_sdt_late___left((unsigned long)n);
}

/* The kernel's answer; sigaction() says what the program has set. */
int __sigaction(int number, const struct sigaction *action, struct sigaction *old);

static struct sigaction action;

static int be_late(const struct sdt_probe_info *site, void *data)
{
    siginfo_t info = {.si_signo = SIGTRAP, .si_code = TRAP_BRKPT};
    ucontext_t context;
    getcontext(&context);
    uintptr_t pc = (uintptr_t)site->pc;
    context.uc_mcontext.pc = pc;
    action.sa_sigaction(SIGTRAP, &info, &context);
    printf("%s %s: %ld\n", (const char *)data, site->name, (long)(context.uc_mcontext.pc - pc));
    return 0;
}

int main(void)
{
    int id = sdt_enable_mode("late:*", SDT_COUNT, NULL, SDT_MODE_TRAP);
    __sigaction(SIGTRAP, NULL, &action);
    sdt_disable(id);
    sdt_foreach("late:*", be_late, "off");
    id = sdt_enable_mode("late:*", SDT_COUNT, NULL, SDT_MODE_JUMP);
    sdt_foreach("late:*", be_late, "armed");
    stay(1);
    leave(2);
    printf("%lu\n", (unsigned long)sdt_hits("late:*"));
    return sdt_disable(id);
}
