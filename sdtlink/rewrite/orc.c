/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Linux on x86-64 has no .eh_frame: objtool writes two tables into each object, .orc_unwind_ip, the
 * distances of places in the code, and .orc_unwind, what holds from each of them on until the next
 * (Documentation/arch/x86/orc-unwinder.rst). The kernel sorts them, so rows may be appended.
 *
 * A row is six bytes, the layout of which has changed (6.4). What stayed is that the first two are
 * the distance of the frame from its base register, and that four bits of the fifth say which
 * register that is. So no row is made up. What holds in an entry is what holds at its site, but for
 * the 128 bytes by which the entry moves the stack pointer; what holds in code that is called, or
 * jumped to as the last thing of a function, is what holds at the beginning of a function.
 */
#include "orc.h"

#include "base/diag.h"
#include "elf/add.h"

#include <stdlib.h>
#include <string.h>

/* The row size in all versions; struct orc_entry of arch/x86/include/asm/orc_types.h. */
enum { ROW = 6, IP = sizeof(int32_t), REGISTER_AT = 4, REGISTER = 0xf };
enum { STACK_POINTER = 5 };         /* ORC_REG_SP */
enum { CALLED = sizeof(uint64_t) }; /* its distance where a return address is on top */
/* What the table says from a place on. */
struct orc_row {
    struct place place;
    const uint8_t *bytes;
};

struct orc {
    uint32_t ips, rows; /* the two sections */
    struct orc_row *known;
    size_t count;
};

static uint32_t find_section(const struct object *o, const char *name)
{
    for (uint32_t i = 1; i < o->input_sections; i++)
        if (strcmp(o->sections[i].name, name) == 0)
            return i;
    return 0;
}

static bool find_tables(const struct object *o, uint32_t *ips, uint32_t *rows)
{
    *ips = find_section(o, ".orc_unwind_ip");
    *rows = find_section(o, ".orc_unwind");
    return o->arch->entry_lowered.by && *ips && *rows && o->sections[*ips].rela;
}

int orc_check(const struct object *o)
{
    uint32_t ips, rows;
    if (!find_tables(o, &ips, &rows))
        return 0;
    size_t count;
    section_relocations(&o->sections[o->sections[ips].rela], &count);
    if (o->sections[ips].size == count * IP && o->sections[rows].size == count * ROW)
        return 0;
    const struct diag_place place = {.file = o->path, .section = o->sections[rows].name};
    diag_refuse(&place, "the rows of this unwind table have another size than those of Linux 6",
                NULL, "as many rows of 6 bytes as .orc_unwind_ip has relocations",
                "report this, with the kernel's version");
    return -1;
}

static int compare(const void *left, const void *right)
{
    const struct orc_row *a = left, *b = right;
    return place_compare(&a->place, &b->place);
}

void orc_begin(struct set *set)
{
    const struct object *o = set->object;
    uint32_t ips, rows;
    if (!set->plan->wishes.is_freestanding || !find_tables(o, &ips, &rows))
        return;
    struct orc *orc = memory_zeroed(1, sizeof *orc);
    size_t count;
    const Elf64_Rela *relocations =
        section_relocations(&o->sections[o->sections[ips].rela], &count);
    *orc = (struct orc){ips, rows, memory_zeroed(count, sizeof *orc->known), 0};
    for (size_t i = 0; i < count; i++) {
        uint32_t symbol = ELF64_R_SYM(relocations[i].r_info);
        uint64_t offset = o->symbols[symbol].st_value + (uint64_t)relocations[i].r_addend;
        size_t row = relocations[i].r_offset / IP;
        if (row < count)
            orc->known[orc->count++] = (struct orc_row){{object_symbol_section(o, symbol), offset},
                                                        o->sections[rows].data + row * ROW};
    }
    qsort(orc->known, orc->count, sizeof *orc->known, compare);
    set->orc = orc;
}

void orc_end(struct set *set)
{
    if (set->orc)
        free(set->orc->known);
    free(set->orc);
    set->orc = NULL;
}

/* The row that holds at PLACE; NULL: there is none. */
static const uint8_t *find_row(const struct orc *orc, struct place place)
{
    size_t low = 0, high = orc->count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (place_compare(&orc->known[middle].place, &place) <= 0)
            low = middle + 1;
        else
            high = middle;
    }
    bool is_there = low && orc->known[low - 1].place.section == place.section;
    return is_there ? orc->known[low - 1].bytes : NULL;
}

static int distance_of(const uint8_t *row)
{
    int16_t distance;
    memcpy(&distance, row, sizeof distance);
    return distance;
}

static bool counts_from_stack_pointer(const uint8_t *row)
{
    return (row[REGISTER_AT] & REGISTER) == STACK_POINTER;
}

/* From OFFSET of SECTION on, ROW holds, the stack pointer being MORE bytes lower. */
static void add_row(struct set *set, const uint8_t *row, int more, uint32_t section,
                    uint64_t offset)
{
    struct object *o = set->object;
    uint8_t copy[ROW];
    memcpy(copy, row, ROW);
    if (counts_from_stack_pointer(row)) {
        int16_t distance = (int16_t)(distance_of(row) + more);
        memcpy(copy, &distance, sizeof distance);
    }
    object_append(o, set->orc->rows, copy, ROW);
    uint64_t ip = object_append(o, set->orc->ips, NULL, IP);
    object_relocate(o, set->orc->ips, ip, o->arch->relocations.distance,
                    object_symbol_for(o, section), (int64_t)offset);
}

/* What holds at the beginning of the function around SITE; NULL: that is no function's beginning,
 * but that of a part of one. */
static const uint8_t *beginning(const struct set *set, const struct planned_site *site)
{
    const struct object *o = set->object;
    uint32_t function = site->site->function;
    if (!function)
        return NULL;
    const uint8_t *row = find_row(set->orc, (struct place){object_symbol_section(o, function),
                                                           o->symbols[function].st_value});
    bool is_called = row && counts_from_stack_pointer(row) && distance_of(row) == CALLED;
    return is_called ? row : NULL;
}

void orc_add(struct set *set, const struct planned_text *text, uint32_t section, uint64_t offset)
{
    const uint8_t *row = NULL;
    for (uint32_t i = text->first; set->orc && !row && i < text->first + text->count; i++)
        row = beginning(set, &set->plan->sites[i]);
    if (row)
        add_row(set, row, 0, section, offset);
}

void orc_add_entry(struct set *set, const struct planned_site *site, uint32_t section,
                   uint64_t offset)
{
    const struct arch_lowered *lowered = &set->object->arch->entry_lowered;
    const uint8_t *row = set->orc ? find_row(set->orc, site->site->place) : NULL;
    if (!row)
        return;
    add_row(set, row, 0, section, offset);
    add_row(set, row, lowered->by, section, offset + lowered->from);
    add_row(set, row, 0, section, offset + lowered->to);
}
