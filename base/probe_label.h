/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The name of a probe for people: PROVIDER:NAME, where `__` of the C identifier is `-`, as DTrace
 * has it. Patterns and conditions accept both; JSON and the like have the identifier.
 */
#ifndef SDT_BASE_PROBE_LABEL_H
#define SDT_BASE_PROBE_LABEL_H

#include "memory.h"
#include "slice.h"

#include <stdio.h>

/* One of the two, or a pattern, without control characters. */
void probe_part_append(struct bytes *to, struct slice part);
void probe_part_print(FILE *out, struct slice part);
/* Both; to be freed. */
char *probe_label(struct slice provider, struct slice name);
/* "probe PROVIDER:NAME", as the symbol of a message; to be freed. */
char *probe_named(struct slice provider, struct slice name);

#endif
