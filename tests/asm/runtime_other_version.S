/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The fixture, and beside it what a copy of another version's runtime would leave: in charge, or
 * with -DFOLLOWS not elected yet.
 */
#include "runtime_fixture.S"

        .section .note.sdtlink, "a", @note
        .balign 4
        .long   8, 8, 1
        .asciz  "sdtlink"
        .long   999
        .long   other_copy - .

        .data
        .balign 8
other_copy:
        .long   999, 16         /* version, size */
#ifdef FOLLOWS
        .quad   0
#else
        .quad   other_copy      /* leader */
#endif
