/* SPDX-License-Identifier: BSD-2-Clause */
/* <arch/percpu.h>: x16 becomes how far the CPU's row is from CPU 0's; x15 and x17 are scratch. */
#ifndef SDT_MACHINE_PERCPU_H
#define SDT_MACHINE_PERCPU_H

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
    ".Lpercpu_out%=:\n"
#define PERCPU_ADD                                                                                 \
    "ldr x17, [%[word], x16]\n"                                                                    \
    "add x17, x17, %[n]\n"                                                                         \
    "str x17, [%[word], x16]\n"
#define PERCPU_OBSERVE                                                                             \
    "add x15, x16, %[row]\n"                                                                       \
    "ldr x17, [x15, #8]\n"                                                                         \
    "cmp %[n], x17\n"                                                                              \
    "b.ls 1f\n"                                                                                    \
    "str %[n], [x15, #8]\n"                                                                        \
    "1: ldr x17, [x15, #16]\n"                                                                     \
    "cmp %[not], x17\n"                                                                            \
    "b.ls 2f\n"                                                                                    \
    "str %[not], [x15, #16]\n"                                                                     \
    "2: ldr x17, [%[word], x16]\n"                                                                 \
    "add x17, x17, #1\n"                                                                           \
    "str x17, [%[word], x16]\n"
#define PERCPU_FROM "r"
#define PERCPU_CHANGES "x15", "x16", "x17", "cc"
/* clang-format on */

#include <arch/percpu.h>

#endif
