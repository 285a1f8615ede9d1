/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A call of another library's function goes through a word of the GOT, by the PLT or directly
 * (-fno-plt), and the relocation of that word names the function. Both look alike here: an indirect
 * jump or call through a word with a relocation.
 */
#include "slots.h"

#include "arch.h"
#include "report.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

static int by_address(const void *left, const void *right)
{
    const struct slot *a = left, *b = right;
    return a->address < b->address ? -1 : a->address > b->address;
}

/* Symbol INDEX of the table of section TABLE into SLOT; false: there is no such symbol. */
static bool name_slot(const struct image *image, uint32_t table, uint64_t index, struct slot *slot)
{
    Elf64_Sym symbol;
    if (table == 0 || table >= image->nsections)
        return false;
    const struct section *symbols = &image->sections[table];
    if (!symbols->data || index >= symbols->size / sizeof symbol || symbols->link == 0 ||
        symbols->link >= image->nsections)
        return false;
    memcpy(&symbol, symbols->data + index * sizeof symbol, sizeof symbol);
    if (symbol.st_shndx != SHN_UNDEF) {
        slot->target = ELF64_ST_TYPE(symbol.st_info) == STT_GNU_IFUNC ? 0 : symbol.st_value;
        return true;
    }
    slot->name = image_string(image, (struct place){symbols->link, symbol.st_name});
    return slot->name != NULL;
}

static bool read_slot(const struct image *image, const struct section *table, uint64_t i,
                      struct slot *slot)
{
    Elf64_Rela rela;
    memcpy(&rela, table->data + i * sizeof rela, sizeof rela);
    *slot = (struct slot){.address = rela.r_offset};
    switch (image->arch->meaning((uint32_t)ELF64_R_TYPE(rela.r_info))) {
    case RELOC_NAMED:
        return name_slot(image, table->link, ELF64_R_SYM(rela.r_info), slot);
    case RELOC_RELATIVE:
        slot->target = (uint64_t)rela.r_addend;
        return true;
    case RELOC_CHOSEN:
        return true;
    default:
        return false;
    }
}

static bool is_dynamic_table(const struct section *section)
{
    return section->type == SHT_RELA && (section->flags & SHF_ALLOC) && section->data;
}

int slots_read(struct image *image, struct slots *slots)
{
    uint64_t most = 0;
    for (uint32_t i = 1; i < image->nsections; i++)
        if (is_dynamic_table(&image->sections[i]))
            most += image->sections[i].size / sizeof(Elf64_Rela);
    slots->all = calloc(most ? most : 1, sizeof *slots->all);
    if (!slots->all)
        return report_failure(image, "out of memory");
    for (uint32_t i = 1; i < image->nsections; i++) {
        const struct section *table = &image->sections[i];
        uint64_t count = is_dynamic_table(table) ? table->size / sizeof(Elf64_Rela) : 0;
        for (uint64_t j = 0; j < count; j++)
            slots->count += read_slot(image, table, j, &slots->all[slots->count]);
    }
    qsort(slots->all, slots->count, sizeof *slots->all, by_address);
    return 0;
}

const struct slot *slots_find(const struct slots *slots, uint64_t address)
{
    const struct slot key = {.address = address};
    return slots->count ? bsearch(&key, slots->all, slots->count, sizeof key, by_address) : NULL;
}
