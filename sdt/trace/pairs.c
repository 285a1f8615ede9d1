/* SPDX-License-Identifier: BSD-2-Clause */
#include "pairs.h"

#include "base/diag.h"
#include "text.h"

#include <stdlib.h>
#include <string.h>

static struct pair *add(struct pairs *pairs)
{
    if (pairs->count == pairs->capacity) {
        pairs->capacity = pairs->capacity ? 2 * pairs->capacity : 8;
        pairs->list = memory_resize(pairs->list, pairs->capacity, sizeof *pairs->list);
    }
    pairs->list[pairs->count] = (struct pair){0};
    return &pairs->list[pairs->count++];
}

int pairs_add(struct pairs *pairs, const char *text)
{
    const char *equals = strchr(text, '=');
    const char *by = equals ? strstr(equals, ":by ") : NULL;
    if (!equals || equals == text || !equals[1] || by == equals + 1 || (by && !by[4]))
        return diag_error("%s: not a pair, as in 'web:request=web:response:by id'", text);
    struct pair *pair = add(pairs);
    const char *end = by ? by : equals + 1 + strlen(equals + 1);
    pair->begin = memory_format("%.*s", (int)(equals - text), text);
    pair->end = memory_format("%.*s", (int)(end - equals - 1), equals + 1);
    pair->name = memory_format("%s", pair->begin);
    pair->by = by ? by + 4 : NULL;
    return 0;
}

void pairs_free(struct pairs *pairs)
{
    for (size_t i = 0; i < pairs->count; i++) {
        free(pairs->list[i].name);
        free(pairs->list[i].begin);
        free(pairs->list[i].end);
    }
    free(pairs->list);
    free(pairs->roles);
    *pairs = (struct pairs){0};
}

/* ---- what users ask for ---- */

/* In either spelling. */
static struct trace_probe *find_label(const struct recording *recording, const char *text)
{
    struct trace_probe *found = NULL;
    struct bytes label = {0};
    text_name(&label, text);
    text_char(&label, '\0');
    for (size_t i = 0; !found && i < recording->probe_count; i++)
        if (!strcmp(recording->probes[i].label, (const char *)label.data))
            found = &recording->probes[i];
    bytes_free(&label);
    if (!found)
        diag_error("%s: this recording has no such probe", text);
    return found;
}

static void assign(struct pairs *pairs, const struct recording *recording,
                   const struct trace_probe *begin, const struct trace_probe *end, size_t pair)
{
    pairs->roles[begin - recording->probes] = (struct role){ROLE_BEGIN, pair};
    pairs->roles[end - recording->probes] = (struct role){ROLE_END, pair};
}

/* ---- what the names say ---- */

static const struct {
    const char *begin, *end;
} words[] = {{"begin", "end"}, {"start", "done"}, {"start", "end"}, {"entry", "return"}};

/* How long NAME is without WORD and what separates it, if it ends with that; -1 if not. */
static int stem_length(const char *name, const char *word)
{
    size_t length = strlen(name), rest = strlen(word);
    if (length < rest || strcmp(name + length - rest, word) != 0)
        return -1;
    length -= rest;
    size_t stem = length;
    while (stem > 0 && strchr("_-.", name[stem - 1]))
        stem--;
    return length > 0 && (stem == length || stem == 0) ? -1 : (int)stem;
}

char *pairs_end_of(const char *name, size_t n)
{
    for (size_t word = 0; word < sizeof words / sizeof words[0]; word++)
        if (stem_length(name, words[word].begin) >= 0 && n-- == 0)
            return memory_format("%.*s%s", (int)(strlen(name) - strlen(words[word].begin)), name,
                                 words[word].end);
    return NULL;
}

static int compare_probes(const void *a, const void *b)
{
    const struct trace_probe *one = a, *other = b;
    int order = strcmp(one->provider, other->provider);
    return order ? order : strcmp(one->name, other->name);
}

/* The probe that ends what BEGIN, whose name ends with WORD, begins; NULL if there is none. */
static struct trace_probe *find_end(const struct recording *recording,
                                    const struct trace_probe *begin, size_t word)
{
    int before = (int)(strlen(begin->name) - strlen(words[word].begin));
    char *name = memory_format("%.*s%s", before, begin->name, words[word].end);
    struct trace_probe key = {.provider = begin->provider, .name = name};
    struct trace_probe *found =
        recording->probe_count
            ? bsearch(&key, recording->probes, recording->probe_count, sizeof key, compare_probes)
            : NULL;
    free(name);
    return found;
}

/* What both have in common: the first STEM bytes of the name. */
static char *pair_label(const struct trace_probe *begin, int stem)
{
    struct bytes label = {0};
    char *name = memory_format("%s:%.*s", begin->provider, stem, begin->name);
    text_name(&label, name);
    text_char(&label, '\0');
    free(name);
    return (char *)label.data;
}

static void pair_by_name(struct pairs *pairs, const struct recording *recording,
                         const struct trace_probe *begin)
{
    for (size_t word = 0; word < sizeof words / sizeof words[0]; word++) {
        int stem = stem_length(begin->name, words[word].begin);
        if (stem < 0)
            continue;
        const struct trace_probe *end = find_end(recording, begin, word);
        if (!end || pairs->roles[end - recording->probes].kind != ROLE_NONE)
            continue;
        struct pair *pair = add(pairs);
        if (stem > 0)
            pair->name = pair_label(begin, stem);
        assign(pairs, recording, begin, end, pairs->count - 1);
        return;
    }
}

int pairs_resolve(struct pairs *pairs, const struct recording *recording)
{
    pairs->roles = memory_zeroed(recording->probe_count, sizeof *pairs->roles);
    for (size_t i = 0; i < pairs->count; i++) {
        const struct trace_probe *begin = find_label(recording, pairs->list[i].begin);
        const struct trace_probe *end = begin ? find_label(recording, pairs->list[i].end) : NULL;
        if (!end)
            return -1;
        assign(pairs, recording, begin, end, i);
    }
    for (size_t i = 0; i < recording->probe_count; i++)
        if (pairs->roles[i].kind == ROLE_NONE)
            pair_by_name(pairs, recording, &recording->probes[i]);
    return 0;
}
