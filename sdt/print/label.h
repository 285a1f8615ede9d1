/* SPDX-License-Identifier: BSD-2-Clause */
/* The name of a probe for people (base/probe_label.h), of strings. */
#ifndef SDT_LABEL_H
#define SDT_LABEL_H

#include "base/memory.h"

/* Escaped: without control characters. */
void label_append(struct bytes *to, const char *provider, const char *name);
/* The same as a string, the caller's. */
char *label_of(const char *provider, const char *name);
/* The same of one of the two, or of a pattern. */
void label_part_append(struct bytes *to, const char *part);
char *label_part(const char *part);

#endif
