/* SPDX-License-Identifier: BSD-2-Clause */
#include "sites.h"

#include <stdlib.h>

const char *const probe_prefixes[ACCESSES] = {
    [SDT_BY_ENTRY] = SDT_SYMBOL_PROBE,
    [SDT_BY_FLAGGED_ENTRY] = SDT_SYMBOL_FLAGGED,
    [SDT_BY_CALL] = SDT_SYMBOL_CALLED,
};

int probe_compare(const void *left, const void *right)
{
    const struct probe *a = left, *b = right;
    int order = slice_compare(a->provider, b->provider);
    return order ? order : slice_compare(a->name, b->name);
}

struct probe *sites_probe(const struct sites *sites, struct slice provider, struct slice name)
{
    const struct probe key = {.provider = provider, .name = name};
    return sites->probe_count
               ? bsearch(&key, sites->probes, sites->probe_count, sizeof key, probe_compare)
               : NULL;
}

bool sites_is_empty(const struct sites *sites)
{
    if (sites->count)
        return false;
    for (uint32_t i = 0; i < sites->symbol_count; i++)
        if (!sites->symbols[i].is_defined)
            return false;
    return true;
}

void sites_free(struct sites *sites)
{
    stapsdt_free(&sites->stapsdt);
    enums_free(&sites->enums);
    arena_free(&sites->texts);
    free(sites->symbols);
    free(sites->probes);
    free(sites->items);
    free(sites->silenced);
    *sites = (struct sites){0};
}
