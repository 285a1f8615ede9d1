/* SPDX-License-Identifier: BSD-2-Clause */
/* See site.h. This file is compiled for general registers only, as it runs in hits. */
#include "site.h"

#include "shared/lower_bound.h"

const char *site_function(const struct site *site)
{
    return (const char *)record_target(&site->record->function);
}

const char *site_file(const struct site *site)
{
    return (const char *)record_target(&site->record->file);
}

const char *site_module(const struct site *site)
{
    const char *own = record_module(site->record);
    return own ? own : site->probe ? site->probe->object->module : NULL;
}

struct site *probe_find(const struct probe *probe, uintptr_t patch)
{
    size_t low = LOWER_BOUND(i, probe->site_count, probe->sites[i]->patch < patch);
    struct site *site = low < probe->site_count ? probe->sites[low] : NULL;
    return site && site->patch == patch && !site->is_bad ? site : NULL;
}
