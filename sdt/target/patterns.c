/* SPDX-License-Identifier: BSD-2-Clause */
/* See patterns.h. */
#include "patterns.h"

#include "base/diag.h"
#include "base/memory.h"
#include "base/probe_words.h"
#include "function_patterns.h"
#include "live_sites.h"
#include "target.h"
#include "threads.h"

#include <errno.h>
#include <machine/site.h>
#include <sdt/format.h>
#include <shared/pattern.h>
#include <stdlib.h>
#include <string.h>

/* ---- What the process understands. ---- */

/* NULL: it is malformed. */
static struct pattern *parse(const char *text)
{
    int error;
    return pattern_parse(text, strlen(text), &error);
}

/* A provider or a name: the process decides about what is neither, or malformed. */
static bool is_word(const char *part)
{
    struct pattern *pattern = *part && !strchr(part, ':') ? parse(part) : NULL;
    pattern_free(pattern);
    return pattern != NULL;
}

/* Whether one of SITES matches PART, as FORMAT writes it. */
static bool matches(const struct live_sites *sites, const char *format, const char *part)
{
    char *text = memory_format(format, part);
    struct pattern *pattern = parse(text);
    size_t i = 0;
    while (i < sites->count && !live_site_matches(&sites->site[i], pattern))
        i++;
    pattern_free(pattern);
    free(text);
    return i < sites->count;
}

/* PART as a provider and as a name, or, if one of SITES has such a provider or name, as that. */
static char *resolve_word(const char *part, const struct live_sites *sites)
{
    if (!is_word(part) || (sites && matches(sites, "%s", part)))
        return memory_format("%s", part);
    if (sites && matches(sites, "*:%s", part))
        return memory_format("*:%s", part);
    return memory_format("%s,*:%s", part, part);
}

/* SITES may be NULL: then, as much as can match. NULL: after a message. */
static char *resolve_part(struct attached *to, const char *part, const struct live_sites *sites)
{
    struct probe_words words;
    char *resolved = NULL;
    if (probe_words_split(&words, part, SDT_FUNCTION_PROVIDER) != PROBE_WORDS)
        resolved = resolve_word(part, sites); /* the process says what is wrong with three */
    else if (sites)
        resolved = function_patterns_choose(to, &words, sites);
    else
        resolved = function_patterns_wide(&words);
    probe_words_free(&words);
    return resolved;
}

static char *resolve(struct attached *to, const char *pattern, const struct live_sites *sites)
{
    char *copy = memory_format("%s", pattern), *rest = copy, *all = memory_format("%s", "");
    for (char *part; all && (part = probe_words_next(&rest));) {
        char *resolved = resolve_part(to, part, sites);
        char *more = resolved ? memory_format("%s%s%s", all, *all ? "," : "", resolved) : NULL;
        free(resolved);
        free(all);
        all = more;
    }
    free(copy);
    return all;
}

/* Whether the function of WORDS may not be what its symbol is. */
static bool is_of_source(const struct probe_words *words)
{
    return strcmp(words->word[WORD_PROVIDER], SDT_FUNCTION_PROVIDER) == 0 ||
           strpbrk(words->word[WORD_FUNCTION], ":(< ");
}

bool patterns_have_functions(const char *pattern)
{
    char *copy = memory_format("%s", pattern), *rest = copy;
    bool is_any = false;
    for (char *part; !is_any && (part = probe_words_next(&rest));) {
        struct probe_words words;
        int parts = probe_words_split(&words, part, SDT_FUNCTION_PROVIDER);
        is_any =
            parts == PROBE_WORDS && function_patterns_are_names(&words) && is_of_source(&words);
        probe_words_free(&words);
    }
    free(copy);
    return is_any;
}

bool patterns_are_functions(const char *pattern)
{
    char *copy = memory_format("%s", pattern), *rest = copy;
    bool is_any = false;
    for (char *part; !is_any && (part = probe_words_next(&rest));) {
        size_t length = strcspn(part, ":");
        is_any = length == strlen(SDT_FUNCTION_PROVIDER) &&
                 !strncmp(part, SDT_FUNCTION_PROVIDER, length);
    }
    free(copy);
    return is_any;
}

/* TO, which has room, gets those of SITES that match TEXT: how many. */
static size_t copy_matching(struct live_site *to, const struct live_sites *sites, const char *text)
{
    struct pattern *pattern = parse(text);
    size_t count = 0;
    for (size_t i = 0; i < sites->count; i++)
        if (live_site_matches(&sites->site[i], pattern))
            to[count++] = sites->site[i];
    pattern_free(pattern);
    return count;
}

void patterns_part(const struct live_sites *sites, const char *part, struct live_sites *some)
{
    *some = (struct live_sites){.site = memory_zeroed(sites->count + 1, sizeof *some->site)};
    some->count = copy_matching(some->site, sites, part);
}

void patterns_note_near_miss(struct attached *to, const char *pattern)
{
    struct near_miss *near = &to->near;
    uint64_t generation = to->page ? atomic_load(&to->page->generation) : 0;
    if (near->pattern && !strcmp(near->pattern, pattern) && near->generation == generation)
        return;
    near->generation = generation;
    free(near->pattern);
    free(near->best);
    near->pattern = memory_format("%s", pattern);
    near->best = memory_format("%s", target_suggest(to, pattern).best);
}

/* One request for all: what may be a name is asked for as both, and what of that it is follows from
 * the answer. Where that makes the request too long, all sites are asked for. */
int patterns_sites(struct attached *to, const char *pattern, char **resolved,
                   struct live_sites *sites)
{
    char *wide = resolve(to, pattern, NULL);
    bool is_exact = strcmp(wide, pattern) == 0;
    bool fits = is_exact || strlen(wide) < LIVE_REQUEST_TEXT;
    int result = live_sites_ask(to, fits ? wide : "*", sites);
    free(wide);
    *resolved = NULL;
    if (result != 0)
        return result;
    *resolved = resolve(to, pattern, sites);
    if (!*resolved) {
        live_sites_free(sites);
        return -1;
    }
    if (!is_exact)
        sites->count = copy_matching(sites->site, sites, *resolved);
    if (sites->count == 0)
        patterns_note_near_miss(to, pattern);
    return 0;
}

/* Whether PART is between the commas of TEXT. */
static bool has_part(const char *text, const char *part)
{
    size_t length = strlen(part);
    for (; text; text = strchr(text, ',') ? strchr(text, ',') + 1 : NULL)
        if (strncmp(text, part, length) == 0 && (text[length] == ',' || !text[length]))
            return true;
    return false;
}

char *patterns_added(const char *resolved, const char *before)
{
    char *copy = memory_format("%s", resolved), *rest = copy, *all = NULL;
    for (char *part; (part = strsep(&rest, ","));)
        if (!has_part(before, part)) {
            char *more = memory_format("%s%s%s", all ? all : "", all ? "," : "", part);
            free(all);
            all = more;
        }
    free(copy);
    return all;
}

char *patterns_resolve(struct attached *to, const char *pattern)
{
    char *resolved = resolve(to, pattern, NULL);
    struct live_sites sites;
    if (strcmp(resolved, pattern) == 0)
        return resolved;
    free(resolved);
    if (patterns_sites(to, pattern, &resolved, &sites) == 0)
        live_sites_free(&sites);
    return resolved;
}

/* ---- What is said of sites. ---- */

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
