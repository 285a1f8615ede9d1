/* SPDX-License-Identifier: BSD-2-Clause */
/* The steps of a program, at a hit. */
#ifndef SDT_BYTECODE_INTERPRET_H
#define SDT_BYTECODE_INTERPRET_H

#include "run.h"

/* False: the program ended before its action. */
static inline bool interpret_steps(struct run *run)
{
    const struct op *op = run->aggregation->op;
    run->missing = 0;
    return op->step(run, op);
}

/* The function of OP, which is complete; and of what comes after the last. */
op_step *interpret_function(const struct op *op);
op_step interpret_end;

#endif
