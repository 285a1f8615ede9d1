/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What every stage asks of an object: names, sections and relocations of symbols, and which pages
 * were changed.
 */
#include "object.h"

#include "base/sorting.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

int place_compare(const void *left, const void *right)
{
    const struct place *a = left, *b = right;
    if (a->section != b->section)
        return a->section < b->section ? -1 : 1;
    return a->offset < b->offset ? -1 : a->offset > b->offset;
}

/* Changes are remembered by pages: the smallest unit that is worth a write of its own. */
enum { CHANGE_UNIT = 4096 };

void object_watch_changes(struct object *o)
{
    bits_init(&o->changed, o->size / CHANGE_UNIT + 1);
}

void object_note_change(struct object *o, const void *at, size_t size)
{
    uintptr_t offset = (uintptr_t)at - (uintptr_t)o->image;
    if (!o->image || offset >= o->size || size == 0)
        return;
    for (size_t unit = offset / CHANGE_UNIT; unit <= (offset + size - 1) / CHANGE_UNIT; unit++)
        bits_set(&o->changed, unit);
}

/* The first byte in [from, end) of a unit that is changed, or is not. */
static uint64_t find_change(const struct object *o, uint64_t from, uint64_t end, bool is_changed)
{
    while (from < end && bits_test(&o->changed, from / CHANGE_UNIT) != is_changed)
        from = (from / CHANGE_UNIT + 1) * CHANGE_UNIT;
    return from < end ? from : end;
}

uint64_t object_next_change(const struct object *o, uint64_t from, uint64_t end)
{
    return find_change(o, from, end, true);
}

uint64_t object_end_of_change(const struct object *o, uint64_t from, uint64_t end)
{
    return find_change(o, from, end, false);
}

void object_close(struct object *o)
{
    for (uint32_t i = 0; i < o->section_count; i++)
        bytes_free(&o->sections[i].tail);
    if (!o->image)
        free(o->symbols);
    free(o->sections);
    free(o->added);
    bytes_free(&o->args);
    bytes_free(&o->enums);
    bytes_free(&o->stapsdt);
    bits_free(&o->dropped);
    bits_free(&o->changed);
    if (o->is_mapped)
        munmap(o->image, object_mapped_size(o));
    else
        free(o->image);
    if (o->fd >= 0)
        close(o->fd);
    *o = (struct object){.fd = -1};
}

const char *object_symbol_name(const struct object *o, uint32_t id)
{
    uint32_t offset = id < o->symbol_count ? o->symbols[id].st_name
                                           : o->added[id - o->symbol_count].symbol.st_name;
    return (const char *)section_byte(&o->sections[o->strtab], offset);
}

uint32_t object_symbol_section(const struct object *o, uint32_t index)
{
    uint16_t section = o->symbols[index].st_shndx;
    if (section == SHN_XINDEX && o->extended)
        return o->extended[index];
    return section < SHN_LORESERVE ? section : SHN_UNDEF;
}

static int compare_offsets(const void *left, const void *right)
{
    const Elf64_Rela *a = *(const Elf64_Rela *const *)left, *b = *(const Elf64_Rela *const *)right;
    return a->r_offset < b->r_offset ? -1 : a->r_offset > b->r_offset;
}

const Elf64_Rela **object_relocations_of(const struct object *o, const struct section *section,
                                         size_t *count)
{
    *count = 0;
    if (!section->rela)
        return NULL;
    const Elf64_Rela *all = section_relocations(&o->sections[section->rela], count);
    const Elf64_Rela **sorted = memory_zeroed(*count, sizeof *sorted);
    for (size_t i = 0; i < *count; i++)
        sorted[i] = &all[i];
    sort_unsorted(sorted, *count, sizeof *sorted, compare_offsets);
    return sorted;
}
