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
#include <stdbool.h>
#include <stdint.h>
#include <ucontext.h>

/* How far the program counter is after a breakpoint that has trapped; where stubs have a `ret`. */
enum { CONTEXT_TRAP = 1, CONTEXT_STUB_RETURN = 28 };

/* What rt_sigaction(2) takes. */
struct kernel_action {
    void (*handler)(int number, siginfo_t *info, void *context);
    unsigned long flags;
    void (*restorer)(void);
    uint64_t mask;
};

/* Where a handler returns to: in ../restorer.S. */
void context_restorer(void);

static inline void context_return_by(struct kernel_action *action)
{
    action->flags |= 0x04000000; /* SA_RESTORER */
    action->restorer = context_restorer;
}

/* Where the thread was. */
static inline uintptr_t context_pc(const ucontext_t *context)
{
    return (uintptr_t)context->uc_mcontext.gregs[REG_EIP];
}

/* Go on at PC. */
static inline void context_resume(ucontext_t *context, uintptr_t pc)
{
    context->uc_mcontext.gregs[REG_EIP] = (greg_t)pc;
}

/* Go on as if the site had jumped to its loader: the stub, with the patch byte in %eax. */
static inline void context_enter(ucontext_t *context, uintptr_t stub, uintptr_t patch)
{
    context->uc_mcontext.gregs[REG_EAX] = (greg_t)patch;
    context_resume(context, stub + SDT_STUB_AT);
}

/* A call before END has been made. Nothing below the stack pointer is live there: there is no red
 * zone, and the signal's frame is further down, since the kernel aligns it. */
static inline void context_link(ucontext_t *context, uintptr_t end)
{
    uintptr_t *top = (uintptr_t *)context->uc_mcontext.gregs[REG_ESP] - 1;
    *top = end;
    context->uc_mcontext.gregs[REG_ESP] = (greg_t)(uintptr_t)top;
}

/* No thread is in an entry. */
static inline bool context_leave(ucontext_t *context)
{
    (void)context;
    return false;
}

/* Kernels give programs of 32 bits no shadow stack. */
static inline int context_has_shadow_stack(void)
{
    return 0;
}

#endif
