/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * <sdt/probe.h> hands the tool a string for each site: where it is, and how its arguments are
 * spelled. No other way leads from a macro's arguments into .sdt_args than a string constant, and
 * compilers put those among the program's own, in a section whose equal strings linkers merge. Its
 * bytes become zeros here: so many empty strings, of which the link keeps one.
 *
 * Only where nothing else refers to it: a program may have the same string, and then a compiler
 * keeps one of them. Debug information is not asked; it names no such string.
 */
#include "spellings.h"

#include <shared/lower_bound.h>
#include <stdlib.h>
#include <string.h>

/* Bytes of a section, from an offset to after a NUL: one string, or one that ends like another. */
struct spelling {
    struct place place;
    uint64_t end;
    bool is_used;
};

struct spellings {
    struct spelling *items; /* by place; no two overlap */
    size_t count;
    struct bits homes; /* sections that have some */
};

/* Whether linkers keep one of equal strings in it. */
static bool is_merged(const struct section *s)
{
    uint64_t flags = s->header.sh_flags;
    return (flags & SHF_ALLOC) && (flags & SHF_MERGE) && (flags & SHF_STRINGS) &&
           !(flags & SHF_WRITE) && s->header.sh_entsize == 1;
}

static int by_place(const void *left, const void *right)
{
    const struct spelling *a = left, *b = right;
    return place_compare(&a->place, &b->place);
}

/* One of those that overlap. */
static void join(struct spellings *spellings)
{
    struct spelling *items = spellings->items;
    size_t kept = 0;
    qsort(items, spellings->count, sizeof *items, by_place);
    for (size_t i = 0; i < spellings->count; i++) {
        struct spelling *last = kept ? &items[kept - 1] : NULL;
        if (!last || last->place.section != items[i].place.section ||
            last->end <= items[i].place.offset)
            items[kept++] = items[i];
        else if (last->end < items[i].end)
            last->end = items[i].end;
    }
    spellings->count = kept;
}

static void collect(struct spellings *spellings, const struct plan *plan)
{
    const struct object *o = plan->object;
    spellings->items = memory_zeroed(plan->count, sizeof *spellings->items);
    bits_init(&spellings->homes, o->section_count);
    for (uint32_t i = 0; i < plan->count; i++) {
        const struct descriptor *d = &plan->sites[i].site->arguments;
        if (!d->spelled.section || !is_merged(&o->sections[d->spelled.section]))
            continue;
        spellings->items[spellings->count++] = (struct spelling){
            .place = d->spelled, .end = d->spelled.offset + strlen(d->spelling) + 1};
        bits_set(&spellings->homes, d->spelled.section);
    }
    join(spellings);
}

/* What has bytes in FROM to END of SECTION is used. */
static void mark(struct spellings *spellings, uint32_t section, uint64_t from, uint64_t end)
{
    const struct place place = {section, from};
    struct spelling *items = spellings->items;
    size_t after = LOWER_BOUND(k, spellings->count, place_compare(&items[k].place, &place) <= 0);
    for (size_t i = after ? after - 1 : 0; i < spellings->count; i++) {
        const struct place limit = {section, end};
        if (place_compare(&items[i].place, &limit) >= 0)
            break;
        items[i].is_used |= items[i].place.section == section && items[i].end > from;
    }
}

/*
 * RELOCATION refers to the string at its symbol, or, by a section's symbol, at its addend. If that
 * is relative to the program counter, what is between the field and the counter is part of the
 * addend: at most SKEW bytes.
 */
static void mark_target(struct spellings *spellings, const struct object *o,
                        const Elf64_Rela *relocation)
{
    enum { SKEW = 16 };
    uint32_t symbol = (uint32_t)ELF64_R_SYM(relocation->r_info);
    if (symbol >= o->symbol_count)
        return;
    uint32_t section = object_symbol_section(o, symbol);
    uint64_t at = o->symbols[symbol].st_value;
    if (!bits_test(&spellings->homes, section))
        return;
    if (ELF64_ST_TYPE(o->symbols[symbol].st_info) != STT_SECTION)
        mark(spellings, section, at, at + 1);
    else
        mark(spellings, section, at + (uint64_t)relocation->r_addend,
             at + (uint64_t)relocation->r_addend + SKEW);
}

/* By relocations, but those of .sdt_args, which are why the strings are there; and what others may
 * call by name. */
static void mark_used(struct spellings *spellings, const struct object *o)
{
    for (uint32_t i = o->first_global; i < o->symbol_count; i++) {
        uint32_t section = object_symbol_section(o, i);
        if (bits_test(&spellings->homes, section))
            mark(spellings, section, o->symbols[i].st_value, o->symbols[i].st_value + 1);
    }
    for (uint32_t i = 1; i < o->input_sections; i++) {
        const struct section *s = &o->sections[i];
        size_t count = 0;
        if (!s->rela || !(s->header.sh_flags & SHF_ALLOC))
            continue;
        const Elf64_Rela *relocations = section_relocations(&o->sections[s->rela], &count);
        for (size_t k = 0; k < count; k++)
            mark_target(spellings, o, &relocations[k]);
    }
}

void spellings_blank(struct object *object, const struct plan *plan)
{
    struct spellings spellings = {0};
    collect(&spellings, plan);
    if (spellings.count)
        mark_used(&spellings, object);
    for (size_t i = 0; i < spellings.count; i++) {
        const struct spelling *spelling = &spellings.items[i];
        uint8_t *text = object->sections[spelling->place.section].data + spelling->place.offset;
        size_t size = (size_t)(spelling->end - spelling->place.offset);
        if (spelling->is_used)
            continue;
        memset(text, 0, size);
        object_note_change(object, text, size);
    }
    bits_free(&spellings.homes);
    free(spellings.items);
}
