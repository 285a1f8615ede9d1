/* SPDX-License-Identifier: BSD-2-Clause */
/* See patterns.h. */
#include "patterns.h"

#include "live_sites.h"
#include "memory.h"

#include <stdlib.h>
#include <string.h>

/* Whether something of TO matches; -1: after a message. */
static int matches(struct attached *to, const char *pattern)
{
    struct live_sites sites;
    if (live_sites_ask(to, pattern, &sites) != 0)
        return -1;
    int count = sites.count > 0;
    live_sites_free(&sites);
    return count;
}

/* PART, or `*:PART`; NULL: after a message. */
static char *resolve_part(struct attached *to, const char *part)
{
    int is_provider = strchr(part, ':') || !*part ? 1 : matches(to, part);
    return is_provider < 0 ? NULL : memory_format(is_provider ? "%s" : "*:%s", part);
}

char *patterns_resolve(struct attached *to, const char *pattern)
{
    char *copy = memory_format("%s", pattern), *rest = copy, *all = memory_format("%s", "");
    for (char *part; all && (part = strsep(&rest, ","));) {
        char *resolved = resolve_part(to, part);
        char *more = resolved ? memory_format("%s%s%s", all, *all ? "," : "", resolved) : NULL;
        free(resolved);
        free(all);
        all = more;
    }
    free(copy);
    return all;
}

char *patterns_narrow(const char *part, const char *provider, const char *name)
{
    const char *module = strchr(part, ':');
    const char *function = module ? strchr(module + 1, ':') : NULL;
    const char *last = function ? strchr(function + 1, ':') : NULL;
    return last ? memory_format("%s%.*s:%s", provider, (int)(last - module), module, name)
                : memory_format("%s:%s", provider, name);
}
