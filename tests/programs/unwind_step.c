/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A hit, one instruction at a time: after each, the stack is walked from the signal handler that
 * the single step ends in, and must lead through the probed function to its caller and to main().
 *
 *   unwind_step UNWINDER WHAT MODE
 *
 *   UNWINDER   libgcc, or with -DWITH_LIBUNWIND libunwind
 *   WHAT       count, handle, general (a handler that changes no vector register), both (a handler
 *              and counting), record, record-text
 *   MODE       jump, trap
 *
 * Prints how many instructions there were, then a line for each after which the walk did not come
 * to the end, then "ok" if there was none.
 */
#define _GNU_SOURCE
#include "unwind_handlers.h"

#include <dlfcn.h>
#include <execinfo.h>
#include <sdt/probe.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>
#include <unwind.h>
#if defined(WITH_LIBUNWIND)
#define UNW_LOCAL_ONLY
#include <libunwind.h>
#endif

extern char __start_fn_main[], __stop_fn_main[];

enum { TRACE = 0x100, MOST = 4000, FRAMES = 64 };

static volatile sig_atomic_t is_stepping, has_begun, steps, lost;
static const char *volatile text; /* what is recorded: NULL, as for all others, or text */
static uintptr_t lost_at[MOST];
static int with_libunwind;

/* ---- The walk. ---- */

struct walk {
    int frames;
    int probed, caller, main; /* the frame that is in this function; 0: none yet */
};

static int is_in(uintptr_t pc, const char *begin, const char *end)
{
    return pc >= (uintptr_t)begin && pc < (uintptr_t)end;
}

/* PC is an address of the frame, or after the call that it is in. */
static void look(struct walk *walk, uintptr_t pc)
{
    walk->frames++;
    if (is_in(pc, __start_fn_probed, __stop_fn_probed + 1))
        walk->probed = walk->frames;
    else if (is_in(pc, __start_fn_caller, __stop_fn_caller + 1))
        walk->caller = walk->frames;
    else if (is_in(pc, __start_fn_main, __stop_fn_main + 1))
        walk->main = walk->frames;
}

static _Unwind_Reason_Code on_frame(struct _Unwind_Context *context, void *data)
{
    struct walk *walk = data;
    look(walk, _Unwind_GetIP(context));
    return walk->frames < FRAMES ? _URC_NO_REASON : _URC_END_OF_STACK;
}

static void walk_by_libunwind(struct walk *walk, ucontext_t *context)
{
#if defined(WITH_LIBUNWIND)
    unw_cursor_t cursor;
    unw_word_t pc;
    if (unw_init_local2(&cursor, context, UNW_INIT_SIGNAL_FRAME) != 0)
        return;
    do {
        unw_get_reg(&cursor, UNW_REG_IP, &pc);
        look(walk, pc);
    } while (walk->frames < FRAMES && unw_step(&cursor) > 0);
#else
    (void)walk;
    (void)context;
    abort();
#endif
}

static int is_whole(const struct walk *walk)
{
    return walk->probed && walk->caller == walk->probed + 1 && walk->main == walk->caller + 1;
}

static void on_step(int number, siginfo_t *info, void *data)
{
    ucontext_t *context = data;
    uintptr_t pc = (uintptr_t)context->uc_mcontext.gregs[REG_RIP];
    struct walk walk = {0};
    (void)number;
    (void)info;
    if (is_stepping && !has_begun && is_in(pc, __start_fn_caller, __stop_fn_caller))
        return; /* clang 19 has more to do before the call */
    if (!is_stepping || is_in(pc, __start_fn_caller, __stop_fn_caller)) {
        context->uc_mcontext.gregs[REG_EFL] &= ~TRACE;
        return;
    }
    has_begun = 1;
    if (with_libunwind)
        walk_by_libunwind(&walk, context);
    else
        _Unwind_Backtrace(on_frame, &walk);
    if (!is_whole(&walk) && lost < MOST)
        lost_at[lost++] = pc;
    steps++;
}

/* ---- The hit. ---- */

IN("fn_probed") static long probed(long a)
{
    SDT_PROBE(unwind, step, a);
    if (text)
        SDT_PROBE(unwind, text, text, a);
    return a * 3;
}

/* One step after another from here, until the probed function has returned. */
IN("fn_caller") static long caller(long a)
{
    if (is_stepping)
        __asm__ volatile("pushfq; orl %0, (%%rsp); popfq" : : "i"(TRACE) : "cc", "memory");
    long b = probed(a);
    __asm__ volatile("nop");
    return b + 1;
}

static void report(void)
{
    printf("%d instructions\n", (int)steps);
    for (int i = 0; i < lost; i++) {
        Dl_info info = {0};
        int is_known = dladdr((void *)lost_at[i], &info);
        printf("lost at %#lx, in %s\n", (unsigned long)lost_at[i],
               is_known ? info.dli_fname : "no file");
    }
}

IN("fn_main") int main(int argc, char **argv)
{
    struct sigaction action = {.sa_sigaction = on_step, .sa_flags = SA_SIGINFO | SA_NODEFER};
    void *warm[4];
    if (argc != 4)
        return 2;
    with_libunwind = strcmp(argv[1], "libunwind") == 0;
    backtrace(warm, 4); /* loads libgcc_s */
    sigaction(SIGTRAP, &action, NULL);
    int is_text = strcmp(argv[2], "record-text") == 0;
    if (enable(is_text ? "unwind:text" : "unwind:step", argv[2], argv[3]) <= 0)
        return 3;
    for (int i = 0; i < 3; i++) { /* the first hit of a thread, and others */
        /* The second leads nowhere: SIGSEGV in the middle of the copy. */
        text = !is_text ? NULL : i == 1 ? (const char *)64000 : "some text of some words" + i;
        if (i == 2 && strncmp(argv[2], "record", 6) == 0)
            caller(0); /* a packet is begun: a sequence that is stepped through never is complete */
        has_begun = 0;
        is_stepping = 1;
        if (caller(i) != 3 * i + 1)
            return 4;
        is_stepping = 0;
    }
    report();
    printf("handled %ld, counted %lu\n", calls, (unsigned long)sdt_hits("unwind:step"));
    if (lost == 0 && steps > 20)
        puts("ok");
    return lost != 0;
}
