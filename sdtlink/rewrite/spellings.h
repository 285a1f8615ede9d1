/* SPDX-License-Identifier: BSD-2-Clause */
/* What a program would load for nothing: how the arguments of its probes are spelled. */
#ifndef SDTLINK_REWRITE_SPELLINGS_H
#define SDTLINK_REWRITE_SPELLINGS_H

#include "plan.h"

/* Blank the spellings of PLAN's sites, whose names are in the set now. Symbols still have their
 * numbers of the input. */
void spellings_blank(struct object *object, const struct plan *plan);

#endif
