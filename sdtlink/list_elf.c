/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Reading any ELF file with libelf, trusting nothing that it says.
 *
 * libelf has checked that section data lie in the file before it hands them out; indexes, string
 * offsets, relocations and distances are checked here, where they are used.
 */
#include "list_elf.h"

#include "diag.h"
#include "memory.h"
#include "names.h"

#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int read_section(struct list_elf *elf, size_t names, uint32_t index)
{
    struct list_section *section = &elf->sections[index];
    Elf_Scn *scn = elf_getscn(elf->elf, index);
    Elf64_Shdr *header = scn ? elf64_getshdr(scn) : NULL;
    if (!header)
        return diag_error("%s: section %u: %s", elf->path, index, elf_errmsg(-1));
    section->header = *header;
    section->name = elf_strptr(elf->elf, names, header->sh_name);
    if (!section->name)
        return diag_error("%s: section %u: its name is outside the string table", elf->path, index);
    if (header->sh_type == SHT_NOBITS || header->sh_type == SHT_NULL || header->sh_size == 0)
        return 0;
    if (header->sh_offset > elf->size || header->sh_size > elf->size - header->sh_offset)
        return diag_refuse(&(struct place){.file = elf->path, .symbol = section->name},
                           "this section lies outside the file", NULL, NULL, NULL);
    Elf_Data *data = elf_rawdata(scn, NULL);
    if (!data || !data->d_buf)
        return diag_error("%s: section %u: %s", elf->path, index, elf_errmsg(-1));
    section->data = data->d_buf;
    section->size = data->d_size;
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
        if (elf->type == ET_REL && header->sh_type == SHT_RELA && header->sh_info < elf->count)
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
        return diag_error("%s: an archive; list its members after `ar x`", elf->path);
    if (elf_kind(elf->elf) != ELF_K_ELF)
        return diag_error("%s: not an ELF file", elf->path);
    const unsigned char *identity = (const unsigned char *)elf_getident(elf->elf, NULL);
    Elf64_Ehdr *header = elf64_getehdr(elf->elf);
    if (!header || !identity || identity[EI_DATA] != ELFDATA2LSB)
        return diag_error("%s: not a 64-bit little-endian ELF file", elf->path);
    if (header->e_type != ET_REL && header->e_type != ET_EXEC && header->e_type != ET_DYN)
        return diag_error("%s: neither an object nor a linked file (ELF type %u)", elf->path,
                          header->e_type);
    elf->type = header->e_type;
    elf->machine = header->e_machine;
    return 0;
}

static bool read_symbol(const struct list_elf *elf, uint32_t index, Elf64_Sym *symbol)
{
    const struct list_section *table = &elf->sections[elf->symtab];
    if (!elf->symtab || table->size / sizeof *symbol <= index)
        return false;
    memcpy(symbol, table->data + index * sizeof *symbol, sizeof *symbol);
    return true;
}

/* The section a symbol is defined in; 0: undefined, absolute, common or nonsense. */
static uint32_t symbol_section(const struct list_elf *elf, uint32_t index, const Elf64_Sym *symbol)
{
    uint32_t section = symbol->st_shndx;
    if (section == SHN_XINDEX) {
        const struct list_section *table = &elf->sections[elf->shndx];
        section = 0;
        if (table->size / 4 > index)
            memcpy(&section, table->data + 4 * (size_t)index, sizeof section);
    } else if (section >= SHN_LORESERVE) {
        section = 0;
    }
    return section < elf->count ? section : 0;
}

static const char *symbol_name(const struct list_elf *elf, const Elf64_Sym *symbol)
{
    struct list_place place = {elf->sections[elf->symtab].header.sh_link, symbol->st_name, NULL};
    const char *name = list_elf_string(elf, place);
    return name ? name : "";
}

bool list_elf_has_undefined(const struct list_elf *elf, const char *prefix)
{
    Elf64_Sym symbol;
    for (uint32_t i = 1; read_symbol(elf, i, &symbol); i++)
        if (symbol.st_shndx == SHN_UNDEF &&
            strncmp(symbol_name(elf, &symbol), prefix, strlen(prefix)) == 0)
            return true;
    return false;
}

static int by_start(const void *left, const void *right)
{
    const struct list_function *a = left, *b = right;
    if (a->section != b->section)
        return a->section < b->section ? -1 : 1;
    return a->start < b->start ? -1 : a->start > b->start;
}

static void index_functions(struct list_elf *elf)
{
    size_t room = elf->symtab ? elf->sections[elf->symtab].size / sizeof(Elf64_Sym) : 0;
    Elf64_Sym symbol;
    elf->functions = memory_zeroed(room + 1, sizeof *elf->functions);
    for (uint32_t i = 1; i < room && read_symbol(elf, i, &symbol); i++) {
        uint32_t section = symbol_section(elf, i, &symbol);
        if (section == 0 || ELF64_ST_TYPE(symbol.st_info) != STT_FUNC)
            continue;
        uint64_t base = elf->type == ET_REL ? 0 : elf->sections[section].header.sh_addr;
        elf->functions[elf->function_count++] = (struct list_function){
            section, symbol.st_value - base, symbol.st_size, symbol_name(elf, &symbol)};
    }
    qsort(elf->functions, elf->function_count, sizeof *elf->functions, by_start);
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
    elf_version(EV_CURRENT);
    elf->elf = elf_begin(elf->fd, ELF_C_READ_MMAP, NULL);
    if (!elf->elf)
        return diag_error("%s: %s", path, elf_errmsg(-1));
    if (check_header(elf) != 0 || read_sections(elf) != 0)
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
    free(elf->by_address);
    free(elf->functions);
    if (elf->elf)
        elf_end(elf->elf);
    if (elf->fd >= 0)
        close(elf->fd);
    *elf = (struct list_elf){.fd = -1};
}

static int by_offset(const void *left, const void *right)
{
    const Elf64_Rela *a = left, *b = right;
    return a->r_offset < b->r_offset ? -1 : a->r_offset > b->r_offset;
}

/* A sorted copy of the relocations of SECTION, made once; those that do nothing are left out. */
static void sort_relocations(struct list_elf *elf, struct list_section *section)
{
    const struct list_section *table = &elf->sections[section->rela];
    size_t count = table->size / sizeof(Elf64_Rela);
    section->sorted = memory_zeroed(count + 1, sizeof *section->sorted);
    for (size_t i = 0; i < count; i++) {
        Elf64_Rela rela;
        memcpy(&rela, table->data + i * sizeof rela, sizeof rela);
        if (ELF64_R_TYPE(rela.r_info) != 0) /* R_<any machine>_NONE */
            section->sorted[section->sorted_count++] = rela;
    }
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

int list_elf_target(const struct list_elf *elf, const Elf64_Rela *rela, struct list_place *place)
{
    uint32_t index = (uint32_t)ELF64_R_SYM(rela->r_info);
    Elf64_Sym symbol;
    *place = (struct list_place){0};
    if (!read_symbol(elf, index, &symbol))
        return -1;
    place->section = symbol_section(elf, index, &symbol);
    place->offset = (uint64_t)rela->r_addend;
    if (place->section == 0) {
        place->symbol = symbol_name(elf, &symbol);
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
    memcpy(&distance, holder->data + offset, sizeof distance);
    if (distance == 0)
        return 0;
    uint64_t address = holder->header.sh_addr + offset + (uint64_t)(int64_t)distance;
    place->section = elf->type == ET_REL ? 0 : list_elf_section_at(elf, address);
    if (place->section == 0)
        return -1;
    place->offset = address - elf->sections[place->section].header.sh_addr;
    return 1;
}

uint32_t list_elf_section_at(const struct list_elf *elf, uint64_t address)
{
    uint32_t low = 0, high = elf->address_count;
    while (low < high) { /* the first section that starts behind ADDRESS */
        uint32_t middle = low + (high - low) / 2;
        if (elf->sections[elf->by_address[middle]].header.sh_addr <= address)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == 0)
        return 0;
    const Elf64_Shdr *header = &elf->sections[elf->by_address[low - 1]].header;
    return address - header->sh_addr < header->sh_size ? elf->by_address[low - 1] : 0;
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
    return left > NAMES_MOST || memchr(text, 0, left) ? text : NULL;
}

const char *list_elf_function(const struct list_elf *elf, struct list_place place)
{
    size_t low = 0, high = elf->function_count;
    struct list_function key = {.section = place.section, .start = place.offset};
    while (low < high) { /* the first function that starts behind PLACE */
        size_t middle = low + (high - low) / 2;
        if (by_start(&elf->functions[middle], &key) <= 0)
            low = middle + 1;
        else
            high = middle;
    }
    for (size_t i = low; i > 0 && low - i < 8; i--) { /* aliases apart, the last one covers it */
        const struct list_function *function = &elf->functions[i - 1];
        if (function->section != place.section)
            break;
        if (place.offset - function->start < function->size)
            return function->name;
    }
    return NULL;
}
