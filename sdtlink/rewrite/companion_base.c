/* SPDX-License-Identifier: BSD-2-Clause */
#include "companion_base.h"

#include "base/memory.h"
#include "shared/lower_bound.h"

#include <stdlib.h>
#include <string.h>

/* Smaller is better; 0: cannot serve. */
static uint8_t usefulness(const Elf64_Sym *symbol)
{
    unsigned type = ELF64_ST_TYPE(symbol->st_info);
    if (ELF64_ST_BIND(symbol->st_info) != STB_GLOBAL)
        return 0;
    if (type != STT_FUNC && type != STT_NOTYPE && type != STT_OBJECT)
        return 0;
    return ELF64_ST_VISIBILITY(symbol->st_other) == STV_DEFAULT ? 2 : 1;
}

/* By section: how useful its best symbol is. The caller frees it. */
static uint8_t *find_best(const struct object *o)
{
    uint8_t *best = memory_zeroed(o->section_count, sizeof *best);
    for (uint32_t i = o->first_global; i < o->symbol_count; i++) {
        uint32_t section = object_symbol_section(o, i);
        uint8_t found = section ? usefulness(&o->symbols[i]) : 0;
        if (found && (!best[section] || found < best[section]))
            best[section] = found;
    }
    return best;
}

static int by_place(const void *a, const void *b)
{
    const struct companion_base *x = a, *y = b;
    if (x->section != y->section)
        return x->section < y->section ? -1 : 1;
    if (x->offset != y->offset)
        return x->offset < y->offset ? -1 : 1;
    return x->symbol < y->symbol ? -1 : x->symbol > y->symbol;
}

/*
 * A companion has the name of each symbol that it counts from, where the object may have one for
 * the end of another. So the first of each section may be called as it likes, and no other.
 */
static void leave_out_long_names(const struct object *o, struct companion_bases *bases)
{
    enum { LONG = 4096 };
    struct companion_base *items = bases->items;
    size_t kept = 0;
    for (size_t i = 0; i < bases->count; i++)
        if (kept == 0 || items[kept - 1].section != items[i].section ||
            strnlen(object_symbol_name(o, items[i].symbol), LONG) < LONG)
            items[kept++] = items[i];
    bases->count = kept;
}

struct companion_bases companion_bases(const struct object *o)
{
    struct companion_bases bases = {
        memory_zeroed(o->symbol_count - o->first_global + 1, sizeof *bases.items), 0};
    uint8_t *best = find_best(o);
    for (uint32_t i = o->first_global; i < o->symbol_count; i++) {
        uint32_t section = object_symbol_section(o, i);
        if (section && best[section] && usefulness(&o->symbols[i]) == best[section])
            bases.items[bases.count++] =
                (struct companion_base){section, i, o->symbols[i].st_value};
    }
    qsort(bases.items, bases.count, sizeof *bases.items, by_place);
    free(best);
    leave_out_long_names(o, &bases);
    return bases;
}

void companion_bases_free(struct companion_bases *bases)
{
    free(bases->items);
    *bases = (struct companion_bases){NULL, 0};
}

uint32_t companion_base(const struct companion_bases *bases, uint32_t section, uint64_t offset)
{
    const struct companion_base *items = bases->items;
    size_t first = LOWER_BOUND(i, bases->count, items[i].section < section);
    size_t after = LOWER_BOUND(i, bases->count,
                               items[i].section < section ||
                                   (items[i].section == section && items[i].offset <= offset));
    if (after > first)
        return items[after - 1].symbol;
    return first < bases->count && items[first].section == section ? items[first].symbol : 0;
}
