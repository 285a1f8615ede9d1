/* SPDX-License-Identifier: BSD-2-Clause */
/* See match.h. */
#include "match.h"

#include "base/diag.h"
#include "base/memory.h"

#include <shared/pattern.h>
#include <stdlib.h>
#include <string.h>

enum { PROVIDER, MODULE, FUNCTION, NAME, PARTS };

struct list_pattern {
    char *part[PARTS];
    bool is_name; /* of the file that is listed: the first part is one */
};

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
    pattern->part[PROVIDER] = memory_format("%.*s", (int)(first - text), text);
    if (colons > 2) {
        pattern->part[MODULE] = memory_format("%.*s", (int)(ends[1] - first - 1), first + 1);
        pattern->part[FUNCTION] = memory_format("%.*s", (int)(last - ends[1] - 1), ends[1] + 1);
    }
    if (last)
        pattern->part[NAME] = memory_format("%s", last + 1);
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

/* Whether a pattern without a colon is a name: no site from number FIRST on has such a provider. */
static bool is_name(const struct list_pattern *pattern, const struct list *list, size_t first)
{
    bool is_word = !pattern->part[MODULE] && !pattern->part[NAME];
    for (size_t i = first; is_word && i < list->count; i++)
        is_word = !pattern_part(pattern->part[PROVIDER], list->sites[i].provider);
    return is_word;
}

static bool is_named(const struct list_match *match, const struct list_site *site)
{
    for (size_t i = 0; i < match->count; i++) {
        char *const *part = match->patterns[i].part;
        if (match->patterns[i].is_name) {
            if (pattern_part(part[PROVIDER], site->name))
                return true;
            continue;
        }
        if (pattern_part(part[PROVIDER], site->provider) && pattern_part(part[NAME], site->name) &&
            pattern_part(part[MODULE], site->module) &&
            (pattern_part(part[FUNCTION], site->function) ||
             (site->demangled && pattern_part(part[FUNCTION], site->demangled))))
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
