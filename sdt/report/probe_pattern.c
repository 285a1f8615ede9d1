/* SPDX-License-Identifier: BSD-2-Clause */
/* See probe_pattern.h. */
#include "probe_pattern.h"

#include "base/diag.h"
#include "base/function_name.h"

#include <sdt/format.h>
#include <shared/pattern.h>
#include <stdlib.h>
#include <string.h>

static bool is_provider(const struct recording *recording, const char *glob)
{
    for (size_t i = 0; i < recording->probe_count; i++)
        if (pattern_part(glob, recording->probes[i].provider))
            return true;
    return false;
}

/* A part without a colon is a provider, if there is such a one, else a name. */
static int make_part(struct probe_words *words, const char *text, const struct recording *recording)
{
    int parts = probe_words_split(words, text, SDT_FUNCTION_PROVIDER);
    if (parts == 3)
        return diag_error("%s: three parts; a pattern has one, two or four", text);
    if (parts == 1 && !is_provider(recording, words->word[WORD_PROVIDER])) {
        words->word[WORD_NAME] = words->word[WORD_PROVIDER];
        words->word[WORD_PROVIDER] = NULL;
    }
    return 0;
}

int probe_pattern_make(struct probe_pattern *pattern, const char *text,
                       const struct recording *recording)
{
    char *copy = memory_format("%s", text), *rest = copy;
    int result = 0;
    *pattern = (struct probe_pattern){0};
    for (char *part; result == 0 && (part = probe_words_next(&rest));) {
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
        if (pattern_part(word[WORD_PROVIDER], class->provider) &&
            pattern_part(word[WORD_NAME], class->name) &&
            pattern_part(word[WORD_MODULE], class->module) &&
            function_name_part(word[WORD_FUNCTION], class->function))
            return true;
    }
    return false;
}

void probe_pattern_free(struct probe_pattern *pattern)
{
    for (size_t i = 0; i < pattern->count; i++)
        probe_words_free(&pattern->parts[i]);
    free(pattern->parts);
    *pattern = (struct probe_pattern){0};
}
