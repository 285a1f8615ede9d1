/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Adding to words that belong to a CPU. There are no restartable sequences for this machine yet, so
 * no probe has such words (MACHINE_HAS_PERCPU), and nothing is ever added; whoever asks goes the
 * way that serves threads without them.
 */
#ifndef SDT_MACHINE_PERCPU_H
#define SDT_MACHINE_PERCPU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct percpu {
    uint64_t cpus;   /* that have rows */
    uint64_t stride; /* from a CPU's to the next one's */
    ptrdiff_t area;  /* counters_area */
};

static inline bool percpu_add(const struct percpu *percpu, uint8_t *word, uint64_t n)
{
    (void)percpu;
    (void)word;
    (void)n;
    return false;
}

static inline bool percpu_observe(const struct percpu *percpu, uint8_t *row, uint8_t *word,
                                  uint64_t n)
{
    (void)percpu;
    (void)row;
    (void)word;
    (void)n;
    return false;
}

#endif
