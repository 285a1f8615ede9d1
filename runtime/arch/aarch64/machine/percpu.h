/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Adding to words that belong to a CPU, as restartable sequences (../rseq.inc says how those
 * work), to be compiled into a function of C: a call would take as long as what it does.
 *
 * Each piece ends in the one store that must happen exactly once; what is stored before that, a
 * largest value so far, may as well be stored twice. False: nothing was added, because the thread
 * is not registered, the CPU has no row, or the piece was interrupted. It is not tried again here,
 * since a debugger that steps through a piece aborts it at every step, and would never reach its
 * end.
 *
 * The abort address is inline, at the cost of a jump over it: a signal handler that interrupts a
 * piece finds that address in its frame, and must be able to unwind from there.
 */
#ifndef SDT_MACHINE_PERCPU_H
#define SDT_MACHINE_PERCPU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct percpu {
    uint64_t cpus;   /* that have rows */
    uint64_t stride; /* from a CPU's to the next one's */
    ptrdiff_t area;  /* counters_area */
};

/* x16 becomes how far the CPU's row is from CPU 0's; x17 is scratch. */
/* clang-format off */
#define PERCPU_BEGIN                                                                               \
    "mrs x17, tpidr_el0\n"                                                                         \
    "add x17, x17, %[area]\n"            /* struct rseq */                                         \
    "adrp x16, .Lpercpu_piece%=\n"                                                                 \
    "add x16, x16, :lo12:.Lpercpu_piece%=\n"                                                       \
    "str x16, [x17, #8]\n"               /* rseq_cs */                                             \
    ".Lpercpu_begin%=:\n"                                                                          \
    "ldr w16, [x17, #4]\n"               /* cpu_id; that of no CPU is above all */                 \
    "cmp x16, %[cpus]\n"                                                                           \
    "b.hs .Lpercpu_abort%=\n"                                                                      \
    "mul x16, x16, %[stride]\n"
#define PERCPU_END                                                                                 \
    ".Lpercpu_end%=:\n"                                                                            \
    "b .Lpercpu_out%=\n"                                                                           \
    ".inst 0xd428bc00\n"                 /* the signature */                                       \
    ".Lpercpu_abort%=:\n"                                                                          \
    "b %l[failed]\n"                                                                               \
    ".Lpercpu_out%=:\n"                                                                            \
    ".pushsection .data.rel.ro, \"aw\"\n"                                                          \
    ".balign 32\n"                                                                                 \
    ".Lpercpu_piece%=:\n"                                                                          \
    ".long 0, 0\n"                                                                                 \
    ".quad .Lpercpu_begin%=, .Lpercpu_end%= - .Lpercpu_begin%=, .Lpercpu_abort%=\n"                \
    ".popsection\n"
/* clang-format on */

/* Add N to WORD, which is CPU 0's. */
static inline __attribute__((always_inline)) bool percpu_add(const struct percpu *percpu,
                                                             uint8_t *word, uint64_t n)
{
    __asm__ goto(PERCPU_BEGIN "ldr x17, [%[word], x16]\n"
                              "add x17, x17, %[n]\n"
                              "str x17, [%[word], x16]\n" PERCPU_END
                 :
                 : [area] "r"(percpu->area), [cpus] "r"(percpu->cpus), [stride] "r"(percpu->stride),
                   [word] "r"(word), [n] "r"(n)
                 : "x16", "x17", "cc", "memory"
                 : failed);
    return true;
failed:
    return false;
}

/*
 * One more at WORD; and N at MAX and ~N at MIN, if they are the largest there. All are CPU 0's. MAX
 * and MIN are 8 and 16 bytes after ROW.
 */
static inline __attribute__((always_inline)) bool
percpu_observe(const struct percpu *percpu, uint8_t *row, uint8_t *word, uint64_t n)
{
    uint8_t *max = row + 8, *min = row + 16;
    __asm__ goto(PERCPU_BEGIN "ldr x17, [%[max], x16]\n"
                              "cmp %[n], x17\n"
                              "b.ls 1f\n"
                              "str %[n], [%[max], x16]\n"
                              "1: ldr x17, [%[min], x16]\n"
                              "cmp %[not], x17\n"
                              "b.ls 2f\n"
                              "str %[not], [%[min], x16]\n"
                              "2: ldr x17, [%[word], x16]\n"
                              "add x17, x17, #1\n"
                              "str x17, [%[word], x16]\n" PERCPU_END
                 :
                 : [area] "r"(percpu->area), [cpus] "r"(percpu->cpus), [stride] "r"(percpu->stride),
                   [max] "r"(max), [min] "r"(min), [word] "r"(word), [n] "r"(n), [not ] "r"(~n)
                 : "x16", "x17", "cc", "memory"
                 : failed);
    return true;
failed:
    return false;
}

#endif
