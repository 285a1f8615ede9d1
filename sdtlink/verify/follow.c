/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a 32-bit field leads to.
 *
 * In a relocatable object it is the relocation that says so (S + A is the place, whatever P is); in
 * a linked file the word itself is the distance. A displacement inside an instruction counts from
 * the byte behind the field, hence the four bytes between image_follow() and image_follow_code().
 */
#include "image.h"

#include "report.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

static int by_offset(const void *left, const void *right)
{
    const struct rela *a = left, *b = right;
    if (a->offset != b->offset)
        return a->offset < b->offset ? -1 : 1;
    if (a->type != b->type)
        return a->type < b->type ? -1 : 1;
    return a->symbol < b->symbol ? -1 : a->symbol > b->symbol;
}

/* LLVM's iteration over the relocations of TABLE must show what we decoded. */
static bool is_as_llvm_sees(LLVMSectionIteratorRef table, const struct rela *relocs, size_t count)
{
    LLVMRelocationIteratorRef at = LLVMGetRelocations(table);
    size_t i = 0;
    bool same = true;
    for (; same && !LLVMIsRelocationIteratorAtEnd(table, at); i++) {
        same = i < count && LLVMGetRelocationOffset(at) == relocs[i].offset &&
               LLVMGetRelocationType(at) == relocs[i].type;
        LLVMMoveToNextRelocation(at);
    }
    LLVMDisposeRelocationIterator(at);
    return same && i == count;
}

static int read_table(struct image *image, const struct section *table, struct section *section,
                      LLVMSectionIteratorRef at)
{
    size_t count = table->size / sizeof(Elf64_Rela);
    if (table->entsize != sizeof(Elf64_Rela) || table->size % sizeof(Elf64_Rela) != 0)
        return report_failure(image, "malformed relocation table %s", table->name);
    section->relocs = calloc(count ? count : 1, sizeof *section->relocs);
    if (!section->relocs)
        return report_failure(image, "out of memory");
    section->nrelocs = count;
    bool is_sorted = true, is_sane = true;
    for (size_t i = 0; i < count; i++) {
        Elf64_Rela raw;
        memcpy(&raw, table->data + i * sizeof raw, sizeof raw);
        struct rela *rela = &section->relocs[i];
        *rela = (struct rela){.offset = raw.r_offset,
                              .addend = raw.r_addend,
                              .type = (uint32_t)ELF64_R_TYPE(raw.r_info),
                              .symbol = (uint32_t)ELF64_R_SYM(raw.r_info)};
        is_sane &= rela->symbol < image->nsymbols && rela->offset < section->size;
        is_sorted &= i == 0 || rela[-1].offset <= rela->offset;
    }
    if (!is_sane)
        return report_failure(image, "%s: a relocation is outside its section or symbol table",
                              table->name);
    if (!is_as_llvm_sees(at, section->relocs, count))
        return report_failure(image, "%s: LLVM reads these relocations differently", table->name);
    if (!is_sorted)
        qsort(section->relocs, count, sizeof *section->relocs, by_offset);
    return 0;
}

int image_read_relocs(struct image *image)
{
    if (!image->is_relocatable)
        return 0;
    int result = 0;
    LLVMSectionIteratorRef at = LLVMObjectFileCopySectionIterator(image->binary);
    for (uint32_t i = 0; result == 0 && i < image->nsections; i++, LLVMMoveToNextSection(at)) {
        const struct section *table = &image->sections[i];
        if (table->type != SHT_RELA || table->info == 0 || table->info >= image->nsections)
            continue;
        struct section *section = &image->sections[table->info];
        if (section->rela)
            result = report_failure(image, "section %u has two relocation tables", table->info);
        section->rela = i;
        if (result == 0 && ((section->flags & SHF_ALLOC) || section->type == SHT_NOTE))
            result = read_table(image, table, section, at);
    }
    LLVMDisposeSectionIterator(at);
    return result;
}

static enum follow follow_reloc(const struct image *image, const struct rela *rela, int64_t bias,
                                struct target *target)
{
    const struct symbol *symbol = &image->symbols[rela->symbol];
    target->type = rela->type;
    target->symbol = symbol;
    target->beyond = (int64_t)((uint64_t)rela->addend + (uint64_t)bias);
    if (rela->type != R_X86_64_PC32 && rela->type != R_X86_64_PLT32)
        return FOLLOW_BAD;
    if (symbol->section == 0)
        return symbol->is_undefined && rela->symbol != 0 ? FOLLOW_UNDEFINED : FOLLOW_BAD;
    target->place.section = symbol->section;
    target->place.offset = symbol->value + (uint64_t)target->beyond;
    return target->place.offset <= image->sections[symbol->section].size ? FOLLOW_PLACE
                                                                         : FOLLOW_BAD;
}

static enum follow follow_word(const struct image *image, struct place field, int64_t bias,
                               struct target *target)
{
    uint64_t available;
    int32_t word;
    const uint8_t *bytes = image_bytes(image, field, &available);
    if (!bytes || available < sizeof word)
        return FOLLOW_BAD;
    memcpy(&word, bytes, sizeof word);
    if (word == 0 && bias == 0)
        return FOLLOW_NOTHING;
    if (image->is_relocatable)
        return FOLLOW_BAD; /* a distance that no linker will ever adjust */
    uint64_t address = image->sections[field.section].address + field.offset +
                       (uint64_t)(int64_t)word + (uint64_t)bias;
    target->place.section = image_section_at(image, address);
    if (target->place.section == 0)
        return FOLLOW_BAD;
    target->place.offset = address - image->sections[target->place.section].address;
    return FOLLOW_PLACE;
}

static enum follow follow(struct image *image, struct place field, int64_t bias,
                          struct target *target)
{
    *target = (struct target){0};
    if (!image->is_relocatable)
        return follow_word(image, field, bias, target);
    /* An R_X86_64_NONE may stand at the same offset; it leads nowhere. */
    const struct section *section = &image->sections[field.section];
    const struct rela *rela = NULL;
    for (size_t i = image_rela_index(section, field.offset);
         i < section->nrelocs && section->relocs[i].offset == field.offset; i++) {
        if (section->relocs[i].type == R_X86_64_NONE)
            continue;
        if (rela)
            return FOLLOW_BAD; /* two relocations of one field */
        rela = &section->relocs[i];
    }
    return rela ? follow_reloc(image, rela, bias, target) : follow_word(image, field, bias, target);
}

enum follow image_follow(struct image *image, struct place field, struct target *target)
{
    return follow(image, field, 0, target);
}

enum follow image_follow_code(struct image *image, struct place field, struct target *target)
{
    return follow(image, field, 4, target);
}
