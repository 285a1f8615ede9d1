/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The step of a ring (ring/ring.h), as a restartable sequence. ring/ring_alone.c has what
 * does the same where there are none.
 *
 * All of it is in registers that a call may change, so there is no frame. The head is stored after
 * a fence: whoever sees it, on another CPU or in another process, sees the event.
 *
 * Fields follow each other without padding. Processors may take a store across a boundary of eight
 * bytes for a trap, and emulate it: such words are stored byte by byte, and texts and arrays are
 * copied so.
 */
#include "macros.inc"
#include "rseq.inc"

/* Store VALUE at AT. Both change, and SCRATCH. */
        .macro  STORE_WORD value, at, scratch
        andi    \scratch, \at, 7
        bnez    \scratch, 8f
        sd      \value, 0(\at)
        j       9f
8:      sb      \value, 0(\at)
        .irp    n, 1, 2, 3, 4, 5, 6, 7
        srli    \value, \value, 8
        sb      \value, \n(\at)
        .endr
9:
        .endm

/* Eight zeros at AT; it changes, and SCRATCH. */
        .macro  STORE_ZEROS at, scratch
        li      t2, 0
        STORE_WORD t2, \at, \scratch
        .endm

/*
 * Store words from the second one of a1 on at a0, and zeros after the last: a2 words after the
 * first two, where a3 says. a0 to a3 and t0 to t3 change.
 */
        .macro  STORE_FIELDS
        ld      t0, 8(a1)
        sd      t0, 8(a0)
        addi    a0, a0, 16
        addi    a1, a1, 16
        beqz    a2, 2f
1:      lhu     t0, 0(a3)
        addi    a3, a3, 2
        ld      t1, 0(a1)
        addi    a1, a1, 8
        add     t0, t0, a0
        STORE_WORD t1, t0, t3
        addi    a2, a2, -1
        bnez    a2, 1b
2:      lhu     t0, 0(a3)
        add     t0, t0, a0
        STORE_ZEROS t0, t3
        .endm

/*
 * For an event with a text or an array. a2 is its recipe, a1 its words, a0 where it goes. Store
 * words from number t0 up to number \to, \base being before their places. t0 to t3 change.
 */
        .macro  STORE_WORDS to, base
1:      beq     t0, \to, 2f
        slli    t1, t0, 1
        add     t1, t1, a2
        lhu     t1, RECIPE_PLACE(t1)
        slli    t2, t0, 3
        add     t2, t2, a1
        ld      t2, 16(t2)
        add     t1, t1, \base
        addi    t1, t1, 16
        STORE_WORD t2, t1, t3
        addi    t0, t0, 1
        j       1b
2:
        .endm

/*
 * The words before it; then in a7 where it belongs. What a word has too much may be overwritten by
 * the next one only: so first they, then it, then what is after.
 */
        .macro  STORE_IN_FRONT
        lbu     a6, RECIPE_MEMORY(a2)
        li      t0, 0
        STORE_WORDS a6, a0
        slli    t1, a6, 1
        add     t1, t1, a2
        lhu     t1, RECIPE_PLACE(t1)
        add     a7, a0, t1
        addi    a7, a7, 16
        .endm

/* The words after it, \base being as much later as it is long, and zeros after the last. */
        .macro  STORE_BEHIND base
        lbu     t0, RECIPE_AFTER(a2)
        lbu     a7, RECIPE_COUNT(a2)
        STORE_WORDS a7, \base
        lhu     t1, RECIPE_FIXED(a2)
        add     t1, t1, \base
        addi    t1, t1, 16
        STORE_ZEROS t1, t3
        .endm

/*
 * All of a hit's step in one piece, from reading which CPU this is on. In \next there is how many
 * bytes the fields take, at most; then where the head would go, and in one word more than that the
 * packet must be the same (ring_has_room). Then t5 is the ring, t6 its head, and a0 where the event
 * goes, whose first word is stored. t0 to t3 change.
 */
        .macro  BEGIN_RECORD name, next, class
        RSEQ_NAME \name, t0, t1
.L\name\()_begin:
        lwu     t1, RSEQ_CPU_ID(t0)
        ld      t5, RINGS_CPUS(a0)
        bgeu    t1, t5, .L\name\()_far
        ld      t5, RINGS_FIRST(a0)
        ld      t2, RINGS_STRIDE(a0)
        mul     t1, t1, t2
        add     t5, t5, t1
        ld      t6, RING_HEAD(t5)
        addi    \next, \next, 23
        add     \next, \next, t6
        andi    \next, \next, -8
        addi    t2, \next, 7
        addi    t3, t6, -1
        xor     t2, t2, t3
        ld      t3, RINGS_PACKET_MASK(a0)
        and     t2, t2, t3
        bnez    t2, .L\name\()_far
        rdtime  t2
        ld      t3, RING_LAST(t5)
        sub     t3, t2, t3
        srli    t3, t3, RING_FAR_SHIFT /* ring_is_far */
        beqz    t3, 1f
.L\name\()_far:
        j       .L\name\()_abort
1:      sd      t2, RING_LAST(t5)
        slli    t2, t2, 64 - RING_TIME_BITS
        srli    t2, t2, 64 - RING_TIME_BITS
        or      t2, t2, \class
        ld      t3, RINGS_MASK(a0)
        and     t3, t3, t6
        add     a0, t5, t3
        li      t3, RING_DATA
        add     a0, a0, t3
        sd      t2, 0(a0)
        .endm

/* The last stores of a step, of the ring RING. */
        .macro  STORE_HEAD next, ring
        fence   rw, w
        sd      \next, RING_HEAD(\ring)
        .endm

/* The end of it, and the ways out. */
        .macro  END_RECORD name, next
        STORE_HEAD \next, t5
.L\name\()_end:
        li      a0, 1
        ret
        RSEQ_ABORT \name
        .globl  ring_\name\()_abort /* where a signal by an instruction of the piece is: fault.c */
        .hidden ring_\name\()_abort
ring_\name\()_abort:
        li      a0, 0
        ret
        RSEQ_PIECE \name
        .endm

        .text
/*
 * bool ring_record(const struct rings *rings, const uint64_t *words, size_t count,
 *                  const uint16_t *places, uint64_t class)
 */
        FUNCTION ring_record
        slli    t0, a2, 1
        add     t0, t0, a3
        lhu     t4, 0(t0)
        BEGIN_RECORD record, t4, a4
        STORE_FIELDS
        END_RECORD record, t4
        END     ring_record

/*
 * bool ring_record_array(const struct rings *rings, const uint64_t *words,
 *                        const struct recipe *recipe, uintptr_t from, size_t bytes, size_t length)
 *
 * The copy is a part of the piece: it goes after the head, where nothing counts yet, and a load
 * that faults is a signal, by which the kernel aborts the piece.
 */
        FUNCTION ring_record_array
        lhu     t4, RECIPE_FIXED(a2)
        add     t4, t4, a4
        addi    t4, t4, 2
        ld      a7, RECIPE_CLASS(a2)
        BEGIN_RECORD array, t4, a7
        ld      t2, 8(a1)
        sd      t2, 8(a0)
        STORE_IN_FRONT
        sb      a5, 0(a7)
        srli    t0, a5, 8
        sb      t0, 1(a7)
        add     t0, a3, a4
3:      beq     a3, t0, 4f
        lbu     t1, 0(a3)
        sb      t1, 2(a7)
        addi    a3, a3, 1
        addi    a7, a7, 1
        j       3b
4:      add     a6, a0, a4
        addi    a6, a6, 2
        STORE_BEHIND a6
        END_RECORD array, t4
        END     ring_record_array

/*
 * bool ring_record_text(…, size_t most, bool is_all)
 *
 * The same, but its length is known only when it was copied; so there must be room for the longest,
 * and the second word, and where the head goes, come afterwards. Each byte of the text is loaded
 * once, and what is stored is what was tested, if others are writing it.
 */
        FUNCTION ring_record_text
        lhu     t4, RECIPE_FIXED(a2)
        add     t4, t4, a4
        addi    t4, t4, 1
        ld      a7, RECIPE_CLASS(a2)
        BEGIN_RECORD text, t4, a7
        STORE_IN_FRONT
        li      t0, 0
3:      beq     t0, a4, 4f
        add     t1, a3, t0
        lbu     t1, 0(t1)
        add     t2, a7, t0
        sb      t1, 0(t2)
        beqz    t1, 5f
        addi    t0, t0, 1
        j       3b
4:      beqz    a5, .Ltext_far /* it goes on in the next page */
        add     t2, a7, t0
        sb      zero, 0(t2)
5:      lhu     t1, RECIPE_FIXED(a2)
        add     t1, t1, t0
        addi    t1, t1, 17
        add     t4, t6, t1
        addi    t4, t4, 7
        andi    t4, t4, -8
        andi    t2, t1, 0x3ff /* ring_second_word() */
        slli    t2, t2, 22
        srli    t1, t1, 10
        slli    t1, t1, 54
        ld      t3, 8(a1)
        or      t3, t3, t2
        or      t3, t3, t1
        sd      t3, 8(a0)
        add     a6, a0, t0
        addi    a6, a6, 1
        STORE_BEHIND a6
        END_RECORD text, t4
        END     ring_record_text

/* What the next two have in common: a0 is the ring, a1 the step, a2 the CPU. t0, t1, t5 change. */
        .macro  BEGIN_COMMIT name
        ld      t5, WRITE_HEAD(a1)
        RSEQ_NAME \name, t0, t1
.L\name\()_begin:
        lw      t1, RSEQ_CPU_ID(t0)
        bne     t1, a2, .L\name\()_far
        ld      t1, RING_HEAD(a0)
        beq     t1, t5, 1f
.L\name\()_far:
        j       .L\name\()_abort
1:
        .endm

/* With the ring in t5 and the step in t4. */
        .macro  END_COMMIT name
        ld      t2, WRITE_LAST(t4)
        ld      t3, WRITE_NEXT(t4)
        sd      t2, RING_LAST(t5)
        STORE_HEAD t3, t5
.L\name\()_end:
        li      a0, 1
        ret
        RSEQ_ABORT \name
        li      a0, 0
        ret
        RSEQ_PIECE \name
        .endm

/*
 * bool ring_commit(struct ring *ring, const struct ring_write *write, unsigned cpu): do WRITE, if
 * the thread stays on CPU, is not interrupted, and the head is what WRITE says.
 */
        FUNCTION ring_commit
        BEGIN_COMMIT ring
        mv      t5, a0
        mv      t4, a1
        ld      a3, WRITE_TO(t4)
        ld      a4, WRITE_FROM(t4)
        ld      a5, WRITE_WORDS(t4)
1:      ld      t0, 0(a4)
        sd      t0, 0(a3)
        addi    a4, a4, 8
        addi    a3, a3, 8
        addi    a5, a5, -1
        bnez    a5, 1b
        END_COMMIT ring
        END     ring_commit

/* bool ring_commit_fields(struct ring *ring, const struct ring_fields *fields, unsigned cpu) */
        FUNCTION ring_commit_fields
        BEGIN_COMMIT fields
        mv      t5, a0
        mv      t4, a1
        ld      a0, WRITE_TO(t4)
        ld      a2, FIELDS_COUNT(t4)
        ld      a3, FIELDS_PLACES(t4)
        ld      a1, FIELDS_WORDS(t4)
        ld      t0, 0(a1)
        sd      t0, 0(a0)
        STORE_FIELDS
        END_COMMIT fields
        END     ring_commit_fields

        END_OF_FILE
