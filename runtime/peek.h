/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Reading memory that may not be there.
 */
#ifndef SDT_PEEK_H
#define SDT_PEEK_H

#include <stddef.h>
#include <stdint.h>

/*
 * Copy the N bytes at ADDRESS to TO. 0; -EFAULT: not all of them can be read; another error: the
 * kernel was not asked (a seccomp filter), so nothing is known. Async-signal-safe; errno is kept.
 */
int peek(void *to, uintptr_t address, size_t n);

#endif
