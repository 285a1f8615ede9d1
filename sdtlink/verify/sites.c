/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The sites: what each holds, that none is recorded twice or overlaps another, that each starts at
 * an instruction, and that no use of a stub is missing from the set.
 */
#include "checks.h"

#include "arch.h"
#include "code.h"
#include "report.h"
#include "walk.h"

#include <elf.h>
#include <sdt/format.h>
#include <stdlib.h>
#include <string.h>

static int by_pc(const void *left, const void *right)
{
    const struct record *a = left, *b = right;
    int order = place_compare(a->pc, b->pc);
    return order ? order : place_compare(a->self, b->self);
}

/* Identical-code folding leaves two records of one site; they differ in the function's name. */
static bool is_folded(const struct image *image, const struct record *a, const struct record *b)
{
    if (image->is_relocatable || a->kind != b->kind || !place_is_same(a->probe, b->probe))
        return false;
    if (a->function && b->function && strcmp(a->function, b->function) != 0)
        return true;
    const struct symbol *function = image_function(image, a->pc);
    return !function || image_has_aliases(image, function); /* stripped: nothing can be said */
}

static void check_overlap(struct image *image, const struct record *before,
                          const struct record *after)
{
    unsigned length = code_site_length(image, before);
    if (before->pc.section != after->pc.section)
        return;
    if (before->pc.offset == after->pc.offset) {
        if (!is_folded(image, before, after))
            report_defect(image, after->pc, after->label,
                          "expected one record of this site, found %s and %s",
                          report_place(image, before->self), report_place(image, after->self));
    } else if (before->pc.offset + length > after->pc.offset) {
        report_defect(image, after->pc, after->label,
                      "expected no site inside another, it lies in the %u bytes of %s (%s)", length,
                      report_place(image, before->pc), before->label);
    }
}

static int by_mark(const void *left, const void *right)
{
    const struct mark *a = left, *b = right;
    int order = place_compare(a->at, b->at);
    return order ? order : (b->record != NULL) - (a->record != NULL);
}

static bool is_walkable(struct image *image, const struct record *record)
{
    return record->is_sound && !record->is_external && !record->is_moved &&
           code_length(image, record->kind) != 0 && image_is_code(image, record->pc, 1);
}

/* Sites and unrecorded uses, in the order in which a reader of the code meets them. */
static int walk_sites(struct image *image, struct records *records, size_t *unsure)
{
    struct mark *marks;
    size_t count;
    int result = uses_find(image, records, &marks, &count);
    struct mark *all = realloc(marks, (count + records->count + 1) * sizeof *all);
    if (result != 0 || !all) {
        free(all ? all : marks);
        return report_failure(image, "out of memory");
    }
    for (size_t i = 0; i < records->count; i++) {
        const struct record *record = &records->all[i];
        bool is_twin = i > 0 && place_is_same(record->pc, records->all[i - 1].pc);
        if (is_walkable(image, record) && !is_twin)
            all[count++] = (struct mark){.at = record->pc, .record = record};
    }
    qsort(all, count, sizeof *all, by_mark);
    walk_marks(image, all, count, unsure);
    free(all);
    return 0;
}

/*
 * The text must lead to a site that was moved out of it, by the branch that was compiled. The
 * records of one site, should a linker have folded several, stand side by side.
 */
static void check_branches(struct image *image, const struct records *records)
{
    size_t branches = 0;
    for (size_t i = 0; i < records->count; i++) {
        const struct record *record = &records->all[i];
        bool is_last =
            i + 1 == records->count || !place_is_same(record->pc, records->all[i + 1].pc);
        if (!record->is_sound || !record->is_moved || record->is_companion)
            continue;
        branches += record->branches;
        if (!is_last)
            continue;
        if (branches == 0 || (image->is_relocatable && branches > 1))
            report_defect(image, record->pc, record->label,
                          "expected one %s that leads here, found %zu", image->arch->kept_words,
                          branches);
        branches = 0;
    }
}

int check_sites(struct image *image, struct records *records, size_t *unsure)
{
    const struct record *before = NULL;
    qsort(records->all, records->count, sizeof *records->all, by_pc);
    for (size_t i = 0; i < records->count; i++) {
        const struct record *record = &records->all[i];
        if (!record->is_sound)
            continue;
        code_check_site(image, record);
        if (record->is_external)
            continue;
        if (code_has_loader(image, record->kind) && !record_is_compiled(record))
            code_check_loader(image, record);
        if (kind_has_entry(record->kind))
            code_check_entry(image, record);
        if (before)
            check_overlap(image, before, record);
        before = record;
    }
    if (walk_sites(image, records, unsure) != 0)
        return -1;
    check_branches(image, records);
    return 0;
}
