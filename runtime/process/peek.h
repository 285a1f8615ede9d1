/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Reading memory that may not be there.
 */
#ifndef SDT_PEEK_H
#define SDT_PEEK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Copy the N bytes at ADDRESS to TO. 0; -EFAULT: not all of them can be read; another error: the
 * kernel was not asked (a seccomp filter), so nothing is known. Async-signal-safe; errno is kept.
 */
int peek(void *to, uintptr_t address, size_t n);
/* The same of memory that was mapped, though its file may have been cut off since: where the kernel
 * may not be asked, it is believed. Whether TO has the bytes. */
bool peek_mapped(void *to, uintptr_t address, size_t n);

/*
 * Copy at most MOST bytes at ADDRESS to TO: with IS_TEXT those before the first NUL. Returns
 * how many, or -EFAULT. Async-signal-safe; errno is kept; general registers only.
 */
long peek_text(char *to, uintptr_t address, size_t most, bool is_text);

#endif
