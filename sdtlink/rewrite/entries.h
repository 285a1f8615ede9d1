/* SPDX-License-Identifier: BSD-2-Clause */
/* The code of sites with live registers. */
#ifndef SDTLINK_REWRITE_ENTRIES_H
#define SDTLINK_REWRITE_ENTRIES_H

#include "set.h"

/* One entry section per text section that needs one. To be called before set_add_sites(), which
 * calls … */
void entries_add(struct set *set);
/* … this, when the records of TEXT exist: entries lead to them. */
void entries_add_records(struct set *set, const struct planned_text *text);

#endif
