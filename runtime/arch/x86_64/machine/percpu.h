/* SPDX-License-Identifier: BSD-2-Clause */
/* <arch/percpu.h>: %rax becomes how far the CPU's row is from CPU 0's. */
#ifndef SDT_MACHINE_PERCPU_H
#define SDT_MACHINE_PERCPU_H

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
    ".Lpercpu_out%=:\n"
#define PERCPU_ADD "add %[n], (%[word],%%rax)\n"
#define PERCPU_OBSERVE                                                                             \
    "cmp %[n], 8(%[row],%%rax)\n"                                                                  \
    "jae 1f\n"                                                                                     \
    "mov %[n], 8(%[row],%%rax)\n"                                                                  \
    "1: cmp %[not], 16(%[row],%%rax)\n"                                                            \
    "jae 2f\n"                                                                                     \
    "mov %[not], 16(%[row],%%rax)\n"                                                               \
    "2: incq (%[word],%%rax)\n"
#define PERCPU_FROM "rm"
#define PERCPU_CHANGES "rax", "cc"
/* clang-format on */

#include <arch/percpu.h>

#endif
