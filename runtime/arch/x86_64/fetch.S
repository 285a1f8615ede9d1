/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * All arguments of an event, by the plan of its site (argument.h): threaded code, in which each
 * step stores one argument and jumps to the next step. It uses general registers only, and calls
 * nothing but what fetch_step_call is there for, so it may also run before vector state was saved.
 * %r10 and %rax are scratch.
 *
 *     %rdi  struct sdt_event       %rcx  struct registers       %rsi  where the words go
 *     %rdx  struct fetch           %r8   its steps              %r9   number of the argument
 *
 * The jumps are `notrack`: their targets come from memory that only we write.
 */
#include "macros.inc"

        .macro  NEXT
        mov     %rax, (%rsi,%r9,8)
        inc     %r9
        notrack jmp *(%r8,%r9,8)
        .endm

        .macro  REGISTER_STEP name, load, to
        FUNCTION fetch_step_\name
        movzbl  FETCH_PLACE(%rdx,%r9), %eax
        \load   (%rcx,%rax), %\to
        NEXT
        END     fetch_step_\name
        .endm

/* Of what is at a fixed distance from a register. Where a null pointer leads, C asks the kernel. */
        .macro  MEMORY_STEP name, load, to
        FUNCTION fetch_load_\name
        movzbl  FETCH_PLACE(%rdx,%r9), %eax
        mov     %r9, %r10
        shl     $4, %r10 /* OPERAND_SIZE */
        add     FETCH_OPERANDS(%rdx), %r10
        mov     (%rcx,%rax), %rax
        add     OPERAND_VALUE(%r10), %rax
        cmp     $FIRST_PAGES, %rax
        jb      fetch_step_call
        \load   (%rax), %\to
        NEXT
        END     fetch_load_\name
        .endm

        .text
/* unsigned fetch_run(const struct sdt_event *, uint64_t *words, const struct fetch *) */
        FUNCTION fetch_run
        endbr64
        mov     FETCH_COUNT(%rdx), %eax
        lea     FETCH_GET(%rdx,%rax,8), %r8
        mov     EVENT_REGISTERS(%rdi), %rcx
        xor     %r9d, %r9d
        notrack jmp *(%r8)
        END     fetch_run

        REGISTER_STEP u1, movzbl, eax
        REGISTER_STEP s1, movsbq, rax
        REGISTER_STEP u2, movzwl, eax
        REGISTER_STEP s2, movswq, rax
        REGISTER_STEP u4, mov, eax
        REGISTER_STEP s4, movslq, rax
        REGISTER_STEP 8, mov, rax
        MEMORY_STEP u1, movzbl, eax
        MEMORY_STEP s1, movsbq, rax
        MEMORY_STEP u2, movzwl, eax
        MEMORY_STEP s2, movswq, rax
        MEMORY_STEP u4, mov, eax
        MEMORY_STEP s4, movslq, rax
        MEMORY_STEP 8, mov, rax

        FUNCTION fetch_step_constant
        mov     %r9, %rax
        shl     $4, %rax /* OPERAND_SIZE */
        add     FETCH_OPERANDS(%rdx), %rax
        mov     OPERAND_VALUE(%rax), %rax
        NEXT
        END     fetch_step_constant

/* Anything else: the function that sdt_arg() would have called. */
        FUNCTION fetch_step_call
        PUSH_KEPT rdi
        PUSH_KEPT rsi
        PUSH_KEPT rdx
        PUSH_KEPT r8
        PUSH_KEPT r9
        mov     %r9, %rsi
        call    *FETCH_GET(%rdx,%r9,8)
        POP_KEPT r9
        POP_KEPT r8
        POP_KEPT rdx
        POP_KEPT rsi
        POP_KEPT rdi
        mov     EVENT_REGISTERS(%rdi), %rcx
        NEXT
        END     fetch_step_call

        FUNCTION fetch_step_end
        mov     %r9d, %eax
        ret
        END     fetch_step_end

/*
 * uint64_t vector_low(unsigned number): the low half of a vector register of the running thread,
 * xmm0 to xmm15. One row of eight bytes each.
 */
        FUNCTION vector_low
        endbr64
        and     $15, %edi
        lea     1f(%rip), %rax
        lea     (%rax,%rdi,8), %rax
        notrack jmp *%rax
        .p2align 3
1:
        .irp    number, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
        movq    %xmm\number, %rax
        ret
        .p2align 3
        .endr
        END     vector_low

        END_OF_FILE
