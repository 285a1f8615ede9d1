/* SPDX-License-Identifier: BSD-2-Clause */
#include "live_site.h"

#include <sdt/format.h>
#include <string.h>

bool live_site_is_question(const struct live_site *site)
{
    return site->kind == SDT_KIND_ENABLED || site->kind == SDT_KIND_ENABLED6 ||
           site->kind == SDT_KIND_ENABLED_TAIL || site->kind == SDT_KIND_ENABLED_TAIL6;
}

bool live_site_is_same_probe(const struct live_site *a, const struct live_site *b)
{
    return !strcmp(a->provider, b->provider) && !strcmp(a->name, b->name);
}
