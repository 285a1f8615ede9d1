/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See fault.h. A signal that did not come from one of the loads of copy_text() or copy_record()
 * goes to the previous owner. The signal is never given back: another thread may be in the middle
 * of a copy.
 */
#define _GNU_SOURCE
#include "fault.h"

#include "chain.h"

#include <machine/context.h>
#include <stddef.h>

extern const char copy_begin[], copy_end[], copy_fault[];
extern const char record_begin[], record_end[];
extern const char clock_instruction[];
extern const char ring_record_abort[], ring_text_abort[], ring_array_abort[];

static void on_fault(int number, siginfo_t *info, void *data);
static void die_of_it(siginfo_t *info, ucontext_t *context);

static struct chain segv = {.number = SIGSEGV, .handler = on_fault, .die = die_of_it};
static struct chain bus = {.number = SIGBUS, .handler = on_fault, .die = die_of_it};

/* With the default action, the instruction is tried again; a signal that was sent is sent again. */
static void die_of_it(siginfo_t *info, ucontext_t *context)
{
    struct sigaction action = {.sa_handler = SIG_DFL};
    (void)context;
    sigemptyset(&action.sa_mask);
    chain_sigaction(info->si_signo, &action, NULL);
    if (info->si_code <= 0)
        chain_raise(info->si_signo);
}

/*
 * Whether an instruction of a restartable sequence of the recorder got the signal: one that reads
 * the clock, or a load of what it copies. The kernel has aborted the sequence, which is now tried
 * otherwise.
 */
static bool is_aborted(uintptr_t at)
{
    return at == (uintptr_t)ring_record_abort || at == (uintptr_t)ring_text_abort ||
           at == (uintptr_t)ring_array_abort;
}

static bool is_between(uintptr_t at, const char *begin, const char *end)
{
    return at >= (uintptr_t)begin && at < (uintptr_t)end;
}

/* Whether it was a load that may find nothing. */
static bool is_copying(uintptr_t at)
{
    return is_between(at, copy_begin, copy_end) || is_between(at, record_begin, record_end);
}

static void on_fault(int number, siginfo_t *info, void *data)
{
    ucontext_t *context = data;
    uintptr_t at = context_pc(context);
    if (info->si_code == SI_KERNEL && at == (uintptr_t)clock_instruction)
        context_skip_clock(context);
    else if (info->si_code > 0 && is_aborted(at))
        return;
    else if (info->si_code > 0 && is_copying(at))
        context_resume(context, (uintptr_t)copy_fault);
    else
        chain_pass_on(number == SIGBUS ? &bus : &segv, info, context);
}

bool fault_guard(void)
{
    return chain_take(&segv) == 0 && chain_take(&bus) == 0;
}
