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
#include <arch/arch.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <ucontext.h>

/* In uc_mcontext.__gregs, where 0 is the program counter: x0 need not be kept. */
enum {
    CONTEXT_PROGRAM = 0,
    CONTEXT_LINK = 1,
    CONTEXT_STACK = 2,
    CONTEXT_SITE = 7,
    CONTEXT_FRAME = 8,
    CONTEXT_RESULT = 10
};

/* Where the kernel's frame of a signal has what it interrupted: from the stack pointer on, as it is
 * when the handler has returned. A siginfo_t comes first (arch/riscv/kernel/signal.c). */
enum {
    CONTEXT_GENERAL = sizeof(siginfo_t) + offsetof(ucontext_t, uc_mcontext.__gregs),
    CONTEXT_PC = CONTEXT_GENERAL + 8 * CONTEXT_PROGRAM,
    CONTEXT_SP = CONTEXT_GENERAL + 8 * CONTEXT_STACK,
    CONTEXT_BP = CONTEXT_GENERAL + 8 * CONTEXT_FRAME,
    CONTEXT_RETURN = CONTEXT_GENERAL + 8 * CONTEXT_LINK
};

/* The program counter is at a breakpoint that has trapped; where stubs have a `ret`. */
enum { CONTEXT_TRAP = 0, CONTEXT_STUB_RETURN = SDT_RISCV64_STUB_RETURN };

/* What rt_sigaction(2) takes. */
struct kernel_action {
    void (*handler)(int number, siginfo_t *info, void *context);
    unsigned long flags;
    uint64_t mask;
};

static inline void context_return_by(struct kernel_action *action)
{
    (void)action; /* the kernel has what a handler returns to */
}

/* Where the thread was. */
static inline uintptr_t context_pc(const ucontext_t *context)
{
    return (uintptr_t)context->uc_mcontext.__gregs[CONTEXT_PROGRAM];
}

/* Go on at PC. */
static inline void context_resume(ucontext_t *context, uintptr_t pc)
{
    context->uc_mcontext.__gregs[CONTEXT_PROGRAM] = pc;
}

/* Go on as if the site had jumped to its loader: the stub, with the patch parcel's address in t2.
 */
static inline void context_enter(ucontext_t *context, uintptr_t stub, uintptr_t patch)
{
    context->uc_mcontext.__gregs[CONTEXT_SITE] = patch;
    context_resume(context, stub + SDT_STUB_AT);
}

/* A call before END has been made. It puts nothing on the stack. */
static inline void context_link(ucontext_t *context, uintptr_t end)
{
    context->uc_mcontext.__gregs[CONTEXT_LINK] = end;
}

/* The breakpoint by which threads leave entries of notes (../entry.S). */
extern const char entry_leave[];

/*
 * Whether the thread is there. It goes on after the site then, whose address is on its stack, and
 * all its registers are as they were.
 */
static inline bool context_leave(ucontext_t *context)
{
    unsigned long *registers = context->uc_mcontext.__gregs;
    if (registers[CONTEXT_PROGRAM] != (uintptr_t)entry_leave)
        return false;
    const uintptr_t *pushed = (const uintptr_t *)registers[CONTEXT_STACK];
    registers[CONTEXT_PROGRAM] = pushed[0];
    registers[CONTEXT_STACK] = (uintptr_t)(pushed + 2);
    return true;
}

/* Whether the calling thread has a shadow stack (Zicfiss): kernels give user space none yet. */
static inline int context_has_shadow_stack(void)
{
    return 0;
}

/* The instruction that reads the clock is done, and the time was 0. */
static inline void context_skip_clock(ucontext_t *context)
{
    context->uc_mcontext.__gregs[CONTEXT_RESULT] = 0;
    context->uc_mcontext.__gregs[CONTEXT_PROGRAM] += 4;
}

#endif
