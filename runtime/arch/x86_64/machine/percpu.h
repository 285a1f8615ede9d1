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

/* clang-format off */
#define PERCPU_BEGIN                                                                               \
    "lea .Lpercpu_piece%=(%%rip), %%rax\n"                                                         \
    "mov %%rax, %%fs:8(%[area])\n"       /* rseq_cs of struct rseq */                              \
    ".Lpercpu_begin%=:\n"                                                                          \
    "mov %%fs:4(%[area]), %%eax\n"       /* cpu_id; that of no CPU is above all */                 \
    "cmp %[cpus], %%rax\n"                                                                         \
    "jae .Lpercpu_abort%=\n"                                                                       \
    "imul %[stride], %%rax\n"
#define PERCPU_END                                                                                 \
    ".Lpercpu_end%=:\n"                                                                            \
    "jmp .Lpercpu_out%=\n"                                                                         \
    ".byte 0x0f, 0xb9, 0x3d\n"           /* ud1 … */                                               \
    ".long 0x53053053\n"                 /* … the signature */                                     \
    ".Lpercpu_abort%=:\n"                                                                          \
    "jmp %l[failed]\n"                                                                             \
    ".Lpercpu_out%=:\n"                                                                            \
    ".pushsection .data.rel.ro, \"aw\"\n"                                                          \
    ".balign 32\n"                                                                                 \
    ".Lpercpu_piece%=:\n"                                                                          \
    ".long 0, 0\n"                                                                                 \
    ".quad .Lpercpu_begin%=, .Lpercpu_end%= - .Lpercpu_begin%=, .Lpercpu_abort%=\n"                \
    ".popsection\n"
/* clang-format on */

/* Assembly writes to what these parameters point to.
   NOLINTBEGIN(readability-non-const-parameter) */

/* Add N to WORD, which is CPU 0's. */
static inline __attribute__((always_inline)) bool percpu_add(const struct percpu *percpu,
                                                             uint8_t *word, uint64_t n)
{
    __asm__ goto(PERCPU_BEGIN "add %[n], (%[word],%%rax)\n" PERCPU_END
                 :
                 : [area] "r"(percpu->area), [cpus] "rm"(percpu->cpus),
                   [stride] "rm"(percpu->stride), [word] "r"(word), [n] "r"(n)
                 : "rax", "cc", "memory"
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
    __asm__ goto(
        PERCPU_BEGIN "cmp %[n], 8(%[row],%%rax)\n"
                     "jae 1f\n"
                     "mov %[n], 8(%[row],%%rax)\n"
                     "1: cmp %[not], 16(%[row],%%rax)\n"
                     "jae 2f\n"
                     "mov %[not], 16(%[row],%%rax)\n"
                     "2: incq (%[word],%%rax)\n" PERCPU_END
        :
        : [area] "r"(percpu->area), [cpus] "rm"(percpu->cpus), [stride] "rm"(percpu->stride),
          [row] "r"(row), [word] "r"(word), [n] "r"(n), [not ] "r"(~n)
        : "rax", "cc", "memory"
        : failed);
    return true;
failed:
    return false;
}

/* NOLINTEND(readability-non-const-parameter) */

#endif
