/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Which probes begin and end something, by their names.
 *
 * Two probes of one provider are a pair if their names differ only in the last word, and these
 * words are begin and end, start and done, start and end, or entry and return. The word is the
 * whole name, or follows `_`, `-` or `.`.
 */
#ifndef SDT_PAIR_NAMES_H
#define SDT_PAIR_NAMES_H

#include <stdbool.h>
#include <stddef.h>

/* The N-th name (from 0) that a probe may have that ends what NAME begins; NULL: there are no more.
 * The caller's. */
char *pair_names_end_of(const char *name, size_t n);
/* Whether END ends what BEGIN begins; *STEM is the length of what both have in common, without what
 * separates it from the word. */
bool pair_names_match(const char *begin, const char *end, size_t *stem);

#endif
