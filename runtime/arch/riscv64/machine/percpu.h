/* SPDX-License-Identifier: BSD-2-Clause */
/* <arch/percpu.h>: t0 becomes how far the CPU's row is from CPU 0's; t1 and t2 are scratch. */
#ifndef SDT_MACHINE_PERCPU_H
#define SDT_MACHINE_PERCPU_H

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
    ".Lpercpu_out%=:\n"
#define PERCPU_ADD                                                                                 \
    "add t0, t0, %[word]\n"                                                                        \
    "ld t1, 0(t0)\n"                                                                               \
    "add t1, t1, %[n]\n"                                                                           \
    "sd t1, 0(t0)\n"
#define PERCPU_OBSERVE                                                                             \
    "add t1, t0, %[row]\n"                                                                         \
    "ld t2, 8(t1)\n"                                                                               \
    "bgeu t2, %[n], 1f\n"                                                                          \
    "sd %[n], 8(t1)\n"                                                                             \
    "1: ld t2, 16(t1)\n"                                                                           \
    "bgeu t2, %[not], 2f\n"                                                                        \
    "sd %[not], 16(t1)\n"                                                                          \
    "2: add t0, t0, %[word]\n"                                                                     \
    "ld t1, 0(t0)\n"                                                                               \
    "addi t1, t1, 1\n"                                                                             \
    "sd t1, 0(t0)\n"
#define PERCPU_FROM "r"
#define PERCPU_CHANGES "t0", "t1", "t2"
/* clang-format on */

#include <arch/percpu.h>

#endif
