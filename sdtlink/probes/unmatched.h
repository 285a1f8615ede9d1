/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Which elements of `--functions=` have chosen no function, of all objects that a process and its
 * children look at: one that is misspelt would be silent otherwise.
 */
#ifndef SDTLINK_PROBES_UNMATCHED_H
#define SDTLINK_PROBES_UNMATCHED_H

#include "base/function_name.h"

#include <stddef.h>

struct unmatched;

/* For COUNT elements; where TEXTS has NULL, nothing is said. NULL: there is no memory for that. */
struct unmatched *unmatched_begin(const char *const *texts, size_t count);
/* Element I does or does not match the function of NAME. */
void unmatched_note(struct unmatched *unmatched, size_t i, const struct function_name *name,
                    bool is_matched);
/* Warn of the same elements, if there were functions. OUTPUT is what is linked. */
void unmatched_warn(const struct unmatched *unmatched, const char *const *texts, size_t count,
                    const char *output);
/* UNMATCHED may be NULL. */
void unmatched_end(struct unmatched *unmatched);

#endif
