/* SPDX-License-Identifier: BSD-2-Clause */
/* The plan as text, and messages about its sites. */
#ifndef SDTLINK_REWRITE_PLAN_PRINT_H
#define SDTLINK_REWRITE_PLAN_PRINT_H

#include "plan.h"

/* To standard output: a line for each site, or one array of JSON. */
void plan_print(const struct plan *plan, bool as_json);
/* "e8 00 00 00 00"; TEXT has room for three characters a byte. */
void plan_format_bytes(const uint8_t *bytes, size_t count, char *text);
/* Say why PLANNED is refused; its bytes are in the message if HAS_BYTES. Returns -1. */
int plan_refuse(const struct plan *plan, const struct planned_site *planned,
                const struct arch_refusal *refusal, bool has_bytes);

#endif
