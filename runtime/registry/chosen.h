/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Which sites of a probe a subscription wants that does not want all: entries of all functions are
 * one probe, and most subscriptions choose a few. A bit for each record, from the probe's first
 * chosen one up to the last, so that a hit tests one bit, and compares no names.
 *
 * Sites that nobody has chosen are not armed. So bits decide only where several subscriptions
 * choose different sites of a probe, and of hits that are late.
 */
#ifndef SDT_CHOSEN_H
#define SDT_CHOSEN_H

#include "site/site.h"

struct chosen {
    const struct sdt_site *first; /* what bit 0 is of */
    size_t count;                 /* of bits */
    uint64_t bits[];
};

/* The sites of PROBE for which IS_CHOSEN; to be freed. NULL: there is no memory. */
struct chosen *chosen_make(const struct probe *probe, bool (*is_chosen)(const struct site *site));
/* In bytes; a multiple of 8. */
size_t chosen_size(const struct chosen *chosen);
/* A copy of CHOSEN, at TO. */
const struct chosen *chosen_copy(void *to, const struct chosen *chosen);

static inline bool chosen_has(const struct chosen *chosen, const struct sdt_site *record)
{
    size_t i = (size_t)(record - chosen->first);
    return i < chosen->count && chosen->bits[i / 64] >> i % 64 & 1;
}

#endif
