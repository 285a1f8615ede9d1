/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Where instructions differ in length, code can be decoded from any byte, and always seems to mean
 * something. Only reading on from a known start of an instruction tells which bytes start one.
 * Functions are such places, so each function that holds a mark is read once, from its symbol to
 * its last mark. Where all instructions are of one length, there is nothing to read on the way; but
 * words between them may be data, and symbols tell which.
 *
 * A tail site is a `ret` with a displacement after it that is no code while the site is off;
 * sites are therefore stepped over as a whole, by the length of their kind.
 */
#include "walk.h"

#include "code.h"
#include "disasm.h"
#include "report.h"

#include <inttypes.h>
#include <sdt/format.h>
#include <stddef.h>
#include <string.h>

/* Where to start reading for MARK; false: no place is known to be an instruction. */
static bool start_of(const struct image *image, const struct mark *mark, struct place *start)
{
    const struct symbol *function = image_function(image, mark->at);
    *start = (struct place){mark->at.section, function ? function->value : 0};
    /* The section of an object starts with code; that of a program is many objects' code. */
    return function || image->is_relocatable || !mark->record || image->arch->unit;
}

/* INSN at AT is the first instruction of the site at MARK, with prefixes before it. */
static bool is_prefixed(const struct image *image, const struct mark *mark, struct place at,
                        const struct insn *insn)
{
    uint64_t available, gap = mark->at.offset - at.offset;
    const uint8_t *bytes = image_bytes(image, at, &available);
    if (!bytes || insn->length != gap + code_first_length(image, mark->record->kind))
        return false;
    for (uint64_t i = 0; i < gap; i++)
        if (!image->arch->is_harmless_prefix(bytes[i], mark->record->kind))
            return false;
    return true;
}

static void judge_site(struct image *image, const struct mark *mark, struct place at,
                       const struct insn *insn)
{
    if (place_is_same(mark->at, at) || is_prefixed(image, mark, at, insn))
        return;
    report_bytes(image, mark->at, code_site_length(image, mark->record), mark->record->label,
                 "expected the start of an instruction, but `%s` at %s runs into it",
                 insn->length ? insn->text : "another site", report_place(image, at));
}

/* Whether INSN, at AT, is a branch that has its distance in its field. */
static bool is_branch(const struct image *image, struct place at, const struct insn *insn)
{
    const struct arch *arch = image->arch;
    return (arch->has(insn, INSN_BRANCH) && insn->has_target) ||
           (arch->begins_branch && arch->begins_branch(image, at));
}

/*
 * Whether FIELD is what the branch INSN at AT goes by. A field that only begins in INSN is an
 * accident: the last byte of an instruction and the first ones of the next look like a branch. So
 * is the offset of a call through memory at a register and an offset: it is counted from no place
 * in the code.
 */
static bool is_field_of(const struct image *image, struct place field, struct place at,
                        const struct insn *insn)
{
    unsigned from_end = image->arch->field_from_end;
    uint64_t start = from_end ? at.offset + insn->length - from_end : at.offset;
    return is_branch(image, at, insn) && start == field.offset;
}

/*
 * An instruction whose field leads to a stub: fine if it only takes the address. Or the bytes of a
 * disabled site: fine inside an instruction.
 */
static void judge_use(struct image *image, const struct mark *mark, struct place at,
                      const struct insn *insn)
{
    if (!mark->name && place_is_same(at, mark->at))
        report_bytes(image, at, 6, NULL, "expected a record of this disabled site");
    if (mark->name && is_field_of(image, mark->at, at, insn))
        report_bytes(image, at, insn->length, NULL, "expected a record of this `%.*s` to %s",
                     (int)strcspn(insn->text, " "), insn->text, mark->name);
}

/* An instruction whose field leads to a moved site: the jump that stands for it. */
static void judge_branch(struct image *image, const struct mark *mark, struct place at,
                         const struct insn *insn)
{
    struct record *record = mark->moved;
    if (!is_field_of(image, mark->at, at, insn))
        return;
    if (image->arch->is_kept(insn, record->kind)) {
        const struct arch *arch = image->arch;
        bool is_shorter = arch->keeps_jumps && !arch->has(insn, INSN_CONDITIONAL);
        unsigned before = arch->kept_field - is_shorter; /* without prefixes */
        record->branch = (struct place){mark->at.section, mark->at.offset - before};
        record->branch_length = arch->kept_length - is_shorter;
        record->branches++;
    } else {
        report_bytes(image, at, insn->length, record->label, "expected a %s to %s, not `%s`",
                     image->arch->kept_words, report_place(image, record->pc), insn->text);
    }
}

/*
 * Read on from *AT until an instruction covers the first byte of MARK; *AT stays at its first byte.
 * On the way to a site there is nothing but code, and what symbols call data. On the way to what
 * may be a use there may be tables as well, in assembly and in files without function symbols: a
 * byte that starts no instruction is passed over, and reading falls in step again within a few
 * instructions.
 */
static bool read_to(struct image *image, struct place *at, const struct mark *mark,
                    struct insn *insn)
{
    unsigned unit = image->arch->unit;
    if (mark->record && image_is_data(image, mark->at))
        return false;
    if (unit)
        at->offset = mark->at.offset - mark->at.offset % unit;
    for (;;) {
        if (!disasm_at(image, *at, insn))
            return false;
        bool is_data = image_is_data(image, *at);
        if (insn->length == 0 && mark->record && !is_data)
            return false;
        unsigned length = insn->length && !is_data ? insn->length : image->arch->align;
        if (at->offset + length > mark->at.offset)
            return true;
        at->offset += length;
    }
}

/* The marks of one function, read from AT. Returns how far it has been read. */
static struct place walk_function(struct image *image, struct place at, const struct mark *marks,
                                  size_t count)
{
    struct insn insn = {0};
    for (size_t i = 0; i < count; i++) {
        const struct mark *mark = &marks[i];
        bool is_past = at.offset > mark->at.offset; /* overlapped by the site before */
        if (is_past && mark->record)
            continue; /* check_overlap() has said it */
        if (!is_past && !read_to(image, &at, mark, &insn)) {
            report_bytes(image, at, 8, mark->record ? mark->record->label : mark->name,
                         "expected code that leads to %s", report_place(image, mark->at));
            return at;
        }
        if (!mark->record) {
            if (!is_past && mark->moved)
                judge_branch(image, mark, at, &insn);
            else if (!is_past)
                judge_use(image, mark, at, &insn);
            continue;
        }
        judge_site(image, mark, at, &insn);
        at.offset = mark->at.offset + code_site_length(image, mark->record);
    }
    return at;
}

void walk_marks(struct image *image, const struct mark *marks, size_t count, size_t *unsure)
{
    struct place between = {0,
                            0}; /* how far a section was read for marks that are in no function */
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
        bool is_between = !image_function(image, marks[i].at);
        if (is_between && between.section == start.section)
            start = between;
        struct place reached = walk_function(image, start, marks + i, end - i);
        if (is_between)
            between = reached;
        i = end;
    }
}
