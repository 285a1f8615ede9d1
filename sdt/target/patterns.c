/* SPDX-License-Identifier: BSD-2-Clause */
/* See patterns.h. */
#include "patterns.h"

#include "base/diag.h"
#include "base/memory.h"
#include "live_sites.h"
#include "threads.h"

#include <errno.h>
#include <machine/site.h>
#include <sdt/format.h>
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

/* PART, or `*:PART`, or both, if neither is there yet: a library that is loaded later may have it.
 * NULL: after a message. */
static char *resolve_part(struct attached *to, const char *part)
{
    int is_provider = strchr(part, ':') || !*part ? 1 : matches(to, part);
    if (is_provider != 0)
        return is_provider < 0 ? NULL : memory_format("%s", part);
    char *named = memory_format("*:%s", part);
    int is_name = matches(to, named);
    if (is_name > 0)
        return named;
    free(named);
    return is_name < 0 ? NULL : memory_format("%s,*:%s", part, part);
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

/* TEXT and ADVICE, which may be NULL, are ours, and freed. */
static void warn_once(const struct attached *to, bool *is_told, size_t number, char *text,
                      char *advice)
{
    if (!*is_told && number > 0) {
        diag_warn(&(struct diag_place){.file = to->name}, text, advice);
        *is_told = true;
    }
    free(text);
    free(advice);
}

/* What SITE of TO tells of its reason; NULL: nothing. */
static char *advice_of(const struct attached *to, const struct live_site *site)
{
    struct thread thread;
    switch (site->error) {
    case -EBADMSG:
        return memory_format("an argument of %s:%s cannot be read: see live.md", site->provider,
                             site->name);
    case -EBUSY:
        if (!threads_block_trap(to->pid, &thread))
            return NULL;
        return memory_format("thread %d (%s) blocks SIGTRAP: it would end the process at a "
                             "breakpoint",
                             (int)thread.id, thread.name);
    case -ENOLINK:
        return memory_format("start the program by 'sdt run', so that it cannot block SIGTRAP");
    default:
        return NULL;
    }
}

/* Of the first site that has one. */
static char *advise(const struct attached *to, const struct live_sites *sites)
{
    char *advice = NULL;
    for (size_t i = 0; i < sites->count && !advice; i++)
        if (live_site_is_blocked(&sites->site[i]))
            advice = advice_of(to, &sites->site[i]);
    return advice;
}

void patterns_warn_of(struct attached *to, const struct live_sites *sites)
{
    static bool told_of_traps, told_of_blocked;
    size_t traps = 0, blocked = 0;
    const char *reason = "";
    /* Those of stock binaries are one NOP, which on some machines has no room for a jump. */
    for (size_t i = 0; i < sites->count; i++) {
        const struct live_site *site = &sites->site[i];
        traps += !SITE_NOP_HAS_ROOM && site->kind == SDT_KIND_NOP1;
        if (live_site_is_blocked(site) && blocked++ == 0)
            reason = live_site_reason(site);
    }
    warn_once(to, &told_of_traps, traps,
              memory_format("%zu of %zu sites are breakpoints; a hit takes microseconds", traps,
                            sites->count),
              NULL);
    warn_once(to, &told_of_blocked, blocked,
              memory_format("%zu of %zu sites are blocked: their hits are missing: %s", blocked,
                            sites->count, reason),
              advise(to, sites));
}

void patterns_warn(struct attached *to, const char *resolved)
{
    struct live_sites sites;
    if (!*resolved || live_sites_ask(to, resolved, &sites) != 0)
        return;
    patterns_warn_of(to, &sites);
    live_sites_free(&sites);
}

char *patterns_narrow(const char *part, const char *provider, const char *name)
{
    const char *module = strchr(part, ':');
    const char *function = module ? strchr(module + 1, ':') : NULL;
    const char *last = function ? strchr(function + 1, ':') : NULL;
    return last ? memory_format("%s%.*s:%s", provider, (int)(last - module), module, name)
                : memory_format("%s:%s", provider, name);
}
