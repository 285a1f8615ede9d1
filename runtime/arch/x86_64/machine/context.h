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
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

/* Where the kernel's frame of a signal has what it interrupted: from the stack pointer on, as it is
 * when the handler has returned. */
enum {
    CONTEXT_PC = offsetof(ucontext_t, uc_mcontext.gregs[REG_RIP]),
    CONTEXT_SP = offsetof(ucontext_t, uc_mcontext.gregs[REG_RSP]),
    CONTEXT_BP = offsetof(ucontext_t, uc_mcontext.gregs[REG_RBP]),
    CONTEXT_RETURN = CONTEXT_PC /* there is none */
};

/* How far the program counter is after a breakpoint that has trapped; where stubs have a `ret`: the
 * last byte of their code. */
enum { CONTEXT_TRAP = 1, CONTEXT_STUB_RETURN = 25 };

/* What rt_sigaction(2) takes. */
struct kernel_action {
    void (*handler)(int number, siginfo_t *info, void *context);
    unsigned long flags;
    void (*restorer)(void);
    uint64_t mask;
};

/* Where a handler returns to: in copy.S. */
void context_restorer(void);

static inline void context_return_by(struct kernel_action *action)
{
    action->flags |= 0x04000000; /* SA_RESTORER */
    action->restorer = context_restorer;
}

/* Where the thread was. */
static inline uintptr_t context_pc(const ucontext_t *context)
{
    return (uintptr_t)context->uc_mcontext.gregs[REG_RIP];
}

/* Go on at PC. */
static inline void context_resume(ucontext_t *context, uintptr_t pc)
{
    context->uc_mcontext.gregs[REG_RIP] = (greg_t)pc;
}

/* Go on as if the site had jumped to its loader: the stub, with the patch byte in %r11. */
static inline void context_enter(ucontext_t *context, uintptr_t stub, uintptr_t patch)
{
    context->uc_mcontext.gregs[REG_R11] = (greg_t)patch;
    context_resume(context, stub + SDT_STUB_AT);
}

/*
 * A call before END has been made. Nothing below the stack pointer is live at a call:
 * a real one would have overwritten it. Only 128 bytes below it may be written, though: there
 * begins the signal's frame, with the vector registers, which the kernel restores from it.
 */
static inline void context_link(ucontext_t *context, uintptr_t end)
{
    uintptr_t *top = (uintptr_t *)context->uc_mcontext.gregs[REG_RSP] - 1;
    *top = end;
    context->uc_mcontext.gregs[REG_RSP] = (greg_t)(uintptr_t)top;
}

/* Threads go back from entries by themselves. */
static inline bool context_leave(ucontext_t *context)
{
    (void)context;
    return false;
}

/*
 * Whether the calling thread has a shadow stack: then a return address that only the normal stack
 * knows kills the thread. arch_prctl(ARCH_SHSTK_STATUS) fails where the kernel has none.
 */
static inline int context_has_shadow_stack(void)
{
    unsigned long features = 0;
    return syscall(SYS_arch_prctl, 0x5005, &features) == 0 && (features & 1);
}

/* The instruction that reads the clock is done, and the time was 0. */
static inline void context_skip_clock(ucontext_t *context)
{
    context->uc_mcontext.gregs[REG_RAX] = context->uc_mcontext.gregs[REG_RDX] = 0;
    context->uc_mcontext.gregs[REG_RIP] += 2;
}

#endif
