/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What the findings mean for each probe and each consumer: the worst effect of the findings about
 * the file, the probe, and any of its sites. The text form ends with it.
 */
#include "check.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_TEXT = 256 };

static void worsen(enum effect effects[CONSUMERS], const struct rule *rule)
{
    for (size_t i = 0; i < MAX_EFFECTS && !(rule->own >> i & 1); i++)
        for (unsigned consumer = 0; consumer < CONSUMERS; consumer++)
            if ((rule->effects[i].consumers >> consumer & 1) &&
                rule->effects[i].effect > effects[consumer])
                effects[consumer] = rule->effects[i].effect;
}

static struct probe_summary *add_probe(struct findings *findings)
{
    findings->probes = memory_with_room(findings->probes, findings->probe_count,
                                        &findings->probe_capacity, sizeof *findings->probes);
    struct probe_summary *probe = &findings->probes[findings->probe_count++];
    *probe = (struct probe_summary){0};
    return probe;
}

static char *copy(struct slice slice)
{
    int length = slice.length < MAX_TEXT ? (int)slice.length : MAX_TEXT;
    return memory_format("%.*s", length, slice.text ? slice.text : "");
}

static int by_name(const void *left, const void *right)
{
    const struct probe_summary *a = left, *b = right;
    int order = strcmp(a->provider, b->provider);
    return order ? order : strcmp(a->name, b->name);
}

/* Sum up the findings of this file, which are those after the ones of the files before. */
void findings_summarise(struct check *check)
{
    struct findings *findings = check->findings;
    size_t count, first = findings->probe_count, found = findings->count;
    const struct list_note **notes = check_by_probe(check, &count);
    enum effect file[CONSUMERS] = {EFFECT_NONE};
    while (found > 0 && strcmp(findings->items[found - 1].file, check->elf->path) == 0)
        if (findings->items[--found].scope == SCOPE_FILE)
            worsen(file, findings->items[found].rule);
    for (size_t i = 0; i < count; i++) {
        if (i == 0 || !check_is_same_probe(notes[i - 1], notes[i])) {
            struct probe_summary *probe = add_probe(findings);
            probe->file = memory_format("%s", check->elf->path);
            probe->provider = copy(notes[i]->provider);
            probe->name = copy(notes[i]->name);
            memcpy(probe->effects, file, sizeof file);
        }
        findings->probes[findings->probe_count - 1].sites++;
    }
    free(notes);
    size_t probes = findings->probe_count - first;
    if (probes) /* names were cut */
        qsort(findings->probes + first, probes, sizeof *findings->probes, by_name);
    for (; probes && found < findings->count; found++) {
        const struct finding *finding = &findings->items[found];
        struct probe_summary key = {.provider = finding->provider, .name = finding->name};
        struct probe_summary *probe = NULL;
        if (finding->scope != SCOPE_FILE && finding->provider && finding->name)
            probe = bsearch(&key, findings->probes + first, probes, sizeof key, by_name);
        if (probe)
            worsen(probe->effects, finding->rule);
    }
}
