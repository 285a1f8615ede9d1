/* SPDX-License-Identifier: BSD-2-Clause */
/* See live_probes.h. */
#include "live_probes.h"

#include "base/memory.h"
#include "command/command.h"
#include "described_sites.h"
#include "live_enums.h"
#include "target/patterns.h"

#include <sdt/format.h>
#include <stdlib.h>
#include <string.h>

/*
 * Whether OTHER, at the end of a function, has all that SITE has but the result: before the jump of
 * a tail call there is none yet.
 */
static bool lacks_result(const struct live_site *site, const struct live_site *other)
{
    size_t length = strlen(other->arguments);
    return !strcmp(site->provider, SDT_FUNCTION_PROVIDER) &&
           !strcmp(site->name, SDT_FUNCTION_RETURN) && live_site_is_same_probe(site, other) &&
           !strncmp(site->arguments, other->arguments, length) && site->arguments[length] == ' ';
}

bool live_site_is_other(const struct live_site *site, const struct live_site *other)
{
    return !live_site_is_question(other) && live_site_is_same_probe(site, other) &&
           strcmp(site->arguments, other->arguments) != 0 && !lacks_result(site, other);
}

bool live_site_is_tail(const struct live_sites *sites, size_t i)
{
    for (size_t k = 0; k < sites->count; k++)
        if (lacks_result(&sites->site[k], &sites->site[i]))
            return true;
    return false;
}

struct site_arguments *live_site_arguments(const struct live_sites *sites, size_t first)
{
    struct site_arguments *all = described_sites_arguments(&sites->site[first]);
    for (size_t i = first + 1; i < sites->count; i++) {
        all->may_lack |= lacks_result(&sites->site[first], &sites->site[i]);
        if (live_site_is_other(&sites->site[first], &sites->site[i])) {
            struct site_arguments *other = described_sites_arguments(&sites->site[i]);
            site_arguments_widen(all, other);
            site_arguments_free(other);
        }
    }
    return all;
}

bool live_site_is_first(const struct live_sites *sites, size_t i)
{
    for (size_t k = 0; k < i; k++)
        if (!live_site_is_question(&sites->site[k]) &&
            live_site_is_same_probe(&sites->site[k], &sites->site[i]))
            return false;
    return !live_site_is_question(&sites->site[i]);
}

/* Of the ends of functions, those with a result come first: expressions are compiled for the first
 * site of a probe. */
static void put_results_first(struct live_sites *sites)
{
    for (size_t i = 0, k = 1; k < sites->count; k++)
        if (lacks_result(&sites->site[k], &sites->site[i])) {
            struct live_site site = sites->site[k];
            sites->site[k] = sites->site[i];
            sites->site[i] = site;
            return;
        } else if (strcmp(sites->site[i].name, SDT_FUNCTION_RETURN) != 0)
            i = k;
}

/* One part, between commas, of a pattern, which ALL match. */
static int each_of_part(const struct live_sites *all, const char *part, live_probe_visit *visit,
                        void *data, bool *found)
{
    struct live_sites sites;
    int status = STATUS_DONE;
    patterns_part(all, part, &sites);
    put_results_first(&sites);
    for (size_t i = 0; i < sites.count && status == STATUS_DONE; i++)
        if (live_site_is_first(&sites, i)) {
            status = visit(data, part, &sites, i);
            *found = true;
        }
    live_sites_free(&sites);
    return status;
}

int live_probes_each(struct attached *to, const char *pattern, live_probe_visit *visit, void *data,
                     bool *found)
{
    struct live_sites sites;
    char *resolved;
    int status = STATUS_DONE;
    *found = false;
    if (patterns_sites(to, pattern, &resolved, &sites) != 0)
        return STATUS_FAILED;
    live_enums_add(to, &sites);
    char *copy = memory_format("%s", resolved), *rest = copy;
    for (char *part; status == STATUS_DONE && (part = strsep(&rest, ","));)
        if (*part)
            status = each_of_part(&sites, part, visit, data, found);
    if (status == STATUS_DONE)
        patterns_warn(to, resolved);
    live_sites_free(&sites);
    free(copy);
    free(resolved);
    return status;
}
