/* SPDX-License-Identifier: BSD-2-Clause */
/* Probes of an assembler file: 0 to 12 operands, with and without sizes. */
#include <sys/sdt.h>

        .text
        .globl  probed
        .type   probed, @function
probed: STAP_PROBE(assembler, none)
        STAP_PROBE1(assembler, one, %rax)
        STAP_PROBE2(assembler, two, -4@%edi, 8@16(%rsp))
        DTRACE_PROBE3(assembler, three, 4(%rbx,%rcx,8), $5, 1@%al)
        STAP_PROBE12(assembler, twelve, 8@$1, 8@$2, 8@$3, 8@$4, 8@$5, 8@$6, 8@$7, 8@$8, 8@$9, \
                     8@$10, 8@$11, 8@$12)
        movl    $42, %eax
        ret
        .size   probed, . - probed
        .section .note.GNU-stack, "", @progbits
