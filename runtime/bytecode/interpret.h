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

/*
 * What is at FROM, at most MOST bytes and LIVE_TEXT; with IS_TEXT those before the first NUL. ROOM
 * has 16 bytes more. Returns how many. Text that cannot be read says so, of bytes there are none:
 * as in recordings.
 */
size_t interpret_load(const struct live_aggregation *aggregation, uint64_t *room, uintptr_t from,
                      uint64_t most, bool is_text);

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
