/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Where a field of the file leads: by its relocation in an object, by an address in a linked file.
 */
#include "elf_follow.h"

#include "base/crel.h"
#include "base/memory.h"
#include "machines/relocation.h"

#include <shared/lower_bound.h>
#include <stdlib.h>
#include <string.h>

#define RELOCATION(elf, data, member) LIST_ELF_MEMBER(elf, data, Elf64_Rela, Elf32_Rela, member)

static int by_offset(const void *left, const void *right)
{
    const Elf64_Rela *a = left, *b = right;
    return a->r_offset < b->r_offset ? -1 : a->r_offset > b->r_offset;
}

/* The addend of a relocation without one: it is in HOME, the section that it applies to. */
static uint64_t addend_in(const struct list_elf *elf, const struct list_section *home,
                          uint64_t offset)
{
    bool is_there = offset <= home->size && home->size - offset >= elf->word;
    return is_there ? list_elf_number(elf, home->data + offset, elf->word) : 0;
}

/* The relocation at DATA in the form of Elf64_Rela. */
static Elf64_Rela decode_relocation(const struct list_elf *elf, const struct list_section *home,
                                    const uint8_t *data, bool has_addend)
{
    Elf64_Rela rela = {.r_offset = RELOCATION(elf, data, r_offset)};
    uint64_t info = RELOCATION(elf, data, r_info), addend;
    if (!elf->is_64)
        info = ELF64_R_INFO((uint64_t)ELF32_R_SYM(info), ELF32_R_TYPE(info));
    else
        info = relocation_info(elf->machine, elf->is_big, info);
    rela.r_info = info;
    if (has_addend)
        addend = RELOCATION(elf, data, r_addend);
    else
        addend = addend_in(elf, home, rela.r_offset);
    rela.r_addend = elf->is_64 ? (int64_t)addend : (int32_t)(uint32_t)addend;
    return rela;
}

/* To the sorted copy that SECTION gets. */
static void take_relocation(struct list_section *section, Elf64_Rela rela)
{
    if (ELF64_R_TYPE(rela.r_info) != 0) /* R_<any machine>_NONE */
        section->sorted[section->sorted_count++] = rela;
}

/* read_section() has seen that all are there. */
static void take_compressed(const struct list_elf *elf, struct list_section *section,
                            const struct list_section *table)
{
    struct crel crel;
    Elf64_Rela rela;
    crel_begin(&crel, table->data, table->size);
    section->sorted = memory_zeroed(crel.count + 1, sizeof *section->sorted);
    while (crel_next(&crel, &rela)) {
        if (!crel.has_addends)
            rela.r_addend = (int64_t)addend_in(elf, section, rela.r_offset);
        take_relocation(section, rela);
    }
}

static void take_plain(const struct list_elf *elf, struct list_section *section,
                       const struct list_section *table)
{
    bool has_addend = table->header.sh_type == SHT_RELA;
    size_t size = (has_addend ? (size_t)3 : 2) * elf->word, count = table->size / size;
    section->sorted = memory_zeroed(count + 1, sizeof *section->sorted);
    for (size_t i = 0; i < count; i++)
        take_relocation(section,
                        decode_relocation(elf, section, table->data + i * size, has_addend));
}

/* A sorted copy of the relocations of SECTION, made once; those that do nothing are left out. */
static void sort_relocations(const struct list_elf *elf, struct list_section *section)
{
    const struct list_section *table = &elf->sections[section->rela];
    if (table->header.sh_type == SHT_CREL)
        take_compressed(elf, section, table);
    else
        take_plain(elf, section, table);
    qsort(section->sorted, section->sorted_count, sizeof *section->sorted, by_offset);
}

const Elf64_Rela *list_elf_rela(struct list_elf *elf, uint32_t index, uint64_t offset)
{
    struct list_section *section = &elf->sections[index];
    Elf64_Rela key = {.r_offset = offset};
    if (elf->type != ET_REL || !section->rela)
        return NULL;
    if (!section->sorted)
        sort_relocations(elf, section);
    return bsearch(&key, section->sorted, section->sorted_count, sizeof key, by_offset);
}

uint32_t list_elf_distance(struct list_elf *elf, uint32_t index, uint64_t offset)
{
    const struct list_section *section = &elf->sections[index];
    uint32_t value = (uint32_t)list_elf_number(elf, section->data + offset, 4);
    const Elf64_Rela *rela = list_elf_rela(elf, index, offset);
    if (!rela)
        return value;
    for (unsigned i = 0; i < 4 && rela > section->sorted && rela[-1].r_offset == offset; i++)
        rela--;
    const Elf64_Rela *end = section->sorted + section->sorted_count;
    unsigned looked_at = 0;
    for (; rela < end && rela->r_offset == offset && looked_at < 4; rela++, looked_at++) {
        struct list_place place;
        bool is_added;
        uint32_t type = (uint32_t)ELF64_R_TYPE(rela->r_info);
        if (relocation_is_distance(elf->machine, type, &is_added) &&
            list_elf_target(elf, rela, &place) == 1)
            value += is_added ? (uint32_t)place.offset : -(uint32_t)place.offset;
    }
    return value;
}

int list_elf_target(const struct list_elf *elf, const Elf64_Rela *rela, struct list_place *place)
{
    uint32_t index = (uint32_t)ELF64_R_SYM(rela->r_info);
    Elf64_Sym symbol;
    *place = (struct list_place){0};
    if (!list_elf_symbol(elf, index, &symbol))
        return -1;
    place->section = list_elf_symbol_section(elf, index, &symbol);
    place->offset = (uint64_t)rela->r_addend;
    if (place->section == 0) {
        place->symbol = list_elf_symbol_name(elf, &symbol);
        return *place->symbol ? 1 : -1;
    }
    place->offset += symbol.st_value;
    return place->offset <= elf->sections[place->section].header.sh_size ? 1 : -1;
}

int list_elf_follow(struct list_elf *elf, uint32_t section, uint64_t offset,
                    struct list_place *place)
{
    const struct list_section *holder = &elf->sections[section];
    int32_t distance;
    *place = (struct list_place){0};
    if (offset > holder->size || holder->size - offset < sizeof distance)
        return -1;
    const Elf64_Rela *rela = list_elf_rela(elf, section, offset);
    if (rela)
        return list_elf_target(elf, rela, place);
    distance = (int32_t)list_elf_number(elf, holder->data + offset, sizeof distance);
    if (distance == 0)
        return 0;
    uint64_t address = holder->header.sh_addr + offset + (uint64_t)(int64_t)distance;
    if (elf->type == ET_REL)
        return -1;
    *place = list_elf_place(elf, address);
    return place->section ? 1 : -1;
}

uint32_t list_elf_section_at(const struct list_elf *elf, uint64_t address)
{
    /* the first section that starts after ADDRESS */
    uint32_t low = LOWER_BOUND(i, elf->address_count,
                               elf->sections[elf->by_address[i]].header.sh_addr <= address);
    if (low == 0)
        return 0;
    const Elf64_Shdr *header = &elf->sections[elf->by_address[low - 1]].header;
    return address - header->sh_addr < header->sh_size ? elf->by_address[low - 1] : 0;
}

struct list_place list_elf_place(const struct list_elf *elf, uint64_t address)
{
    uint32_t section = list_elf_section_at(elf, address);
    return (struct list_place){section, address - elf->sections[section].header.sh_addr, NULL};
}

const char *list_elf_function(const struct list_elf *elf, struct list_place place)
{
    struct list_function key = {.section = place.section, .start = place.offset};
    /* the first function that starts after PLACE */
    size_t low =
        LOWER_BOUND(i, elf->function_count, list_elf_by_start(&elf->functions[i], &key) <= 0);
    for (size_t i = low; i > 0 && low - i < 8; i--) { /* aliases apart, the last one covers it */
        const struct list_function *function = &elf->functions[i - 1];
        if (function->section != place.section)
            break;
        if (place.offset - function->start < function->size)
            return function->name;
    }
    return NULL;
}
