/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Two sorts of bytes are not the original's, and in no site:
 *
 *   a call at a function that was not chosen    is what it would be as a site that is off: NOPs, a
 *                                               test, or the return that followed it
 *   a sled of XRay's, after its site            NOPs, a return, or a branch over the rest
 *
 * A sled at a function that was not chosen stays. Where sleds are, the original's map says.
 */
#include "silenced.h"

#include "arch.h"
#include "code.h"
#include "disasm.h"
#include "report.h"

#include <sdt/format.h>
#include <shared/lower_bound.h>
#include <stdlib.h>
#include <string.h>

struct span {
    struct place start;
    uint64_t end;
};

bool silenced_is_call(const char *name, const char *probe)
{
    static const char *const calls[][2] = {{"__fentry__", "fn:entry"},
                                           {"__return__", "fn:return"},
                                           {"__cyg_profile_func_enter", "fn:entry"},
                                           {"__cyg_profile_func_exit", "fn:return"}};
    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++)
        if (strcmp(name, calls[i][0]) == 0 && (!probe || strcmp(probe, calls[i][1]) == 0))
            return true;
    return false;
}

bool silenced_is_map(const char *name)
{
    return strcmp(name, "xray_instr_map") == 0 || strcmp(name, "xray_fn_idx") == 0;
}

static int by_start(const void *left, const void *right)
{
    const struct span *a = left, *b = right;
    return place_compare(a->start, b->start);
}

static int add(struct silenced *silenced, struct place start, uint64_t length)
{
    if ((silenced->count & (silenced->count - 1)) == 0) {
        size_t room = silenced->count ? 2 * silenced->count : 1;
        struct span *more = realloc(silenced->all, room * sizeof *more);
        if (!more)
            return -1;
        silenced->all = more;
    }
    silenced->all[silenced->count++] = (struct span){start, start.offset + length};
    return 0;
}

/* The record of the site that begins at PLACE of the image, or NULL. */
static const struct record *record_at(const struct sited *sited, struct place place)
{
    size_t i = LOWER_BOUND(k, sited->count, place_compare(record_place(sited->all[k]), place) < 0);
    bool is_there = i < sited->count && place_is_same(record_place(sited->all[i]), place);
    return is_there ? sited->all[i] : NULL;
}

/* ---- what is there now ---- */

/* LENGTH bytes at PLACE of the image do nothing, up to a return if MAY_RETURN, or a branch to OVER.
 */
static void check_idle(struct image *image, struct place place, uint64_t length, bool may_return,
                       uint64_t over)
{
    struct insn insn;
    bool (*has)(const struct insn *, enum property) = image->arch->has;
    uint64_t end = place.offset + length;
    for (; place.offset < end; place.offset += insn.length) {
        if (!disasm_at(image, place, &insn) || !insn.length)
            break;
        if ((may_return && has(&insn, INSN_RETURN)) ||
            (over && insn.has_target && insn.target == over))
            return;
        if (!has(&insn, INSN_IDLE))
            break;
    }
    if (place.offset != end)
        report_defect(image, place, NULL,
                      "expected what does nothing here, as nothing is called for this function");
}

/* ---- calls ---- */

static int add_call(struct silenced *silenced, struct image *image, const struct image *original,
                    struct place field, uint32_t new)
{
    const struct arch *arch = original->arch;
    unsigned before, tail = arch->field_from_end;
    struct insn next;
    if (!arch->is_branch(original, field, &before))
        return 0;
    struct place start = {field.section, field.offset - before}, now = {new, start.offset};
    uint64_t length = before + (tail ? tail : code_length(original, SDT_KIND_CALL));
    struct place after = {field.section, start.offset + length};
    bool may_return = arch->is_jump(&original->sections[field.section], field.offset) ||
                      (disasm_at(original, start, &next) && arch->has(&next, INSN_END)) ||
                      (disasm_at(original, after, &next) && arch->has(&next, INSN_RETURN));
    check_idle(image, now, length, may_return, 0);
    return add(silenced, start, length);
}

static int read_calls(struct silenced *silenced, struct image *image, const struct image *original,
                      uint32_t old, uint32_t new, const struct sited *sited)
{
    const struct section *section = &original->sections[old];
    unsigned before;
    for (size_t i = 0; i < section->nrelocs; i++) {
        const struct rela *rela = &section->relocs[i];
        struct place field = {old, rela->offset};
        if (!original->symbols[rela->symbol].is_undefined ||
            !silenced_is_call(original->symbols[rela->symbol].name, NULL) ||
            !original->arch->is_branch(original, field, &before) ||
            record_at(sited, (struct place){new, rela->offset - before}))
            continue;
        if (add_call(silenced, image, original, field, new) != 0)
            return -1;
    }
    return 0;
}

/* ---- sleds ---- */

static int read_sleds(struct silenced *silenced, struct image *image, const struct image *original,
                      const struct section *section, const uint32_t *map, const struct sited *sited)
{
    enum { ENTRY = 32 };
    unsigned length = original->arch->sled;
    for (size_t i = 0; i < section->nrelocs; i++) {
        const struct rela *rela = &section->relocs[i];
        const struct symbol *symbol = &original->symbols[rela->symbol];
        struct place start = {symbol->section, symbol->value + (uint64_t)rela->addend};
        struct place now = {map[start.section], start.offset};
        const struct record *record = now.section ? record_at(sited, now) : NULL;
        if (rela->offset % ENTRY != 0 || !record || !length)
            continue;
        unsigned site = code_length(image, record->kind);
        now.offset += site;
        check_idle(image, now, length - site, true, start.offset + length);
        if (add(silenced, start, length) != 0)
            return -1;
    }
    return 0;
}

int silenced_read(struct silenced *silenced, struct image *image, const struct image *original,
                  const uint32_t *map, const struct sited *sited)
{
    enum { CODE = 4 /* SHF_EXECINSTR */ };
    int result = 0;
    *silenced = (struct silenced){0};
    for (uint32_t i = 1; i < original->nsections && result == 0; i++) {
        const struct section *section = &original->sections[i];
        if (strcmp(section->name, "xray_instr_map") == 0)
            result = read_sleds(silenced, image, original, section, map, sited);
        else if ((section->flags & CODE) && map[i])
            result = read_calls(silenced, image, original, i, map[i], sited);
    }
    if (silenced->count)
        qsort(silenced->all, silenced->count, sizeof *silenced->all, by_start);
    return result;
}

void silenced_free(struct silenced *silenced)
{
    free(silenced->all);
    *silenced = (struct silenced){0};
}

/* The number of the first span that ends after PLACE. */
static size_t first_after(const struct silenced *silenced, struct place place)
{
    size_t low = LOWER_BOUND(i, silenced->count, place_compare(silenced->all[i].start, place) <= 0);
    bool is_inside = low && silenced->all[low - 1].start.section == place.section &&
                     silenced->all[low - 1].end > place.offset;
    return is_inside ? low - 1 : low;
}

uint64_t silenced_end(const struct silenced *silenced, struct place place)
{
    size_t i = first_after(silenced, place);
    bool is_inside = i < silenced->count && place_compare(silenced->all[i].start, place) <= 0;
    return is_inside ? silenced->all[i].end : 0;
}

uint64_t silenced_next(const struct silenced *silenced, struct place place)
{
    size_t i = first_after(silenced, place);
    if (i == silenced->count || silenced->all[i].start.section != place.section)
        return UINT64_MAX;
    return silenced->all[i].start.offset;
}
