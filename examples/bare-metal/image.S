/* SPDX-License-Identifier: BSD-2-Clause */
/* The module, as a file of a kernel that has no disk. Main changes it. */
        .section .data
        .globl  demo_image
        .balign 16
demo_image:
        .incbin MODULE
