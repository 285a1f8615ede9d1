/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A site of each kind, for tracer_orders.c. Compiled three times: with -DNOTES the one of a note,
 * without -DSDT_CALL_SITES the inline one, both in leaf functions that have what they compute below
 * their stack pointer; else the others. Each function returns what makes a hit that changed
 * something show.
 */
#include "tracer_sites.h"

#ifdef NOTES
#include <sys/sdt.h>
#else
#include <sdt/probe.h>
#endif

#define STRING_(x) #x
#define STRING(x) STRING_(x)

#if !defined(SDT_CALL_SITES) || defined(NOTES)

/*
 * A leaf function, all of whose memory is below the stack pointer: STATEMENT must leave it as it
 * is. volatile: it is in memory.
 */
#define LEAF(name, a, statement)                                                                   \
    long name(long a)                                                                              \
    {                                                                                              \
        volatile long zone[8];                                                                     \
        for (long i = 0; i < 8; i++)                                                               \
            zone[i] = a + i;                                                                       \
        statement;                                                                                 \
        long sum = 0;                                                                              \
        for (long i = 0; i < 8; i++)                                                               \
            sum += zone[i];                                                                        \
        return sum - 7 * a - 28;                                                                   \
    }

#define NOP5(label)                                                                                \
    __asm__ volatile(".balign 8\n"                                                                 \
                     ".globl " label "\n" label ": .byte 0x0f, 0x1f, 0x44, 0, 0\n")

#endif

#if defined(NOTES)

LEAF(tr_nop11, a, STAP_PROBE1(PROVIDER, nop11, a))

#elif !defined(SDT_CALL_SITES)

LEAF(tr_inline, a, SDT_PROBE(PROVIDER, inline, a))
LEAF(tr_nop5_leaf, a, NOP5("tr_nop5_leaf_site"))

/* Not a leaf: nothing is below the stack pointer where a call could stand. */
static __attribute__((noinline)) void nop5(void)
{
    NOP5("tr_nop5_site");
}

long tr_nop5(long a)
{
    volatile long kept = a;
    nop5();
    return kept;
}

#else

long tr_call(long a)
{
    SDT_PROBE(PROVIDER, call, a);
    return a;
}

/* What compilers make of a plain call under -fno-plt, of one at a function's end, and of a
 * conditional one there (clang -Os). */
#define SYMBOL(name) "__dtrace_sdt_" STRING(PROVIDER) "___" #name
__asm__(".pushsection .text\n"
        ".globl tr_call6, tr_tail, tr_jcc\n"
        ".type tr_call6, @function\n"
        "tr_call6:\n"
        "\tpush %rdi\n"
        "\tcall *" SYMBOL(call6) "@GOTPCREL(%rip)\n"
                                 "\tpop %rax\n"
                                 "\tret\n"
                                 ".size tr_call6, . - tr_call6\n"
                                 ".type jump_tail, @function\n"
                                 "jump_tail:\n"
                                 "\tjmp " SYMBOL(tail) "\n"
                                                       ".size jump_tail, . - jump_tail\n"
                                                       ".type jump_jcc, @function\n"
                                                       "jump_jcc:\n"
                                                       "\ttest %rdi, %rdi\n"
                                                       "\tjns " SYMBOL(
                                                           jcc) "\n"
                                                                "\tret\n"
                                                                ".size jump_jcc, . - jump_jcc\n"
                                                                ".type tr_tail, @function\n"
                                                                "tr_tail:\n"
                                                                "\tpush %rdi\n"
                                                                "\tcall jump_tail\n"
                                                                "\tpop %rax\n"
                                                                "\tret\n"
                                                                ".size tr_tail, . - tr_tail\n"
                                                                ".type tr_jcc, @function\n"
                                                                "tr_jcc:\n"
                                                                "\tpush %rdi\n"
                                                                "\tcall jump_jcc\n"
                                                                "\tpop %rax\n"
                                                                "\tret\n"
                                                                ".size tr_jcc, . - tr_jcc\n"
                                                                ".popsection\n");

#endif
