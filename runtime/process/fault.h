/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Copying memory that may not be there, without asking the kernel at each hit.
 */
#ifndef SDT_FAULT_H
#define SDT_FAULT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Install handlers of SIGSEGV and SIGBUS that run before the program's, again if they have been
 * replaced. Locked. Returns whether the functions below may be used: if not, peek_text() (peek.h)
 * does the same.
 */
bool fault_guard(void);

/*
 * In the machine's copy.S: copy at most MOST bytes at FROM to TO, with IS_TEXT only those before
 * the first NUL. Returns how many, or -1: not all of them can be read. It stores whole words, up to
 * 15 bytes more. Async-signal-safe; general registers only. In a thread that blocks SIGSEGV, what
 * cannot be read ends the process, as it would if the thread read it itself.
 */
uint64_t clock_cycles(void); /* the time-stamp counter; 0: the thread may not read it */
long copy_text(uint64_t *to, uintptr_t from, size_t most, bool is_text);
/* The 25 bytes at FROM, and zeros after them: 0, or -1. In a quarter of the instructions. */
enum { COPY_RECORD = 25 };
long copy_record(uint64_t to[4], uintptr_t from);

#endif
