/* SPDX-License-Identifier: BSD-2-Clause */
/* What valgrind must be told, and its users. Elsewhere all of this is a few instructions. */
#ifndef SDT_VALGRIND_H
#define SDT_VALGRIND_H

#include <stddef.h>

/* The N bytes of code at TEXT were written: translations of what was there before are wrong. */
void valgrind_forget(const void *text, size_t n);

#endif
