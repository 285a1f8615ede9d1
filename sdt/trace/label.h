/* SPDX-License-Identifier: BSD-2-Clause */
/* The name of a probe for people: PROVIDER:NAME, where `__` of the C identifier is `-`. */
#ifndef SDT_LABEL_H
#define SDT_LABEL_H

#include "base/memory.h"

/* Escaped: without control characters. */
void label_append(struct bytes *to, const char *provider, const char *name);
/* The same as a string, the caller's. */
char *label_of(const char *provider, const char *name);
/* The same of one of the two. */
char *label_part(const char *part);

#endif
