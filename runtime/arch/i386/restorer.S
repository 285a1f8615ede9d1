/* SPDX-License-Identifier: BSD-2-Clause */
#include "macros.inc"

/*
 * void context_restorer(void): where a handler returns to, as glibc's: rt_sigreturn(2). Unwinders
 * and debuggers know a signal's frame by these bytes, where there is no description. The NOP: they
 * examine what is before them.
 */
        .text
        .p2align 4
        nop
        .globl  context_restorer
        .hidden context_restorer
        .type   context_restorer, @function
context_restorer:
        mov     $173, %eax
        int     $0x80
        .size   context_restorer, . - context_restorer

        END_OF_FILE
