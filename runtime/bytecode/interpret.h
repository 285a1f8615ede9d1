/* SPDX-License-Identifier: BSD-2-Clause */
/* The steps of a program, at a hit. */
#ifndef SDT_BYTECODE_INTERPRET_H
#define SDT_BYTECODE_INTERPRET_H

#include "compiled.h"

#include "process/fault.h"
#include "ring/clock.h"

struct sdt_event;

/* What a run works on. */
struct run {
    const struct sdt_event *event;
    const struct live_aggregation *aggregation;
    uint64_t reg[LIVE_REGISTERS + 1];
    uint32_t missing;   /* bits of registers */
    struct text *texts; /* a STRING's register is the address of one */
    uint64_t *word;     /* room for keys */
    uint64_t (*room)[LIVE_TEXT / 8 + 2];
};

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

/* Now, by the clock of AGGREGATION; such a time in nanoseconds, and of CLOCK_MONOTONIC. */
static inline uint64_t run_now(const struct live_aggregation *aggregation)
{
    return __builtin_expect(aggregation->is_tsc, 1) ? clock_cycles() : clock_monotonic();
}
uint64_t run_monotonic(const struct live_aggregation *aggregation, uint64_t now);
static inline uint64_t run_ns(const struct live_aggregation *aggregation, uint64_t cycles)
{
    return (uint64_t)((unsigned __int128)cycles * aggregation->frequency >> 32);
}

#endif
