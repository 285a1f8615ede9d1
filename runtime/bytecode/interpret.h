/* SPDX-License-Identifier: BSD-2-Clause */
/* The steps of a program, at a hit. */
#ifndef SDT_BYTECODE_INTERPRET_H
#define SDT_BYTECODE_INTERPRET_H

#include "compiled.h"

struct sdt_event;

/* What a run works on. */
struct run {
    const struct sdt_event *event;
    uint64_t reg[LIVE_REGISTERS + 1];
    uint32_t missing;   /* bits of registers */
    struct text *texts; /* a STRING's register is the address of one */
    uint64_t *word;     /* room for keys */
    uint64_t (*room)[LIVE_TEXT / 8 + 2];
};

/* False: the program ended before its action. */
bool interpret_steps(const struct live_aggregation *aggregation, struct run *run);

/* Texts: < 0, 0, > 0. */
int interpret_compare_texts(const struct text *a, const struct text *b);
bool interpret_begins(const struct text *a, const struct text *b);

/* Now, by the clock of AGGREGATION; such a time in nanoseconds, and of CLOCK_MONOTONIC. */
uint64_t run_now(const struct live_aggregation *aggregation);
uint64_t run_monotonic(const struct live_aggregation *aggregation, uint64_t now);
static inline uint64_t run_ns(const struct live_aggregation *aggregation, uint64_t cycles)
{
    return (uint64_t)((unsigned __int128)cycles * aggregation->frequency >> 32);
}

#endif
