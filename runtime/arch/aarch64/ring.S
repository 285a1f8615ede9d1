/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The step of a ring (ring/ring.h), as a restartable sequence. ring/ring_alone.c has what
 * does the same where there are none.
 *
 * All of it is in registers that a call may change, so there is no frame. The head is stored by
 * `stlr`: whoever sees it, on another CPU or in another process, sees the event.
 */
#include "macros.inc"
#include "rseq.inc"

/*
 * Store words from the second one of x1 on at x0, and zeros after the last: x2 words after the
 * first two, where x3 says. x0 to x3, x9 and x10 change.
 */
        .macro  STORE_FIELDS
        ldr     x9, [x1, #8]
        str     x9, [x0, #8]
        add     x0, x0, #16
        add     x1, x1, #16
        cbz     x2, 2f
1:      ldrh    w9, [x3], #2
        ldr     x10, [x1], #8
        str     x10, [x0, x9]
        sub     x2, x2, #1
        cbnz    x2, 1b
2:      ldrh    w9, [x3]
        str     xzr, [x0, x9]
        .endm

/*
 * For an event with a text or an array. x2 is its recipe, x1 its words, x0 where it goes. Store
 * words from number w9 up to number \to, \base being before their places. x12 and x13 change.
 */
        .macro  STORE_WORDS to, base
        add     x6, x1, #16
        add     x7, x2, #RECIPE_PLACE
        add     x16, \base, #16
1:      cmp     w9, \to
        b.eq    2f
        ldrh    w12, [x7, x9, lsl #1]
        ldr     x13, [x6, x9, lsl #3]
        str     x13, [x16, x12]
        add     w9, w9, #1
        b       1b
2:
        .endm

/*
 * The words before it; then in x10 where it belongs. What a word has too much may be overwritten
 * by the next one only: so first they, then it, then what is after.
 */
        .macro  STORE_IN_FRONT
        ldrb    w14, [x2, #RECIPE_MEMORY]
        mov     w9, #0
        STORE_WORDS w14, x0
        add     x7, x2, #RECIPE_PLACE
        ldrh    w12, [x7, x14, lsl #1]
        add     x10, x0, x12
        add     x10, x10, #16
        .endm

/* The words after it, \base being as much later as it is long, and zeros after the last. */
        .macro  STORE_BEHIND base
        ldrb    w9, [x2, #RECIPE_AFTER]
        ldrb    w14, [x2, #RECIPE_COUNT]
        STORE_WORDS w14, \base
        ldrh    w12, [x2, #RECIPE_FIXED]
        str     xzr, [x16, x12]
        .endm

/*
 * All of a hit's step in one piece, from reading which CPU this is on. In \next there is how many
 * bytes the fields take, at most; then where the head would go, and in one word more than that the
 * packet must be the same (ring_has_room). Then x11 is the ring, x17 its head, and x0 where the
 * event goes, whose first word is stored. x9, x10 and x12 to x15 change.
 */
        .macro  BEGIN_RECORD name, next, class
        RSEQ_NAME \name, x9, x10
.L\name\()_begin:
        ldr     w10, [x9, #RSEQ_CPU_ID]
        ldr     x11, [x0, #RINGS_CPUS]
        cmp     x10, x11
        b.hs    .L\name\()_abort
        ldp     x11, x12, [x0, #RINGS_FIRST] /* and RINGS_STRIDE */
        madd    x11, x10, x12, x11
        ldr     x17, [x11, #RING_HEAD]
        ldp     x14, x15, [x0, #RINGS_MASK] /* and RINGS_PACKET_MASK */
        add     \next, \next, #23
        add     \next, \next, x17
        and     \next, \next, #-8
        add     x12, \next, #7
        sub     x13, x17, #1
        eor     x12, x12, x13
        tst     x12, x15
        b.ne    .L\name\()_abort
        mrs     x12, cntvct_el0
        ldr     x13, [x11, #RING_LAST]
        sub     x13, x12, x13
        lsr     x13, x13, #RING_FAR_SHIFT /* ring_is_far */
        cbnz    x13, .L\name\()_abort
        str     x12, [x11, #RING_LAST]
        and     x12, x12, #(1 << RING_TIME_BITS) - 1
        orr     x12, x12, \class
        and     x13, x17, x14
        add     x0, x11, x13
        add     x0, x0, #RING_DATA
        str     x12, [x0]
        .endm

/* The end of it, and the ways out. */
        .macro  END_RECORD name, next
        stlr    \next, [x11] /* RING_HEAD */
.L\name\()_end:
        mov     w0, #1
        ret
        RSEQ_ABORT \name
        .globl  ring_\name\()_abort /* where a signal by an instruction of the piece is: fault.c */
        .hidden ring_\name\()_abort
ring_\name\()_abort:
        mov     w0, #0
        ret
        RSEQ_PIECE \name
        .endm

        .text
/*
 * bool ring_record(const struct rings *rings, const uint64_t *words, size_t count,
 *                  const uint16_t *places, uint64_t class)
 */
        FUNCTION ring_record
        ldrh    w8, [x3, x2, lsl #1]
        BEGIN_RECORD record, x8, x4
        STORE_FIELDS
        END_RECORD record, x8
        END     ring_record

/*
 * bool ring_record_array(const struct rings *rings, const uint64_t *words,
 *                        const struct recipe *recipe, uintptr_t from, size_t bytes, size_t length)
 *
 * The copy is a part of the piece: it goes after the head, where nothing counts yet, and a load
 * that faults is a signal, by which the kernel aborts the piece.
 */
        FUNCTION ring_record_array
        ldrh    w8, [x2, #RECIPE_FIXED]
        add     x8, x8, x4
        add     x8, x8, #2
        ldr     x7, [x2, #RECIPE_CLASS]
        BEGIN_RECORD array, x8, x7
        ldr     x12, [x1, #8]
        str     x12, [x0, #8]
        STORE_IN_FRONT
        strh    w5, [x10], #2
        mov     x12, #0
3:      ldr     x13, [x3, x12]
        str     x13, [x10, x12]
        add     x12, x12, #8
        cmp     x12, x4
        b.lo    3b
        add     x15, x0, x4
        add     x15, x15, #2
        STORE_BEHIND x15
        END_RECORD array, x8
        END     ring_record_array

/*
 * bool ring_record_text(…, size_t most, bool is_all)
 *
 * The same, but its length is known only when it was copied; so there must be room for the longest,
 * and the second word, and where the head goes, come afterwards. Each word of the text is loaded
 * once, and what is stored is what was tested, if others are writing it. The first byte that is
 * zero has the lowest bit of (word - 01…) & ~word & 80….
 */
        FUNCTION ring_record_text
        ldrh    w8, [x2, #RECIPE_FIXED]
        add     x8, x8, x4
        add     x8, x8, #1
        ldr     x7, [x2, #RECIPE_CLASS]
        BEGIN_RECORD text, x8, x7
        STORE_IN_FRONT
        mov     x14, #0x0101010101010101
        mov     x15, #0
3:      ldr     x12, [x3, x15]
        str     x12, [x10, x15]
        sub     x13, x12, x14
        bic     x13, x13, x12
        ands    x13, x13, #0x8080808080808080
        b.ne    5f
        add     x15, x15, #8
        cmp     x15, x4
        b.lo    3b
        b       6f
5:      rbit    x13, x13
        clz     x13, x13
        add     x15, x15, x13, lsr #3
        cmp     x15, x4
        b.ls    7f
6:      tbz     w5, #0, .Ltext_abort /* it goes on in the next page */
        mov     x15, x4
        strb    wzr, [x10, x15]
7:      ldrh    w12, [x2, #RECIPE_FIXED]
        add     x12, x12, x15
        add     x12, x12, #17
        add     x8, x17, x12
        add     x8, x8, #7
        and     x8, x8, #-8
        and     x13, x12, #0x3ff /* ring_second_word() */
        and     x12, x12, #~0x3ff
        ldr     x14, [x1, #8]
        orr     x14, x14, x13, lsl #22
        orr     x14, x14, x12, lsl #44
        str     x14, [x0, #8]
        add     x15, x15, x0
        add     x15, x15, #1
        STORE_BEHIND x15
        END_RECORD text, x8
        END     ring_record_text

/* What the next two have in common: x0 is the ring, x1 the step, w2 the CPU; x17 is its head. */
        .macro  BEGIN_COMMIT name
        ldr     x17, [x1, #WRITE_HEAD]
        RSEQ_NAME \name, x9, x10
.L\name\()_begin:
        ldr     w10, [x9, #RSEQ_CPU_ID]
        ldr     x11, [x0, #RING_HEAD]
        cmp     w10, w2
        b.ne    .L\name\()_abort
        cmp     x11, x17
        b.ne    .L\name\()_abort
        .endm

/* With the ring in x11 and the step in x8. */
        .macro  END_COMMIT name
        ldr     x12, [x8, #WRITE_LAST]
        ldr     x13, [x8, #WRITE_NEXT]
        str     x12, [x11, #RING_LAST]
        stlr    x13, [x11] /* RING_HEAD */
.L\name\()_end:
        mov     w0, #1
        ret
        RSEQ_ABORT \name
        mov     w0, #0
        ret
        RSEQ_PIECE \name
        .endm

/*
 * bool ring_commit(struct ring *ring, const struct ring_write *write, unsigned cpu): do WRITE, if
 * the thread stays on CPU, is not interrupted, and the head is what WRITE says.
 */
        FUNCTION ring_commit
        BEGIN_COMMIT ring
        mov     x11, x0
        mov     x8, x1
        ldp     x3, x4, [x8, #WRITE_TO] /* and WRITE_FROM */
        ldr     x5, [x8, #WRITE_WORDS]
1:      ldr     x6, [x4], #8
        str     x6, [x3], #8
        sub     x5, x5, #1
        cbnz    x5, 1b
        END_COMMIT ring
        END     ring_commit

/* bool ring_commit_fields(struct ring *ring, const struct ring_fields *fields, unsigned cpu) */
        FUNCTION ring_commit_fields
        BEGIN_COMMIT fields
        mov     x11, x0
        mov     x8, x1
        ldr     x0, [x8, #WRITE_TO]
        ldp     x2, x3, [x8, #FIELDS_COUNT] /* and FIELDS_PLACES */
        ldr     x1, [x8, #FIELDS_WORDS]
        ldr     x9, [x1]
        str     x9, [x0]
        STORE_FIELDS
        END_COMMIT fields
        END     ring_commit_fields

        END_OF_FILE
