/* SPDX-License-Identifier: BSD-2-Clause */
/* See probe_pattern.h. */
#include "probe_pattern.h"

#include "base/diag.h"

#include <shared/pattern.h>
#include <stdlib.h>
#include <string.h>

enum { PROVIDER, MODULE, FUNCTION, NAME, WORDS };

struct probe_pattern_part {
    char *word[WORDS]; /* NULL or "": anything */
};

static bool is_provider(const struct recording *recording, const char *glob)
{
    for (size_t i = 0; i < recording->probe_count; i++)
        if (pattern_part(glob, recording->probes[i].provider))
            return true;
    return false;
}

/* A part without a colon is a provider, if there is such a one, else a name. The words are those
 * before the first two colons and after the last: C++ functions have colons as well. */
static int make_part(struct probe_pattern_part *part, const char *text,
                     const struct recording *recording)
{
    const char *first = strchr(text, ':'), *last = strrchr(text, ':');
    const char *second = first ? strchr(first + 1, ':') : NULL;
    *part = (struct probe_pattern_part){0};
    if (!first) {
        char *word = memory_format("%s", text);
        part->word[is_provider(recording, word) ? PROVIDER : NAME] = word;
        return 0;
    }
    if (second == last && second)
        return diag_error("%s: three parts; a pattern has one, two or four", text);
    part->word[PROVIDER] = memory_format("%.*s", (int)(first - text), text);
    part->word[NAME] = memory_format("%s", last + 1);
    if (second) {
        part->word[MODULE] = memory_format("%.*s", (int)(second - first - 1), first + 1);
        part->word[FUNCTION] = memory_format("%.*s", (int)(last - second - 1), second + 1);
    }
    return 0;
}

int probe_pattern_make(struct probe_pattern *pattern, const char *text,
                       const struct recording *recording)
{
    char *copy = memory_format("%s", text), *rest = copy;
    int result = 0;
    *pattern = (struct probe_pattern){0};
    for (char *part; result == 0 && (part = strsep(&rest, ","));) {
        pattern->parts = memory_resize(pattern->parts, pattern->count + 1, sizeof *pattern->parts);
        result = make_part(&pattern->parts[pattern->count++], part, recording);
    }
    free(copy);
    return result;
}

bool probe_pattern_matches(const struct probe_pattern *pattern, const struct event_class *class)
{
    for (size_t i = 0; i < pattern->count; i++) {
        char *const *word = pattern->parts[i].word;
        if (pattern_part(word[PROVIDER], class->provider) &&
            pattern_part(word[NAME], class->name) && pattern_part(word[MODULE], class->module) &&
            pattern_part(word[FUNCTION], class->function))
            return true;
    }
    return false;
}

void probe_pattern_free(struct probe_pattern *pattern)
{
    for (size_t i = 0; i < pattern->count; i++)
        for (unsigned k = 0; k < WORDS; k++)
            free(pattern->parts[i].word[k]);
    free(pattern->parts);
    *pattern = (struct probe_pattern){0};
}
