/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Collecting findings.
 *
 * A finding is a rule, a scope (file, probe or site) and where it was found. Rules that the user
 * ignores, or that concern none of the chosen consumers, are dropped here, so that the checks need
 * not ask.
 *
 * A damaged or hostile file can break one rule a million times: MAX_SHOWN findings of a rule are
 * shown, and all are counted.
 */
#include "check.h"

#include "base/diag.h"
#include "base/memory.h"
#include "list/elf_follow.h"

#include <stdlib.h>
#include <string.h>

/* Strings of a file may be as long as the file; only the beginning is of use. */
enum { MAX_TEXT = 256, MAX_SHOWN = 1000 };

char *finding_text(struct slice slice)
{
    int length = slice.length < MAX_TEXT ? (int)slice.length : MAX_TEXT;
    return slice.text ? memory_format("%.*s", length, slice.text) : NULL;
}

/* Whether ID is one of the names in LIST, which commas separate. */
static bool is_listed(const char *list, const char *id)
{
    size_t length = strlen(id);
    for (const char *at = list; at; at = strchr(at, ',')) {
        at += *at == ',';
        if (strncmp(at, id, length) == 0 && (at[length] == 0 || at[length] == ','))
            return true;
    }
    return false;
}

/* A rule that affects no consumer is of interest to all. */
static bool concerns(const struct rule *rule, unsigned consumers)
{
    unsigned all = 0;
    for (size_t i = 0; i < MAX_EFFECTS; i++)
        all |= rule->effects[i].consumers;
    return all == 0 || (all & consumers);
}

static void locate_pc(const struct check *check, const struct list_note *note,
                      struct finding *finding)
{
    const struct list_elf *elf = check->elf;
    struct list_place place = note->place[NOTE_PC];
    if (!note->is_relocated[NOTE_PC] && !check->is_object) {
        finding->has_address = true;
        finding->address = note->pc;
        place.section = list_elf_section_at(elf, note->pc);
        place.offset = note->pc - elf->sections[place.section].header.sh_addr;
    }
    if (place.section == 0)
        return;
    const char *function = list_elf_function(elf, place);
    finding->section = finding_text(slice_of(elf->sections[place.section].name));
    finding->offset = place.offset;
    finding->function = function ? finding_text(slice_of(function)) : NULL;
}

struct finding *finding_add(struct check *check, const char *id, enum scope scope,
                            const struct list_note *note, char *detail)
{
    struct findings *findings = check->findings;
    const struct rule *rule = rule_find(id, check->machine);
    if (!rule || is_listed(check->options->ignored, id) ||
        !concerns(rule, check->options->consumers)) {
        free(detail);
        return NULL;
    }
    findings->items = memory_with_room(findings->items, findings->count, &findings->capacity,
                                       sizeof *findings->items);
    struct finding *finding = &findings->items[findings->count++];
    *finding = (struct finding){.rule = rule, .scope = scope, .detail = detail};
    finding->file = check->elf->path;
    if (!note)
        return finding;
    finding->provider = finding_text(note->provider);
    finding->name = finding_text(note->name);
    if (scope == SCOPE_SITE && note->state == NOTE_PROBE) {
        locate_pc(check, note, finding);
    } else if (scope != SCOPE_PROBE) {
        finding->section = finding_text(slice_of(check->elf->sections[note->section].name));
        finding->offset = note->offset;
    }
    return finding;
}

static int compare_slices(struct slice a, struct slice b)
{
    size_t length = a.length < b.length ? a.length : b.length;
    int order = length ? memcmp(a.text, b.text, length) : 0;
    return order ? order : (a.length > b.length) - (a.length < b.length);
}

static int by_probe(const void *left, const void *right)
{
    const struct list_note *a = *(const struct list_note *const *)left;
    const struct list_note *b = *(const struct list_note *const *)right;
    int order = compare_slices(a->provider, b->provider);
    if (order == 0)
        order = compare_slices(a->name, b->name);
    return order ? order : (a > b) - (a < b);
}

bool check_is_same_probe(const struct list_note *a, const struct list_note *b)
{
    return compare_slices(a->provider, b->provider) == 0 && compare_slices(a->name, b->name) == 0;
}

const struct list_note **check_by_probe(const struct check *check, size_t *count)
{
    const struct list_notes *notes = &check->notes;
    const struct list_note **found = memory_zeroed(notes->count + 1, sizeof *found);
    *count = 0;
    for (size_t i = 0; i < notes->count; i++)
        if (notes->items[i].state == NOTE_PROBE)
            found[(*count)++] = &notes->items[i];
    qsort(found, *count, sizeof *found, by_probe);
    return found;
}

static int compare_text(const char *a, const char *b)
{
    return strcmp(a ? a : "", b ? b : "");
}

/* As an editor's list of errors: by file, the file's own first, then by place. */
static int by_place(const void *left, const void *right)
{
    const struct finding *a = left, *b = right;
    int order = a->file == b->file ? 0 : strcmp(a->file, b->file);
    if (order == 0)
        order = (a->scope > b->scope) - (a->scope < b->scope);
    if (order == 0 && a->has_address && b->has_address)
        order = (a->address > b->address) - (a->address < b->address);
    if (order == 0)
        order = compare_text(a->section, b->section);
    if (order == 0)
        order = (a->offset > b->offset) - (a->offset < b->offset);
    if (order == 0)
        order = compare_text(a->provider, b->provider);
    if (order == 0)
        order = compare_text(a->name, b->name);
    if (order == 0)
        order = (a->argument > b->argument) - (a->argument < b->argument);
    return order ? order : strcmp(a->rule->id, b->rule->id);
}

static void release(struct finding *finding)
{
    char *strings[] = {finding->provider, finding->name,    finding->function,
                       finding->section,  finding->operand, finding->detail};
    for (size_t n = 0; n < sizeof strings / sizeof strings[0]; n++)
        free(strings[n]);
}

/* Say how many findings of each rule are left out of FILE; COUNTS is for the next file then. */
static void say_left_out(const char *file, size_t *counts)
{
    for (size_t i = 0; i < rule_count(); i++) {
        if (counts[i] > MAX_SHOWN) {
            char *problem = memory_format("%zu more findings of %s are not shown",
                                          counts[i] - MAX_SHOWN, rule_at(i)->id);
            diag_warn(&(struct diag_place){.file = file}, problem, NULL);
            free(problem);
        }
        counts[i] = 0;
    }
}

static size_t rule_index(const struct rule *rule)
{
    size_t i = 0;
    while (rule_at(i) != rule)
        i++;
    return i;
}

/* A megabyte of notes can break rules half a million times. */
static void shorten(struct findings *findings)
{
    size_t *counts = memory_zeroed(rule_count(), sizeof *counts), kept = 0;
    for (size_t i = 0; i < findings->count; i++) {
        struct finding *finding = &findings->items[i];
        const char *file = finding->file;
        bool is_last = i + 1 == findings->count || strcmp(file, finding[1].file) != 0;
        if (++counts[rule_index(finding->rule)] > MAX_SHOWN)
            release(finding);
        else
            findings->items[kept++] = *finding;
        if (is_last)
            say_left_out(file, counts);
    }
    free(counts);
    findings->count = kept;
}

void findings_sort(struct findings *findings)
{
    if (findings->count)
        qsort(findings->items, findings->count, sizeof *findings->items, by_place);
    for (size_t i = 0; i < findings->count; i++)
        findings->severities[findings->items[i].rule->severity]++;
    shorten(findings);
}

void findings_free(struct findings *findings)
{
    for (size_t i = 0; i < findings->count; i++)
        release(&findings->items[i]);
    for (size_t i = 0; i < findings->probe_count; i++) {
        free(findings->probes[i].file);
        free(findings->probes[i].provider);
        free(findings->probes[i].name);
    }
    free(findings->items);
    free(findings->probes);
    *findings = (struct findings){0};
}
