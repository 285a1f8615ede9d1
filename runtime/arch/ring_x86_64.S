/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The step of a ring (recorder/ring.h), as a restartable sequence, and as what does the same where
 * there are none.
 */
#include "macros_x86_64.inc"
#include "rseq_x86_64.inc"

/* Copy WRITE's words, whose number is in %rcx: from (%r8) to (%r9). %rax and %rcx change. */
        .macro  COPY_WORDS
1:      mov     -8(%r8,%rcx,8), %rax
        mov     %rax, -8(%r9,%rcx,8)
        dec     %rcx
        jnz     1b
        .endm

        .macro  LOAD_WRITE
        mov     WRITE_HEAD(%rsi), %r10
        mov     WRITE_FROM(%rsi), %r8
        mov     WRITE_TO(%rsi), %r9
        mov     WRITE_WORDS(%rsi), %rcx
        .endm

        .text
/*
 * bool ring_commit(struct ring *ring, const struct ring_write *write, unsigned cpu): do WRITE, if
 * the thread is on CPU all the while, nobody comes in between, and the head is what it says.
 */
        FUNCTION ring_commit, 6
        endbr64
        LOAD_WRITE
        mov     counters_area(%rip), %r11
        RSEQ_NAME ring, r11, rax
.Lring_begin:
        cmp     %edx, %fs:RSEQ_CPU_ID(%r11)
        jne     .Lring_abort
        cmp     %r10, RING_HEAD(%rdi)
        jne     .Lring_abort
        COPY_WORDS
        mov     WRITE_LAST(%rsi), %rax
        mov     %rax, RING_LAST(%rdi)
        mov     WRITE_NEXT(%rsi), %rax
        mov     %rax, RING_HEAD(%rdi)
.Lring_end:
        mov     $1, %eax
        ret
        RSEQ_ABORT ring
        xor     %eax, %eax
        ret
        RSEQ_PIECE ring
        END     ring_commit

/* bool ring_commit_fields(struct ring *ring, const struct ring_fields *fields, unsigned cpu) */
        FUNCTION ring_commit_fields, 6
        endbr64
        PUSH_KEPT rbx
        mov     counters_area(%rip), %r11
        mov     WRITE_HEAD(%rsi), %r10
        mov     WRITE_TO(%rsi), %r9
        mov     FIELDS_PLACES(%rsi), %r8
        RSEQ_NAME fields, r11, rax
.Lfields_begin:
        cmp     %edx, %fs:RSEQ_CPU_ID(%r11)
        jne     .Lfields_abort
        cmp     %r10, RING_HEAD(%rdi)
        jne     .Lfields_abort
        mov     FIELDS_WORDS(%rsi), %rax
        mov     FIELDS_WORDS + 8(%rsi), %rcx
        mov     %rax, (%r9)
        mov     %rcx, 8(%r9)
        xor     %ecx, %ecx
        mov     FIELDS_COUNT(%rsi), %rbx
        jmp     2f
1:      mov     FIELDS_WORDS + 16(%rsi,%rcx,8), %r11
        mov     %r11, 16(%r9,%rax)
        inc     %ecx
2:      movzwl  (%r8,%rcx,2), %eax
        cmp     %ebx, %ecx
        jb      1b
        movq    $0, 16(%r9,%rax)
        mov     WRITE_LAST(%rsi), %rax
        mov     WRITE_NEXT(%rsi), %rcx
        mov     %rax, RING_LAST(%rdi)
        mov     %rcx, RING_HEAD(%rdi)
.Lfields_end:
        mov     $1, %eax
        POP_KEPT rbx
        ret
        .cfi_adjust_cfa_offset 8
        .cfi_rel_offset %rbx, 0
        RSEQ_ABORT fields
        xor     %eax, %eax
        POP_KEPT rbx
        ret
        RSEQ_PIECE fields
        END     ring_commit_fields

/*
 * The same for a ring that only the calling thread writes to. Its signals are blocked: a handler
 * that came in the middle of the copy could record, and the rest of the copy would go over that. If
 * the head is another one, a handler has recorded before.
 */
        FUNCTION ring_commit_alone
        endbr64
        LOAD_WRITE
        cmp     %r10, RING_HEAD(%rdi)
        jne     2f
        COPY_WORDS
        mov     WRITE_LAST(%rsi), %rax
        mov     %rax, RING_LAST(%rdi)
        mov     WRITE_NEXT(%rsi), %rcx
        mov     %r10, %rax
        cmpxchg %rcx, RING_HEAD(%rdi)
2:      sete    %al
        movzbl  %al, %eax
        ret
        END     ring_commit_alone

        END_OF_FILE
