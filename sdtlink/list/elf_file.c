/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Reading any ELF file with libelf, trusting nothing that it says.
 *
 * Neither of the tool's other readers can do this. base/elf_view.h is for quick reading of 64-bit
 * little-endian files, and is silent about damage; elf/object.h is for objects that will be
 * rewritten, of machines that the tool knows. The list must read any class and byte order, since
 * notes of <sys/sdt.h> exist on every machine, and linked files as well as objects; and it reports
 * why it cannot read a file. What it adds to libelf, which converts classes and byte orders, is the
 * checks.
 *
 * libelf has checked that section data lie in the file before it hands them out; indexes, string
 * offsets, relocations and distances are checked here, where they are used.
 */
#include "elf_file.h"

#include "base/crel.h"
#include "base/diag.h"
#include "base/memory.h"
#include "base/slice.h"

#include <arch/machines.h>
#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <shared/lower_bound.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Can all of a section of compressed relocations be read? */
static bool is_whole_crel(const struct list_section *section)
{
    struct crel crel;
    Elf64_Rela rela;
    if (!crel_begin(&crel, section->data, section->size))
        return false;
    while (crel_next(&crel, &rela))
        ;
    return !crel.is_damaged;
}

static int read_section(struct list_elf *elf, size_t names, uint32_t index)
{
    struct list_section *section = &elf->sections[index];
    Elf_Scn *scn = elf_getscn(elf->elf, index);
    GElf_Shdr *header = scn ? gelf_getshdr(scn, &section->header) : NULL;
    if (!header)
        return diag_error("%s: section %u: %s", elf->path, index, elf_errmsg(-1));
    section->name = elf_strptr(elf->elf, names, header->sh_name);
    if (!section->name)
        return diag_error("%s: section %u: its name is outside the string table", elf->path, index);
    if (header->sh_type == SHT_NOBITS || header->sh_type == SHT_NULL || header->sh_size == 0)
        return 0;
    if (header->sh_offset > elf->size || header->sh_size > elf->size - header->sh_offset)
        return diag_refuse(&(struct diag_place){.file = elf->path, .symbol = section->name},
                           "this section lies outside the file", NULL, NULL, NULL);
    Elf_Data *data = elf_rawdata(scn, NULL);
    if (!data || !data->d_buf)
        return diag_error("%s: section %u: %s", elf->path, index, elf_errmsg(-1));
    section->data = data->d_buf;
    section->size = data->d_size;
    if (header->sh_type == SHT_CREL && !is_whole_crel(section))
        return diag_refuse(&(struct diag_place){.file = elf->path, .symbol = section->name},
                           "this section has fewer relocations than it says", NULL, NULL, NULL);
    return 0;
}

static int read_sections(struct list_elf *elf)
{
    size_t count, names;
    if (elf_getshdrnum(elf->elf, &count) != 0 || elf_getshdrstrndx(elf->elf, &names) != 0)
        return diag_error("%s: %s", elf->path, elf_errmsg(-1));
    if (count == 0)
        return diag_error("%s: it has no section headers, which are needed to find the probes",
                          elf->path);
    elf->sections = memory_zeroed(count, sizeof *elf->sections);
    elf->count = (uint32_t)count;
    elf->sections[0].name = "";
    uint64_t unseen = elf->size;
    for (uint32_t i = 1; i < elf->count; i++) {
        if (read_section(elf, names, i) != 0)
            return -1;
        /* A file that shows the same bytes many times could hold millions of records. */
        if (elf->sections[i].size > unseen)
            return diag_error("%s: section %u overlaps others; the file is damaged", elf->path, i);
        unseen -= elf->sections[i].size;
    }
    return 0;
}

static int by_address(const void *left, const void *right, void *context)
{
    const struct list_section *sections = context;
    uint64_t a = sections[*(const uint32_t *)left].header.sh_addr;
    uint64_t b = sections[*(const uint32_t *)right].header.sh_addr;
    return a < b ? -1 : a > b;
}

/* Note the sections that others will be looked up in. */
static void index_sections(struct list_elf *elf)
{
    elf->by_address = memory_zeroed(elf->count, sizeof *elf->by_address);
    for (uint32_t i = 1; i < elf->count; i++) {
        const Elf64_Shdr *header = &elf->sections[i].header;
        bool is_tbss = header->sh_type == SHT_NOBITS && (header->sh_flags & SHF_TLS);
        bool is_table = header->sh_type == SHT_RELA || header->sh_type == SHT_REL ||
                        (header->sh_type == SHT_CREL && elf->is_64);
        if (elf->type == ET_REL && is_table && header->sh_info < elf->count)
            elf->sections[header->sh_info].rela = i;
        if (header->sh_type == SHT_SYMTAB || (header->sh_type == SHT_DYNSYM && !elf->symtab))
            elf->symtab = i;
        if (header->sh_type == SHT_SYMTAB_SHNDX)
            elf->shndx = i;
        if (!elf->stapsdt_base && strcmp(elf->sections[i].name, ".stapsdt.base") == 0)
            elf->stapsdt_base = i;
        if ((header->sh_flags & SHF_ALLOC) && header->sh_size && !is_tbss)
            elf->by_address[elf->address_count++] = i;
    }
    if (elf->address_count)
        qsort_r(elf->by_address, elf->address_count, sizeof *elf->by_address, by_address,
                elf->sections);
}

static int check_header(struct list_elf *elf)
{
    if (elf_kind(elf->elf) == ELF_K_AR)
        return diag_error("%s: an archive; extract its members first: `ar x`", elf->path);
    if (elf_kind(elf->elf) != ELF_K_ELF)
        return diag_error("%s: not an ELF file", elf->path);
    GElf_Ehdr header;
    if (!gelf_getehdr(elf->elf, &header))
        return diag_error("%s: %s", elf->path, elf_errmsg(-1));
    elf->is_64 = header.e_ident[EI_CLASS] == ELFCLASS64;
    elf->is_big = header.e_ident[EI_DATA] == ELFDATA2MSB;
    elf->word = elf->is_64 ? 8 : 4;
    if (header.e_type == ET_CORE)
        return diag_error("%s: a core dump; list the program and libraries that it came from",
                          elf->path);
    if (header.e_type != ET_REL && header.e_type != ET_EXEC && header.e_type != ET_DYN)
        return diag_error("%s: neither an object nor a linked file (ELF type %u)", elf->path,
                          header.e_type);
    elf->type = header.e_type;
    elf->machine = header.e_machine;
    return 0;
}

bool list_elf_is_ours(const struct list_elf *elf)
{
    const struct tool_arch *arch = tool_arch_of(elf->machine);
    return arch && arch->word == elf->word && !elf->is_big;
}

static int by_segment(const void *left, const void *right)
{
    const Elf64_Phdr *a = *(const Elf64_Phdr *const *)left;
    const Elf64_Phdr *b = *(const Elf64_Phdr *const *)right;
    return a->p_vaddr < b->p_vaddr ? -1 : a->p_vaddr > b->p_vaddr;
}

static int read_segments(struct list_elf *elf)
{
    size_t count;
    if (elf_getphdrnum(elf->elf, &count) != 0)
        return diag_error("%s: %s", elf->path, elf_errmsg(-1));
    elf->segments = memory_zeroed(count + 1, sizeof *elf->segments);
    elf->loads = memory_zeroed(count + 1, sizeof *elf->loads);
    for (size_t i = 0; i < count; i++) {
        if (!gelf_getphdr(elf->elf, (int)i, &elf->segments[i]))
            return diag_error("%s: program header %zu: %s", elf->path, i, elf_errmsg(-1));
        if (elf->segments[i].p_type == PT_LOAD)
            elf->loads[elf->load_count++] = &elf->segments[i];
    }
    elf->segment_count = count;
    qsort(elf->loads, elf->load_count, sizeof(Elf64_Phdr *), by_segment);
    return 0;
}

const Elf64_Phdr *list_elf_segment(const struct list_elf *elf, uint64_t address)
{
    /* the first one that starts after ADDRESS */
    size_t low = LOWER_BOUND(i, elf->load_count, elf->loads[i]->p_vaddr <= address);
    if (low == 0 || address - elf->loads[low - 1]->p_vaddr >= elf->loads[low - 1]->p_memsz)
        return NULL;
    return elf->loads[low - 1];
}

uint64_t list_elf_number(const struct list_elf *elf, const uint8_t *data, size_t size)
{
    uint64_t number = 0;
    for (size_t i = 0; i < size; i++)
        number = number << 8 | data[elf->is_big ? i : size - 1 - i];
    return number;
}

static size_t symbol_size(const struct list_elf *elf)
{
    return elf->is_64 ? sizeof(Elf64_Sym) : sizeof(Elf32_Sym);
}

#define SYMBOL(elf, data, member) LIST_ELF_MEMBER(elf, data, Elf64_Sym, Elf32_Sym, member)

bool list_elf_symbol(const struct list_elf *elf, uint32_t index, Elf64_Sym *symbol)
{
    const struct list_section *table = &elf->sections[elf->symtab];
    if (!elf->symtab || table->size / symbol_size(elf) <= index)
        return false;
    const uint8_t *data = table->data + index * symbol_size(elf);
    symbol->st_name = (uint32_t)SYMBOL(elf, data, st_name);
    symbol->st_info = (uint8_t)SYMBOL(elf, data, st_info);
    symbol->st_other = (uint8_t)SYMBOL(elf, data, st_other);
    symbol->st_shndx = (uint16_t)SYMBOL(elf, data, st_shndx);
    symbol->st_value = SYMBOL(elf, data, st_value);
    symbol->st_size = SYMBOL(elf, data, st_size);
    return true;
}

uint32_t list_elf_symbol_section(const struct list_elf *elf, uint32_t index,
                                 const Elf64_Sym *symbol)
{
    uint32_t section = symbol->st_shndx;
    if (section == SHN_XINDEX) {
        const struct list_section *table = &elf->sections[elf->shndx];
        section = 0;
        if (table->size / 4 > index)
            section = (uint32_t)list_elf_number(elf, table->data + 4 * (size_t)index, 4);
    } else if (section >= SHN_LORESERVE) {
        section = 0;
    }
    return section < elf->count ? section : 0;
}

const char *list_elf_string(const struct list_elf *elf, struct list_place place)
{
    if (place.section == 0 || place.section >= elf->count)
        return NULL;
    const struct list_section *section = &elf->sections[place.section];
    if (place.offset >= section->size)
        return NULL;
    const char *text = (const char *)section->data + place.offset;
    size_t left = section->size - place.offset;
    return left > MAX_NAME_BYTES || memchr(text, 0, left) ? text : NULL;
}

const char *list_elf_symbol_name(const struct list_elf *elf, const Elf64_Sym *symbol)
{
    struct list_place place = {elf->sections[elf->symtab].header.sh_link, symbol->st_name, NULL};
    const char *name = list_elf_string(elf, place);
    return name ? name : "";
}

bool list_elf_has_undefined(const struct list_elf *elf, const char *prefix)
{
    Elf64_Sym symbol;
    for (uint32_t i = 1; list_elf_symbol(elf, i, &symbol); i++)
        if (symbol.st_shndx == SHN_UNDEF &&
            strncmp(list_elf_symbol_name(elf, &symbol), prefix, strlen(prefix)) == 0)
            return true;
    return false;
}

int list_elf_by_start(const void *left, const void *right)
{
    const struct list_function *a = left, *b = right;
    if (a->section != b->section)
        return a->section < b->section ? -1 : 1;
    return a->start < b->start ? -1 : a->start > b->start;
}

static void index_functions(struct list_elf *elf)
{
    size_t room = elf->symtab ? elf->sections[elf->symtab].size / symbol_size(elf) : 0;
    Elf64_Sym symbol;
    elf->functions = memory_zeroed(room + 1, sizeof *elf->functions);
    for (uint32_t i = 1; i < room && list_elf_symbol(elf, i, &symbol); i++) {
        uint32_t section = list_elf_symbol_section(elf, i, &symbol);
        if (section == 0 || ELF64_ST_TYPE(symbol.st_info) != STT_FUNC)
            continue;
        uint64_t base = elf->type == ET_REL ? 0 : elf->sections[section].header.sh_addr;
        elf->functions[elf->function_count++] = (struct list_function){
            section, symbol.st_value - base, symbol.st_size, list_elf_symbol_name(elf, &symbol)};
    }
    qsort(elf->functions, elf->function_count, sizeof *elf->functions, list_elf_by_start);
}

static int map_file(struct list_elf *elf)
{
    bool is_mapped = mapping_of(&elf->file, elf->fd); /* else: empty, or not mappable */
    elf_version(EV_CURRENT);
    elf->elf = is_mapped ? elf_memory((char *)(uintptr_t)elf->file.data, elf->file.size)
                         : elf_begin(elf->fd, ELF_C_READ, NULL);
    if (!elf->elf)
        return diag_error("%s: %s", elf->path, elf_errmsg(-1));
    return 0;
}

int list_elf_open(struct list_elf *elf, const char *path)
{
    struct stat status;
    *elf = (struct list_elf){.path = path};
    /* O_NONBLOCK: a FIFO without a writer is refused, not waited for. */
    elf->fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (elf->fd < 0 || fstat(elf->fd, &status) != 0)
        return diag_errno("%s", path);
    if (!S_ISREG(status.st_mode))
        return diag_error("%s: not a regular file", path);
    elf->size = (uint64_t)status.st_size;
    if (map_file(elf) != 0 || check_header(elf) != 0 || read_segments(elf) != 0 ||
        read_sections(elf) != 0)
        return -1;
    index_sections(elf);
    index_functions(elf);
    return 0;
}

void list_elf_close(struct list_elf *elf)
{
    for (uint32_t i = 0; i < elf->count; i++)
        free(elf->sections[i].sorted);
    free(elf->sections);
    free(elf->segments);
    free(elf->loads);
    free(elf->by_address);
    free(elf->functions);
    if (elf->elf)
        elf_end(elf->elf);
    mapping_close(&elf->file);
    if (elf->fd >= 0)
        close(elf->fd);
    *elf = (struct list_elf){.fd = -1};
}
