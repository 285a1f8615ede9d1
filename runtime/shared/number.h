/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Numbers in text, for files that ask for extensions (_GNU_SOURCE): to these, glibc gives functions
 * of C23 in place of strtoull() since 2.38. No other C library has those, and libsdt.a is linked
 * with musl as well.
 */
#ifndef SDT_SHARED_NUMBER_H
#define SDT_SHARED_NUMBER_H

#include <stdint.h>

/* strtoull(). END may be NULL. */
uint64_t number_read(const char *text, char **end, int base);

#endif
