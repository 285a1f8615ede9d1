/* SPDX-License-Identifier: BSD-2-Clause */
/* What all steps of a program work on at a hit, and its clock. */
#ifndef SDT_BYTECODE_RUN_H
#define SDT_BYTECODE_RUN_H

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

/* Now, by the clock of AGGREGATION; such a time in nanoseconds, and of CLOCK_MONOTONIC. */
static inline uint64_t run_now(const struct live_aggregation *aggregation)
{
    return __builtin_expect(aggregation->is_tsc, 1) ? clock_cycles() : clock_monotonic();
}

static inline uint64_t run_ns(const struct live_aggregation *aggregation, uint64_t cycles)
{
    return (uint64_t)((unsigned __int128)cycles * aggregation->frequency >> 32);
}

static inline uint64_t run_monotonic(const struct live_aggregation *aggregation, uint64_t now)
{
    return aggregation->is_tsc
               ? aggregation->monotonic + run_ns(aggregation, now - aggregation->cycles)
               : now;
}

#endif
