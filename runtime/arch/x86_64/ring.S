/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The step of a ring (ring/ring.h), as a restartable sequence, and as what does the same where
 * there are none.
 */
#include "macros.inc"
#include "rseq.inc"

/* Copy WRITE's words, whose number is in %rcx: from (%r8) to (%r9). %rax and %rcx change. */
        .macro  COPY_WORDS
1:      mov     -8(%r8,%rcx,8), %rax
        mov     %rax, -8(%r9,%rcx,8)
        dec     %rcx
        jnz     1b
        .endm

/*
 * What STORE_FIELDS needs, from a number COUNT of words in %rdx, PLACES in %rcx and WORDS in %rsi:
 * where both end, in %rcx and %r9, and in %r10 how far before that they begin.
 */
        .macro  AT_FIELDS
        lea     (%rcx,%rdx,2), %rcx
        lea     16(%rsi,%rdx,8), %r9
        mov     %rdx, %r10
        neg     %r10
        .endm

/* Store the words from number %r10, which is not \end, up to that where they belong. */
        .macro  STORE_UP_TO end
1:      movzwl  (%rcx,%r10,2), %eax
        mov     (%r9,%r10,8), %rdx
        mov     %rdx, 16(%rdi,%rax)
        inc     %r10
        .ifc    \end, 0
        jnz     1b
        .else
        cmp     \end, %r10
        jne     1b
        .endif
        .endm

/* Store words from the second one on at (%rdi), and zeros after the last. %rax, %rdx, %r10. */
        .macro  STORE_FIELDS
        mov     8(%rsi), %rax
        mov     %rax, 8(%rdi)
        test    %r10, %r10
        jz      2f
        STORE_UP_TO 0
2:      movzwl  (%rcx), %eax
        movq    $0, 16(%rdi,%rax)
        .endm

/*
 * For an event with a text or an array. %rbp is its recipe, %rsi its words, %rdi where it goes.
 * Store words from number %r10 up to number \to; if there is one, \base is before its place.
 */
        .macro  STORE_WORDS to, base
        cmp     \to, %r10d
        je      2f
1:      movzwl  RECIPE_PLACE(%rbp,%r10,2), %eax
        mov     16(%rsi,%r10,8), %rdx
        inc     %r10d
        mov     %rdx, 16(\base,%rax)
        cmp     \to, %r10d
        jne     1b
2:
        .endm

/*
 * The words before it; then in %r10 where it belongs. What a word has too much may be
 * overwritten by the next one only: so first they, then it, then what is after.
 */
        .macro  STORE_IN_FRONT
        movzbl  RECIPE_MEMORY(%rbp), %ebx
        xor     %r10d, %r10d
        STORE_WORDS %ebx, %rdi
        movzwl  RECIPE_PLACE(%rbp,%rbx,2), %eax
        lea     16(%rdi,%rax), %r10
        .endm

/* The words after it, \base being as much later as it is long, and zeros after the last. */
        .macro  STORE_BEHIND base
        movzbl  RECIPE_AFTER(%rbp), %r10d
        movzbl  RECIPE_COUNT(%rbp), %ebx
        STORE_WORDS %ebx, \base
        movzwl  RECIPE_FIXED(%rbp), %eax
        movq    $0, 16(\base,%rax)
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
 * the thread stays on CPU, is not interrupted, and the head is what WRITE says.
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

/*
 * bool ring_record(const struct rings *rings, const uint64_t *words, size_t count,
 *                  const uint16_t *places, uint64_t class)
 *
 * All of a hit's step in one piece, from reading which CPU this is on. In \next there is how many
 * bytes the fields take, at most; then where the head would go, and in one word more than that the
 * packet must be the same (ring_has_room). In %r11 there is the ring, in %rdi where the event goes,
 * whose first word is stored.
 */
        .macro  BEGIN_RECORD name, next, class
        mov     counters_area(%rip), %r11
        RSEQ_NAME \name, r11, rax
.L\name\()_begin:
        mov     %fs:RSEQ_CPU_ID(%r11), %eax
        cmp     RINGS_CPUS(%rdi), %rax
        jae     .L\name\()_abort
        imul    RINGS_STRIDE(%rdi), %rax
        add     RINGS_FIRST(%rdi), %rax
        mov     %rax, %r11
        mov     RING_HEAD(%r11), %rdx
        lea     23(%rdx,\next), \next
        and     $-8, \next
        lea     7(\next), %rax
        dec     %rdx
        xor     %rdx, %rax
        test    %rax, RINGS_PACKET_MASK(%rdi)
        jnz     .L\name\()_abort
        rdtsc
        shl     $32, %rdx
        or      %rdx, %rax
        mov     %rax, %rdx
        sub     RING_LAST(%r11), %rdx
        shr     $RING_FAR_SHIFT, %rdx /* ring_is_far */
        jnz     .L\name\()_abort
        mov     %rax, RING_LAST(%r11)
        shl     $64 - RING_TIME_BITS, %rax
        shr     $64 - RING_TIME_BITS, %rax
        or      \class, %rax
        mov     RING_HEAD(%r11), %rdx
        and     RINGS_MASK(%rdi), %rdx
        lea     RING_DATA(%r11,%rdx), %rdi
        mov     %rax, (%rdi)
        .endm

/* The end of it, and the ways out. In \kept are the registers that were pushed. */
        .macro  END_RECORD name, next, kept:vararg
        mov     \next, RING_HEAD(%r11)
.L\name\()_end:
        mov     $1, %eax
        .cfi_remember_state
        .irp    register, \kept
        POP_KEPT \register
        .endr
        ret
        .cfi_restore_state
        RSEQ_ABORT \name
        .globl  ring_\name\()_abort /* where a signal by an instruction of the piece is: fault.c */
        .hidden ring_\name\()_abort
ring_\name\()_abort:
        xor     %eax, %eax
        .irp    register, \kept
        POP_KEPT \register
        .endr
        ret
        RSEQ_PIECE \name
        .endm

        FUNCTION ring_record, 6
        endbr64
        PUSH_KEPT rbx
        AT_FIELDS
        movzwl  (%rcx), %ebx
        BEGIN_RECORD record, %rbx, %r8
        STORE_FIELDS
        END_RECORD record, %rbx, rbx
        END     ring_record

/*
 * bool ring_record_registers(const struct rings *rings, uint64_t second,
 *                            const struct recipe *recipe, const struct registers *registers)
 *
 * Whole registers are stored; what is too much is overwritten by the next one, as in STORE_FIELDS.
 */
        FUNCTION ring_record_registers, 6
        endbr64
        PUSH_KEPT rbx
        mov     %rdx, %r8
        movzwl  RECIPE_FIXED(%rdx), %ebx
        BEGIN_RECORD registers, %rbx, RECIPE_CLASS(%r8)
        mov     %rsi, 8(%rdi)
        movzbl  RECIPE_COUNT(%r8), %r9d
        xor     %r10d, %r10d
1:      movzbl  RECIPE_FROM(%r8,%r10), %eax
        movzwl  RECIPE_PLACE(%r8,%r10,2), %edx
        mov     (%rcx,%rax), %rax
        inc     %r10d
        mov     %rax, 16(%rdi,%rdx)
        cmp     %r9d, %r10d
        jne     1b
        movzwl  RECIPE_FIXED(%r8), %eax
        movq    $0, 16(%rdi,%rax)
        END_RECORD registers, %rbx, rbx
        END     ring_record_registers

/*
 * bool ring_record_array(const struct rings *rings, const uint64_t *words,
 *                        const struct recipe *recipe, uintptr_t from, size_t bytes, size_t length)
 *
 * The copy is a part of the piece: it goes after the head, where nothing counts yet, and a load
 * that faults is a signal, by which the kernel aborts the piece.
 */
        FUNCTION ring_record_array, 6
        endbr64
        PUSH_KEPT rbx
        PUSH_KEPT rbp
        PUSH_KEPT r12
        mov     %rdx, %rbp
        movzwl  RECIPE_FIXED(%rdx), %r12d
        lea     2(%r12,%r8), %r12
        BEGIN_RECORD array, %r12, RECIPE_CLASS(%rbp)
        mov     8(%rsi), %rax
        mov     %rax, 8(%rdi)
        STORE_IN_FRONT
        mov     %r9w, (%r10)
        xor     %eax, %eax
3:      mov     (%rcx,%rax), %rdx
        mov     %rdx, 2(%r10,%rax)
        add     $8, %rax
        cmp     %r8, %rax
        jb      3b
        lea     2(%rdi,%r8), %rdi
        STORE_BEHIND %rdi
        END_RECORD array, %r12, r12, rbp, rbx
        END     ring_record_array

/*
 * bool ring_record_text(…, size_t most, bool is_all)
 *
 * The same, but its length is known only when it was copied; so there must be room for the longest,
 * and the second word, and where the head goes, come afterwards. Each word of the text is loaded
 * once, and what is stored is what was tested, if others are writing it. Whether a byte of a word
 * is zero, ASCII is asked in short: (word - 01…) & 80….
 */
        FUNCTION ring_record_text, 6
        endbr64
        PUSH_KEPT rbx
        PUSH_KEPT rbp
        PUSH_KEPT r12
        movabs  $-0x0101010101010101, %r12
        mov     %rdx, %rbp
        movzwl  RECIPE_FIXED(%rdx), %ebx
        lea     1(%rbx,%r8), %rbx
        BEGIN_RECORD text, %rbx, RECIPE_CLASS(%rbp)
        STORE_IN_FRONT
        xor     %eax, %eax
3:      mov     (%rcx,%rax), %rdx
        lea     (%rdx,%r12), %rbx
        mov     %rdx, (%r10,%rax)
        test    %rbx, .Ltops(%rip)
        jnz     5f
4:      add     $8, %rax
        cmp     %r8, %rax
        jb      3b
        jmp     6f
5:      not     %rdx
        and     .Ltops(%rip), %rbx
        and     %rdx, %rbx /* of the first byte that is zero, bit 7 */
        jz      4b
        rep bsf %rbx, %rbx
        shr     $3, %ebx
        add     %eax, %ebx
        cmp     %r8, %rbx
        jbe     7f
6:      test    %r9d, %r9d
        jz      .Ltext_abort /* it goes on in the next page */
        mov     %r8, %rbx
        movb    $0, (%r10,%rbx)
7:      movzwl  RECIPE_FIXED(%rbp), %eax
        mov     RING_HEAD(%r11), %r8
        lea     17(%rax,%rbx), %edx
        lea     1(%rdi,%rbx), %rcx
        lea     7(%r8,%rdx), %r8
        and     $-8, %r8
        mov     %edx, %eax /* ring_second_word() */
        and     $~0x3ff, %eax
        jz      8f
        xor     %eax, %edx
        shl     $22, %rax
        or      %rax, %rdx
8:      shl     $22, %rdx
        or      8(%rsi), %rdx
        mov     %rdx, 8(%rdi)
        STORE_BEHIND %rcx
        END_RECORD text, %r8, r12, rbp, rbx
        .section .rodata
        .p2align 3
.Ltops: .quad   0x8080808080808080
        .text
        END     ring_record_text

/* Of the event of FIELDS (%rsi), which becomes its words: what the next two have in common. */
        .macro  LOAD_FIELDS
        mov     WRITE_TO(%rsi), %rdi
        mov     FIELDS_COUNT(%rsi), %rdx
        mov     FIELDS_PLACES(%rsi), %rcx
        mov     FIELDS_WORDS(%rsi), %rsi
        AT_FIELDS
        mov     (%rsi), %rax
        mov     %rax, (%rdi)
        .endm

/* bool ring_commit_fields(struct ring *ring, const struct ring_fields *fields, unsigned cpu) */
        FUNCTION ring_commit_fields
        endbr64
        PUSH_KEPT rbx
        mov     %rdi, %r8
        mov     %rsi, %rbx
        mov     WRITE_HEAD(%rsi), %r10
        mov     counters_area(%rip), %r11
        RSEQ_NAME fields, r11, rax
.Lfields_begin:
        cmp     %edx, %fs:RSEQ_CPU_ID(%r11)
        jne     .Lfields_abort
        cmp     %r10, RING_HEAD(%r8)
        jne     .Lfields_abort
        LOAD_FIELDS
        STORE_FIELDS
        mov     WRITE_LAST(%rbx), %rax
        mov     WRITE_NEXT(%rbx), %rcx
        mov     %rax, RING_LAST(%r8)
        mov     %rcx, RING_HEAD(%r8)
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
 * The same for a ring that only the calling thread writes to, which blocks all signals meanwhile.
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

        FUNCTION ring_commit_fields_alone
        endbr64
        mov     %rdi, %r8
        mov     %rsi, %r11
        mov     WRITE_HEAD(%rsi), %rax
        cmp     %rax, RING_HEAD(%rdi)
        jne     3f
        LOAD_FIELDS
        STORE_FIELDS
        mov     WRITE_LAST(%r11), %rax
        mov     WRITE_NEXT(%r11), %rcx
        mov     %rax, RING_LAST(%r8)
        mov     WRITE_HEAD(%r11), %rax
        cmpxchg %rcx, RING_HEAD(%r8)
3:      sete    %al
        movzbl  %al, %eax
        ret
        END     ring_commit_fields_alone

        END_OF_FILE
