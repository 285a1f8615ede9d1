/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The relocations of an object, decoded from the bytes that LLVM hands out, because its C API has
 * neither addends nor symbol numbers; then held against LLVM's own iteration.
 */
#include "relocs.h"

#include "report.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

bool relocs_at(const struct section *table, uint64_t index, struct rela *rela)
{
    Elf64_Rela raw;
    if (table->size / sizeof raw <= index)
        return false;
    memcpy(&raw, table->data + index * sizeof raw, sizeof raw);
    *rela = (struct rela){.offset = raw.r_offset,
                          .addend = raw.r_addend,
                          .type = (uint32_t)ELF64_R_TYPE(raw.r_info),
                          .symbol = (uint32_t)ELF64_R_SYM(raw.r_info)};
    return true;
}

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
        struct rela *rela = &section->relocs[i];
        relocs_at(table, i, rela);
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

int relocs_read(struct image *image)
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
