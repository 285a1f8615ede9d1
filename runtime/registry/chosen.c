/* SPDX-License-Identifier: BSD-2-Clause */
/* See chosen.h. */
#include "chosen.h"

#include <stdlib.h>
#include <string.h>

/* Call VISIT with each record of the chosen sites of PROBE. Records that name a site again
 * (aliases) are after the one that is responsible; a hit may come with the name of any. */
static void each_record(const struct probe *probe, bool (*is_chosen)(const struct site *site),
                        struct chosen *to,
                        void (*visit)(struct chosen *to, const struct sdt_site *record))
{
    const struct site *end = probe->object->sites + probe->object->n;
    for (size_t i = 0; i < probe->site_count; i++) {
        const struct site *site = probe->sites[i], *named = site;
        if (!is_chosen(site))
            continue;
        for (; named < end && named->patch == site->patch; named++)
            if (named == site || named->is_alias)
                visit(to, named->record);
    }
}

static void widen(struct chosen *range, const struct sdt_site *record)
{
    if (!range->count || record < range->first) {
        range->count += range->count ? (size_t)(range->first - record) : 1;
        range->first = record;
    }
    if ((size_t)(record - range->first) >= range->count)
        range->count = (size_t)(record - range->first) + 1;
}

static void set(struct chosen *chosen, const struct sdt_site *record)
{
    size_t i = (size_t)(record - chosen->first);
    chosen->bits[i / 64] |= UINT64_C(1) << i % 64;
}

static size_t size_for(size_t count)
{
    return sizeof(struct chosen) + (count + 63) / 64 * sizeof(uint64_t);
}

size_t chosen_size(const struct chosen *chosen)
{
    return size_for(chosen->count);
}

const struct chosen *chosen_copy(void *to, const struct chosen *chosen)
{
    return memcpy(to, chosen, chosen_size(chosen));
}

struct chosen *chosen_make(const struct probe *probe, bool (*is_chosen)(const struct site *site))
{
    struct chosen range = {.count = 0};
    each_record(probe, is_chosen, &range, widen);
    struct chosen *chosen = calloc(1, size_for(range.count));
    if (!chosen)
        return NULL;
    chosen->first = range.first;
    chosen->count = range.count;
    each_record(probe, is_chosen, chosen, set);
    return chosen;
}
