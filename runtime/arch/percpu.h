/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Adding to words that belong to a CPU, as restartable sequences (<machine>/../rseq.inc says how
 * those work), to be compiled into a function of C: a call would take as long as what it does.
 * <machine/percpu.h> has the instructions, and includes this.
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
#ifndef SDT_ARCH_PERCPU_H
#define SDT_ARCH_PERCPU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct percpu {
    uint64_t cpus;   /* that have rows */
    uint64_t stride; /* from a CPU's to the next one's */
    ptrdiff_t area;  /* counters_area */
};

/* What the kernel reads of a piece. */
#define PERCPU_PIECE                                                                               \
    ".pushsection .data.rel.ro, \"aw\"\n"                                                          \
    ".balign 32\n"                                                                                 \
    ".Lpercpu_piece%=:\n"                                                                          \
    ".long 0, 0\n"                                                                                 \
    ".quad .Lpercpu_begin%=, .Lpercpu_end%= - .Lpercpu_begin%=, .Lpercpu_abort%=\n"                \
    ".popsection\n"

/* Assembly writes to what these parameters point to.
   NOLINTBEGIN(readability-non-const-parameter) */

/* Add N to WORD, which is CPU 0's. */
static inline __attribute__((always_inline)) bool percpu_add(const struct percpu *percpu,
                                                             uint8_t *word, uint64_t n)
{
    __asm__ goto(PERCPU_BEGIN PERCPU_ADD PERCPU_END PERCPU_PIECE
                 :
                 : [area] "r"(percpu->area), [cpus] PERCPU_FROM(percpu->cpus),
                   [stride] PERCPU_FROM(percpu->stride), [word] "r"(word), [n] "r"(n)
                 : PERCPU_CHANGES, "memory"
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
    __asm__ goto(PERCPU_BEGIN PERCPU_OBSERVE PERCPU_END PERCPU_PIECE
                 :
                 : [area] "r"(percpu->area), [cpus] PERCPU_FROM(percpu->cpus),
                   [stride] PERCPU_FROM(percpu->stride), [row] "r"(row), [word] "r"(word),
                   [n] "r"(n), [not ] "r"(~n)
                 : PERCPU_CHANGES, "memory"
                 : failed);
    return true;
failed:
    return false;
}

/* NOLINTEND(readability-non-const-parameter) */

#endif
