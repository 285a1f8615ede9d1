/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * x86 code can be read from any byte and always seems to mean something; only reading on from a
 * place that is known to be an instruction tells which bytes start one. Functions are such places,
 * so each function that holds a mark is read once, from its symbol to its last mark.
 *
 * A tail site is a `ret` with a displacement behind it that is no code while the site is off;
 * sites are therefore stepped over as a whole, by the length of their kind.
 */
#include "walk.h"

#include "code.h"
#include "disasm.h"
#include "report.h"

#include <inttypes.h>
#include <stddef.h>
#include <string.h>

/* Where to start reading for MARK; false: no place is known to be an instruction. */
static bool start_of(const struct image *image, const struct mark *mark, struct place *start)
{
    const struct symbol *function = image_function(image, mark->at);
    *start = (struct place){mark->at.section, function ? function->value : 0};
    /* The section of an object starts with code; that of a program is many objects' code. */
    return function || image->is_relocatable || !mark->record;
}

static unsigned mark_length(const struct mark *mark)
{
    if (mark->record->is_companion)
        return 5;
    return code_length(mark->record->kind);
}

static void judge_site(struct image *image, const struct mark *mark, struct place at,
                       const struct insn *insn)
{
    if (place_is_same(mark->at, at))
        return;
    report_bytes(image, mark->at, mark_length(mark), mark->record->label,
                 "expected the start of an instruction, but `%s` at %s runs into it",
                 insn->length ? insn->text : "another site", report_place(image, at));
}

/* An instruction whose field leads to a stub: fine if it only takes the address. */
static void judge_use(struct image *image, const struct mark *mark, struct place at,
                      const struct insn *insn)
{
    if (insn_is_branch(insn))
        report_bytes(image, at, insn->length, NULL, "expected a record of this `%.*s` to %s",
                     (int)strcspn(insn->text, " "), insn->text, mark->name);
}

/* Read on from *AT until an instruction covers OFFSET; *AT stays at its first byte. */
static bool read_to(struct image *image, struct place *at, uint64_t offset, struct insn *insn)
{
    uint64_t available;
    for (;;) {
        const uint8_t *bytes = image_bytes(image, *at, &available);
        if (!bytes)
            return false;
        disasm_one(bytes, available, image->sections[at->section].address + at->offset, insn);
        if (insn->length == 0)
            return false;
        if (at->offset + insn->length > offset)
            return true;
        at->offset += insn->length;
    }
}

static void report_lost(struct image *image, const struct mark *mark, struct place at)
{
    report_bytes(image, at, 8, mark->record ? mark->record->label : mark->name,
                 "expected code that leads to %s", report_place(image, mark->at));
}

/* The marks of one function, read from START. */
static void walk_function(struct image *image, struct place start, const struct mark *marks,
                          size_t count)
{
    struct place at = start;
    struct insn insn = {0};
    for (size_t i = 0; i < count; i++) {
        const struct mark *mark = &marks[i];
        bool is_behind = at.offset > mark->at.offset; /* overlapped by the site before */
        if (is_behind && mark->record)
            continue; /* check_overlap() has said it */
        if (!is_behind && !read_to(image, &at, mark->at.offset, &insn)) {
            report_lost(image, mark, at);
            return;
        }
        if (!mark->record) {
            if (!is_behind)
                judge_use(image, mark, at, &insn);
            continue;
        }
        judge_site(image, mark, at, &insn);
        at.offset = mark->at.offset + mark_length(mark);
    }
}

void walk_marks(struct image *image, const struct mark *marks, size_t count, size_t *unsure)
{
    for (size_t i = 0; i < count;) {
        struct place start, next;
        size_t end = i + 1;
        if (!start_of(image, &marks[i], &start)) {
            ++*unsure;
            i++;
            continue;
        }
        while (end < count && start_of(image, &marks[end], &next) && place_is_same(start, next))
            end++;
        walk_function(image, start, marks + i, end - i);
        i = end;
    }
}
