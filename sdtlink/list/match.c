/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See match.h. The globs are fnmatch(3)'s, which agree with those of the runtime; the runtime
 * has its own because it runs inside of hits. As there, `__` and `-` are the same everywhere.
 */
#include "match.h"

#include "base/diag.h"
#include "base/memory.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

enum { PROVIDER, MODULE, FUNCTION, NAME, PARTS };

struct list_pattern {
    char *part[PARTS];
    bool is_name; /* of the file that is listed: the first part is one */
};

/* The first LENGTH bytes of TEXT, with each "__" as "-". */
static char *spell(const char *text, size_t length)
{
    char *spelled = memory_zeroed(length + 1, 1);
    size_t n = 0;
    for (size_t i = 0; i < length; i++) {
        bool is_hyphen = text[i] == '_' && i + 1 < length && text[i + 1] == '_';
        spelled[n++] = is_hyphen ? '-' : text[i];
        i += is_hyphen;
    }
    return spelled;
}

int list_match_add(struct list_match *match, const char *text)
{
    size_t colons = 0;
    const char *ends[PARTS] = {0}, *last = NULL;
    for (const char *at = strchr(text, ':'); at; at = strchr(at + 1, ':')) {
        if (colons < 2)
            ends[colons] = at;
        colons++;
        last = at;
    }
    if (colons == 2)
        return diag_error("list: --match=%s: three parts; a pattern has one, two or four", text);
    if (text[0] == '\0')
        return diag_error("list: --match: the pattern is empty");
    match->patterns = memory_resize(match->patterns, match->count + 1, sizeof *match->patterns);
    struct list_pattern *pattern = &match->patterns[match->count++];
    *pattern = (struct list_pattern){0};
    const char *first = ends[0] ? ends[0] : text + strlen(text);
    pattern->part[PROVIDER] = spell(text, (size_t)(first - text));
    if (colons > 2) {
        pattern->part[MODULE] = spell(first + 1, (size_t)(ends[1] - first - 1));
        pattern->part[FUNCTION] = spell(ends[1] + 1, (size_t)(last - ends[1] - 1));
    }
    if (last)
        pattern->part[NAME] = spell(last + 1, strlen(last + 1));
    return 0;
}

void list_match_free(struct list_match *match)
{
    for (size_t i = 0; i < match->count; i++)
        for (size_t part = 0; part < PARTS; part++)
            free(match->patterns[i].part[part]);
    free(match->patterns);
    *match = (struct list_match){0};
}

static bool is_matched(const char *glob, const char *text)
{
    if (!glob || !*glob || strcmp(glob, "*") == 0)
        return true;
    char *spelled = spell(text ? text : "", text ? strlen(text) : 0);
    bool matches = text && fnmatch(glob, spelled, 0) == 0;
    free(spelled);
    return matches;
}

/* Whether a pattern without a colon is a name: no site from number FIRST on has such a provider. */
static bool is_name(const struct list_pattern *pattern, const struct list *list, size_t first)
{
    bool is_word = !pattern->part[MODULE] && !pattern->part[NAME];
    for (size_t i = first; is_word && i < list->count; i++)
        is_word = !is_matched(pattern->part[PROVIDER], list->sites[i].provider);
    return is_word;
}

static bool is_named(const struct list_match *match, const struct list_site *site)
{
    for (size_t i = 0; i < match->count; i++) {
        char *const *part = match->patterns[i].part;
        if (match->patterns[i].is_name) {
            if (is_matched(part[PROVIDER], site->name))
                return true;
            continue;
        }
        if (is_matched(part[PROVIDER], site->provider) && is_matched(part[NAME], site->name) &&
            is_matched(part[MODULE], site->module) &&
            (is_matched(part[FUNCTION], site->function) ||
             (site->demangled && is_matched(part[FUNCTION], site->demangled))))
            return true;
    }
    return match->count == 0;
}

void list_match_keep(const struct list_match *match, struct list *list, size_t first)
{
    size_t kept = first;
    for (size_t i = 0; i < match->count; i++)
        match->patterns[i].is_name = is_name(&match->patterns[i], list, first);
    for (size_t i = first; i < list->count; i++)
        if (is_named(match, &list->sites[i]))
            list->sites[kept++] = list->sites[i];
    list->count = kept;
}
