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

/*
 * Store the words of the event (%rsi), whose fields are %rcx words that end at (%r10), where (%r8)
 * says, from (%r9) on. %rax, %rcx and %rdx change.
 */
        .macro  STORE_FIELDS
        mov     FIELDS_WORDS(%rsi), %rax
        mov     FIELDS_WORDS + 8(%rsi), %rdx
        mov     %rax, (%r9)
        mov     %rdx, 8(%r9)
        neg     %rcx
        jz      2f
1:      movzwl  (%r8,%rcx,2), %eax
        mov     (%r10,%rcx,8), %rdx
        mov     %rdx, 16(%r9,%rax)
        inc     %rcx
        jnz     1b
2:      movzwl  (%r8), %eax
        movq    $0, 16(%r9,%rax)
        .endm

        .macro  LOAD_FIELDS
        mov     FIELDS_COUNT(%rsi), %rcx
        mov     FIELDS_PLACES(%rsi), %r8
        mov     WRITE_TO(%rsi), %r9
        lea     (%r8,%rcx,2), %r8
        lea     FIELDS_WORDS + 16(%rsi,%rcx,8), %r10
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
        mov     counters_area(%rip), %r11
        LOAD_FIELDS
        RSEQ_NAME fields, r11, rax
.Lfields_begin:
        mov     WRITE_HEAD(%rsi), %rax
        cmp     %edx, %fs:RSEQ_CPU_ID(%r11)
        jne     .Lfields_abort
        cmp     %rax, RING_HEAD(%rdi)
        jne     .Lfields_abort
        STORE_FIELDS
        mov     WRITE_LAST(%rsi), %rax
        mov     WRITE_NEXT(%rsi), %rcx
        mov     %rax, RING_LAST(%rdi)
        mov     %rcx, RING_HEAD(%rdi)
.Lfields_end:
        mov     $1, %eax
        ret
        RSEQ_ABORT fields
        xor     %eax, %eax
        ret
        RSEQ_PIECE fields
        END     ring_commit_fields

/*
 * The same for a ring that only the calling thread writes to: only a signal handler of its own can
 * have come in between, and for that a compare and exchange without a lock is enough.
 */
        .macro  MOVE_HEAD_ALONE head
        mov     WRITE_LAST(%rsi), %rax
        mov     %rax, RING_LAST(%rdi)
        mov     WRITE_NEXT(%rsi), %rcx
        mov     \head, %rax
        cmpxchg %rcx, RING_HEAD(%rdi)
        .endm

        FUNCTION ring_commit_alone
        endbr64
        LOAD_WRITE
        cmp     %r10, RING_HEAD(%rdi)
        jne     2f
        COPY_WORDS
        MOVE_HEAD_ALONE %r10
2:      sete    %al
        movzbl  %al, %eax
        ret
        END     ring_commit_alone

        FUNCTION ring_commit_fields_alone
        endbr64
        LOAD_FIELDS
        mov     WRITE_HEAD(%rsi), %r11
        cmp     %r11, RING_HEAD(%rdi)
        jne     3f
        STORE_FIELDS
        MOVE_HEAD_ALONE %r11
3:      sete    %al
        movzbl  %al, %eax
        ret
        END     ring_commit_fields_alone

        END_OF_FILE
