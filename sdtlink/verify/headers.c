/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The part of ELF that LLVM's C API does not give access to (see headers.h). Structures come from
 * the C library's <elf.h>; nothing here is shared with the tool's own reader.
 *
 * Reading before LLVM does has a second use: LLVM ends the process on a section that lies outside
 * the file, so such files are refused here, with a message of ours.
 */
#include "headers.h"

#include "machines/machines.h"
#include "report.h"

#include <elf.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#ifndef SHT_CREL
#define SHT_CREL 0x40000014
#endif

static int check_identity(struct image *image, const Elf64_Ehdr *header)
{
    if (image->size < sizeof *header || memcmp(header->e_ident, ELFMAG, SELFMAG) != 0)
        return report_failure(image, "not an ELF file");
    if (header->e_ident[EI_DATA] != ELFDATA2LSB)
        return report_failure(image, "a big-endian file: sdtlink makes no probes in such");
    image->arch = machines_find(header->e_machine);
    if (header->e_ident[EI_CLASS] != ELFCLASS64 || !image->arch)
        return report_failure(image, "not a 64-bit " MACHINES_NAMES " file (class %u, machine %u)",
                              header->e_ident[EI_CLASS], header->e_machine);
    if (header->e_type != ET_REL && header->e_type != ET_EXEC && header->e_type != ET_DYN)
        return report_failure(image, "neither an object nor a linked file (type %u)",
                              header->e_type);
    if (header->e_shoff == 0)
        return report_failure(image, "no section headers: nothing can be proven about it");
    return 0;
}

/* Takes the section's bytes from the UNSEEN ones: a file that shows the same bytes many times could
 * hold millions of records. */
static int check_section(const struct image *image, uint32_t index, const Elf64_Shdr *header,
                         uint64_t *unseen)
{
    if (index == 0 && header->sh_type != SHT_NULL)
        return report_failure(image, "section 0 has a type (%u)", header->sh_type);
    if (header->sh_type == SHT_CREL)
        return report_failure(image,
                              "section %u: relocations of this kind (CREL) are not read here; "
                              "compile without -Wa,--crel",
                              index);
    if (header->sh_type == SHT_NOBITS || header->sh_type == SHT_NULL)
        return 0;
    if (header->sh_offset > image->size || header->sh_size > image->size - header->sh_offset)
        return report_failure(
            image, "section %u lies outside the file (offset 0x%" PRIx64 ", size 0x%" PRIx64 ")",
            index, header->sh_offset, header->sh_size);
    if (header->sh_size > *unseen)
        return report_failure(image, "section %u overlaps others", index);
    *unseen -= header->sh_size;
    return 0;
}

int headers_read_sections(struct image *image)
{
    Elf64_Ehdr header = {0};
    memcpy(&header, image->bytes, image->size < sizeof header ? image->size : sizeof header);
    if (check_identity(image, &header) != 0)
        return -1;
    uint64_t room = header.e_shoff < image->size ? image->size - header.e_shoff : 0;
    Elf64_Shdr first;
    if (header.e_shentsize != sizeof first || room < sizeof first)
        return report_failure(image, "the section header table lies outside the file");
    memcpy(&first, image->bytes + header.e_shoff, sizeof first);
    /* More than 65 279 sections: the count is in the first header. */
    uint64_t count = header.e_shnum ? header.e_shnum : first.sh_size;
    if (count == 0 || count > room / sizeof first)
        return report_failure(image, "the section header table lies outside the file");

    image->is_relocatable = header.e_type == ET_REL;
    image->sections = calloc(count, sizeof *image->sections);
    if (!image->sections)
        return report_failure(image, "out of memory");
    image->nsections = (uint32_t)count;
    uint64_t unseen = image->size;
    for (uint32_t i = 0; i < count; i++) {
        Elf64_Shdr raw;
        memcpy(&raw, image->bytes + header.e_shoff + i * sizeof raw, sizeof raw);
        if (check_section(image, i, &raw, &unseen) != 0)
            return -1;
        image->sections[i] = (struct section){.size = raw.sh_size,
                                              .address = raw.sh_addr,
                                              .flags = raw.sh_flags,
                                              .entsize = raw.sh_entsize,
                                              .type = raw.sh_type,
                                              .link = raw.sh_link,
                                              .info = raw.sh_info};
    }
    return 0;
}

/* The section of TYPE that is linked to section LINK (0: any), or 0. */
static uint32_t find_type(const struct image *image, uint32_t type, uint32_t link)
{
    for (uint32_t i = 1; i < image->nsections; i++)
        if (image->sections[i].type == type && (link == 0 || image->sections[i].link == link))
            return i;
    return 0;
}

static uint32_t symbol_section(const struct image *image, const Elf64_Sym *symbol, uint32_t index,
                               const struct section *extended)
{
    uint32_t section = symbol->st_shndx;
    if (section == SHN_XINDEX) {
        if (!extended || extended->size / 4 <= index)
            return UINT32_MAX;
        memcpy(&section, extended->data + 4 * (uint64_t)index, sizeof section);
    } else if (section >= SHN_LORESERVE) {
        return 0;
    }
    return section < image->nsections ? section : UINT32_MAX;
}

static int read_symbol(struct image *image, uint32_t table, uint32_t index,
                       const struct section *extended)
{
    const struct section *strings = &image->sections[image->sections[table].link];
    struct symbol *symbol = &image->symbols[index];
    Elf64_Sym raw;
    memcpy(&raw, image->sections[table].data + index * sizeof raw, sizeof raw);
    uint32_t section = symbol_section(image, &raw, index, extended);
    if (section == UINT32_MAX)
        return report_failure(image, "symbol %u names a section that does not exist", index);
    if (raw.st_name >= strings->size)
        return report_failure(image, "symbol %u has its name outside the string table", index);
    *symbol = (struct symbol){.name = (const char *)strings->data + raw.st_name,
                              .value = raw.st_value,
                              .size = raw.st_size,
                              .section = section,
                              .type = ELF64_ST_TYPE(raw.st_info),
                              .binding = ELF64_ST_BIND(raw.st_info),
                              .visibility = ELF64_ST_VISIBILITY(raw.st_other),
                              .is_undefined = raw.st_shndx == SHN_UNDEF};
    if (section != 0 && !image->is_relocatable)
        symbol->value -= image->sections[section].address;
    if (symbol->type == STT_SECTION && section != 0 && *symbol->name == 0)
        symbol->name = image->sections[section].name;
    return 0;
}

int headers_read_symbols(struct image *image)
{
    uint32_t table = find_type(image, SHT_SYMTAB, 0);
    if (table == 0)
        table = find_type(image, SHT_DYNSYM, 0);
    if (table == 0)
        return 0;
    const struct section *symbols = &image->sections[table];
    if (symbols->link == 0 || symbols->link >= image->nsections ||
        symbols->entsize != sizeof(Elf64_Sym) || symbols->size % sizeof(Elf64_Sym) != 0)
        return report_failure(image, "malformed symbol table");
    const struct section *strings = &image->sections[symbols->link];
    if (!strings->data || strings->size == 0 || strings->data[strings->size - 1] != 0)
        return report_failure(image, "malformed string table of the symbols");
    uint32_t extended = find_type(image, SHT_SYMTAB_SHNDX, table);

    image->nsymbols = (uint32_t)(symbols->size / sizeof(Elf64_Sym));
    image->symbols = calloc(image->nsymbols ? image->nsymbols : 1, sizeof *image->symbols);
    if (!image->symbols)
        return report_failure(image, "out of memory");
    for (uint32_t i = 0; i < image->nsymbols; i++)
        if (read_symbol(image, table, i, extended ? &image->sections[extended] : NULL) != 0)
            return -1;
    return 0;
}

int headers_read_groups(struct image *image)
{
    for (uint32_t i = 1; i < image->nsections; i++) {
        const struct section *group = &image->sections[i];
        if (group->type != SHT_GROUP)
            continue;
        if (group->size % 4 != 0 || group->size < 4 || group->info >= image->nsymbols)
            return report_failure(image, "section %u is a malformed group", i);
        for (uint64_t word = 4; word < group->size; word += 4) {
            uint32_t member;
            memcpy(&member, group->data + word, sizeof member);
            if (member == 0 || member >= image->nsections || image->sections[member].group)
                return report_failure(image, "group section %u: bad or shared member %u", i,
                                      member);
            image->sections[member].group = i;
        }
    }
    return 0;
}
