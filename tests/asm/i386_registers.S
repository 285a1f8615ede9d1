/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * For tests/programs/i386_registers.c, which has the structure:
 *
 *     void visit(const struct state *set, struct state *found, unsigned how)
 *
 * Load all that SET says, run a site, and store what there is then. HOW: 0 a call, 1 one through
 * the GOT. At the second one, the stack pointer is 4 bytes from where the ABI wants it.
 */
        .text
        .globl  visit
        .type   visit, @function
visit:
        push    %ebp
        push    %ebx
        push    %esi
        push    %edi
        push    $0x5d7a /* the argument */
        mov     24(%esp), %eax
        fxrstor 32(%eax)
        mov     4(%eax), %ecx
        mov     8(%eax), %edx
        mov     12(%eax), %ebx
        mov     16(%eax), %ebp
        mov     20(%eax), %esi
        mov     24(%eax), %edi
        cmpl    $0, 32(%esp)
        jne     1f
        push    28(%eax)
        mov     (%eax), %eax
        popf
        call    __dtrace_sdt_regs___here
        jmp     2f
1:      push    $0x5d7a
        push    28(%eax)
        mov     (%eax), %eax
        popf
        call    *__dtrace_sdt_regs___far@GOT(%ebx)
        lea     4(%esp), %esp
2:      pushf
        push    %edi
        mov     36(%esp), %edi
        mov     %eax, (%edi)
        mov     %ecx, 4(%edi)
        mov     %edx, 8(%edi)
        mov     %ebx, 12(%edi)
        mov     %ebp, 16(%edi)
        mov     %esi, 20(%edi)
        pop     24(%edi)
        pop     28(%edi)
        fxsave  32(%edi)
        fninit
        cld
        add     $4, %esp
        pop     %edi
        pop     %esi
        pop     %ebx
        pop     %ebp
        ret
        .size   visit, . - visit
        .section .note.GNU-stack, "", @progbits
