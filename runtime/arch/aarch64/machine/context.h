/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Access to the interrupted thread's registers in a signal handler, and the ways in which a trapped
 * thread can go on.
 */
#ifndef SDT_MACHINE_CONTEXT_H
#define SDT_MACHINE_CONTEXT_H

#ifndef _GNU_SOURCE
#error "ucontext registers need _GNU_SOURCE before the first include"
#endif
#include <sdt/format.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <ucontext.h>

enum { CONTEXT_SITE = 11, CONTEXT_FRAME = 29, CONTEXT_LINK = 30 }; /* registers */

/* Where the kernel's frame of a signal has what it interrupted: from the stack pointer on, as it is
 * when the handler has returned. A siginfo_t comes first (arch/arm64/kernel/signal.c). */
enum {
    CONTEXT_PC = sizeof(siginfo_t) + offsetof(ucontext_t, uc_mcontext.pc),
    CONTEXT_SP = sizeof(siginfo_t) + offsetof(ucontext_t, uc_mcontext.sp),
    CONTEXT_BP = sizeof(siginfo_t) + offsetof(ucontext_t, uc_mcontext.regs[CONTEXT_FRAME]),
    CONTEXT_RETURN = sizeof(siginfo_t) + offsetof(ucontext_t, uc_mcontext.regs[CONTEXT_LINK])
};

/* The program counter is at a breakpoint that has trapped; where stubs have a `ret`: it is the last
 * instruction of their code. */
enum { CONTEXT_TRAP = 0, CONTEXT_STUB_RETURN = 28 };

/* What rt_sigaction(2) takes. */
struct kernel_action {
    void (*handler)(int number, siginfo_t *info, void *context);
    unsigned long flags;
    void (*restorer)(void); /* the kernel has one */
    uint64_t mask;
};

static inline void context_return_by(struct kernel_action *action)
{
    action->restorer = NULL;
}

/* Where the thread was. */
static inline uintptr_t context_pc(const ucontext_t *context)
{
    return (uintptr_t)context->uc_mcontext.pc;
}

/* Go on at PC. */
static inline void context_resume(ucontext_t *context, uintptr_t pc)
{
    context->uc_mcontext.pc = pc;
}

/* Go on as if the site had jumped to its loader: the stub, with the site's address in x11. */
static inline void context_enter(ucontext_t *context, uintptr_t stub, uintptr_t patch)
{
    context->uc_mcontext.regs[CONTEXT_SITE] = patch;
    context_resume(context, stub + SDT_STUB_AT);
}

/* A call before END has been made. It puts nothing on the stack. */
static inline void context_link(ucontext_t *context, uintptr_t end)
{
    context->uc_mcontext.regs[CONTEXT_LINK] = end;
}

/* Threads go back from entries by themselves. */
static inline bool context_leave(ucontext_t *context)
{
    (void)context;
    return false;
}

/*
 * Whether the calling thread has a shadow stack (FEAT_GCS): then a return address that only x30
 * knows kills the thread. The kernel says -EINVAL where it has none.
 */
static inline int context_has_shadow_stack(void)
{
    enum { GET_SHADOW_STACK_STATUS = 74, IS_ENABLED = 1 };
    unsigned long status = 0;
    return prctl(GET_SHADOW_STACK_STATUS, &status, 0, 0, 0) == 0 && (status & IS_ENABLED);
}

/* The instruction that reads the clock is done, and the time was 0. */
static inline void context_skip_clock(ucontext_t *context)
{
    context->uc_mcontext.regs[0] = 0;
    context->uc_mcontext.pc += 4;
}

#endif
