/* SPDX-License-Identifier: BSD-2-Clause */
/* The plan as text. */
#ifndef SDTLINK_REWRITE_PLAN_PRINT_H
#define SDTLINK_REWRITE_PLAN_PRINT_H

#include "plan.h"

/* To standard output: a line for each site, or one array of JSON. */
void plan_print(const struct plan *plan, bool as_json);
/* "e8 00 00 00 00"; TEXT has room for three characters a byte. */
void plan_format_bytes(const uint8_t *bytes, size_t count, char *text);

#endif
