/* SPDX-License-Identifier: BSD-2-Clause */
/* Programs that need no steps at a hit: struct quick of compiled.h. In normal context. */
#ifndef SDT_BYTECODE_QUICK_H
#define SDT_BYTECODE_QUICK_H

#include "compiled.h"
#include "exchange/validate.h"

/* What comparisons with a number accept: of OP, which is complete but for its range. */
void quick_take_range(struct op *op);
/* Whether MADE, whose ops are PROGRAM's, can do without them; if so, `quick` is made. */
bool quick_take(const struct live_program *program, const struct live_types *types,
                struct live_aggregation *made);

#endif
