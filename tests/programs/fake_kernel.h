/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A kernel in a program, for the freestanding runtime (<sdt/kernel.h>): its processors are threads,
 * its interrupts are signals. fake_kernel.c defines the functions that the runtime asks for.
 */
#ifndef FAKE_KERNEL_H
#define FAKE_KERNEL_H

#include <sdt/kernel.h>

enum { CPUS = 8 };

/* Before all else; the text becomes writable. */
void fake_start(void);
/* The calling thread is processor CPU, 0 to CPUS - 1. */
void fake_become(unsigned cpu);
/* SIGUSR1 of this processor runs FUNCTION at a higher level of interruption. */
void fake_interrupts(void (*function)(void));

/* Allocations that have not been freed; and the one, counted from now, that fails (0: none). */
extern long fake_allocated;
extern long fake_failing;
/* Calls of sdt_kernel_read() so far; and those of _write() since the last _synchronise(). */
extern long fake_reads, fake_unseen;
/* What sdt_kernel_write returns in place of writing; 0: it writes. */
extern int fake_write_error;
/* Another writer of text, who has its lock before the runtime has it the next time; NULL: none. */
extern void (*fake_other_writer)(void);
/* Whether refused sites are printed: "refused: MODULE PROBE ERROR". */
extern int fake_prints;

#endif
