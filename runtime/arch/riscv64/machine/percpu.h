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

/* t0 becomes how far the CPU's row is from CPU 0's; t1 is scratch. */
/* clang-format off */
#define PERCPU_BEGIN                                                                               \
    "add t1, tp, %[area]\n"              /* struct rseq */                                         \
    "lla t0, .Lpercpu_piece%=\n"                                                                   \
    "sd t0, 8(t1)\n"                     /* rseq_cs */                                             \
    ".Lpercpu_begin%=:\n"                                                                          \
    "lwu t0, 4(t1)\n"                    /* cpu_id; that of no CPU is above all */                 \
    "bgeu t0, %[cpus], .Lpercpu_abort%=\n"                                                         \
    "mul t0, t0, %[stride]\n"
#define PERCPU_END                                                                                 \
    ".Lpercpu_end%=:\n"                                                                            \
    "j .Lpercpu_out%=\n"                                                                           \
    ".p2align 2\n"                                                                                 \
    ".4byte 0xf1401073\n"                /* the signature */                                       \
    ".Lpercpu_abort%=:\n"                                                                          \
    "j %l[failed]\n"                                                                               \
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
    __asm__ goto(PERCPU_BEGIN "add t0, t0, %[word]\n"
                              "ld t1, 0(t0)\n"
                              "add t1, t1, %[n]\n"
                              "sd t1, 0(t0)\n" PERCPU_END
                 :
                 : [area] "r"(percpu->area), [cpus] "r"(percpu->cpus), [stride] "r"(percpu->stride),
                   [word] "r"(word), [n] "r"(n)
                 : "t0", "t1", "memory"
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
    __asm__ goto(PERCPU_BEGIN "add t1, t0, %[row]\n"
                              "ld t2, 8(t1)\n"
                              "bgeu t2, %[n], 1f\n"
                              "sd %[n], 8(t1)\n"
                              "1: ld t2, 16(t1)\n"
                              "bgeu t2, %[not], 2f\n"
                              "sd %[not], 16(t1)\n"
                              "2: add t0, t0, %[word]\n"
                              "ld t1, 0(t0)\n"
                              "addi t1, t1, 1\n"
                              "sd t1, 0(t0)\n" PERCPU_END
                 :
                 : [area] "r"(percpu->area), [cpus] "r"(percpu->cpus), [stride] "r"(percpu->stride),
                   [row] "r"(row), [word] "r"(word), [n] "r"(n), [not ] "r"(~n)
                 : "t0", "t1", "t2", "memory"
                 : failed);
    return true;
failed:
    return false;
}

#endif
