/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See symbols.h. No file is trusted: a recording can name any file. The whole file is mapped, and
 * each part is checked against its size.
 */
#include "symbols.h"

#include "base/debug_file.h"
#include "base/elf_view.h"
#include "module_file.h"

#include <shared/lower_bound.h>
#include <stdlib.h>
#include <string.h>

struct named {
    uint64_t address, size;
    const char *name; /* in the file */
};

struct symbol_file {
    char *path, *id;
    struct elf_view file, debug;
    struct named *named; /* in order of addresses */
    size_t count;
};

/* The first section of TYPE with contents; NULL: there is none. */
static const uint8_t *first_of(const struct elf_view *file, uint32_t type, Elf64_Shdr *header)
{
    for (uint64_t i = 0; i < file->count && elf_view_section(file, i, header); i++) {
        const uint8_t *data = elf_view_data(file, header);
        if (data && header->sh_type == type)
            return data;
    }
    return NULL;
}

/* ---- Symbols. ---- */

static void take_symbol(struct symbol_file *to, const Elf64_Sym *symbol, const char *names,
                        uint64_t size)
{
    unsigned type = ELF64_ST_TYPE(symbol->st_info);
    if ((type != STT_FUNC && type != STT_GNU_IFUNC) || symbol->st_shndx == SHN_UNDEF ||
        symbol->st_name >= size || !names[symbol->st_name])
        return;
    if ((to->count & (to->count - 1)) == 0)
        to->named = memory_resize(to->named, to->count ? 2 * to->count : 1, sizeof *to->named);
    to->named[to->count++] =
        (struct named){symbol->st_value, symbol->st_size, names + symbol->st_name};
}

/* Those of the first section of TYPE in FILE. */
static void take_symbols(struct symbol_file *to, const struct elf_view *file, uint32_t type)
{
    Elf64_Shdr table, names;
    const uint8_t *symbols = first_of(file, type, &table);
    if (!symbols || !elf_view_section(file, table.sh_link, &names))
        return;
    const uint8_t *text = elf_view_data(file, &names);
    if (!text || names.sh_type != SHT_STRTAB || names.sh_size == 0 ||
        text[names.sh_size - 1] != '\0')
        return;
    for (uint64_t at = 0; table.sh_size - at >= sizeof(Elf64_Sym); at += sizeof(Elf64_Sym)) {
        Elf64_Sym symbol;
        memcpy(&symbol, symbols + at, sizeof symbol);
        take_symbol(to, &symbol, (const char *)text, names.sh_size);
    }
}

static int compare(const void *a, const void *b)
{
    const struct named *one = a, *other = b;
    return one->address != other->address ? (one->address > other->address ? 1 : -1)
           : one->size != other->size     ? (one->size > other->size ? 1 : -1)
                                          : strcmp(other->name, one->name);
}

static void read_file(struct symbol_file *to, const struct trace *trace)
{
    if (!module_file_map(&to->file, to->path, trace->path, to->id))
        return;
    take_symbols(to, &to->file, SHT_SYMTAB);
    if (!to->count) {
        char *path = debug_file_path(to->id);
        if (path && elf_view_map(&to->debug, path))
            take_symbols(to, &to->debug, SHT_SYMTAB);
        free(path);
    }
    if (!to->count)
        take_symbols(to, &to->file, SHT_DYNSYM);
    if (to->count)
        qsort(to->named, to->count, sizeof *to->named, compare);
}

/* ---- Files. ---- */

static const struct symbol_file *find_file(struct symbols *symbols, const struct trace *trace,
                                           const struct trace_module *module)
{
    for (size_t i = 0; i < symbols->count; i++)
        if (!strcmp(symbols->files[i].path, module->path) &&
            !strcmp(symbols->files[i].id, module->id))
            return &symbols->files[i];
    symbols->files = memory_resize(symbols->files, symbols->count + 1, sizeof *symbols->files);
    struct symbol_file *file = &symbols->files[symbols->count++];
    *file = (struct symbol_file){.path = memory_format("%s", module->path),
                                 .id = memory_format("%s", module->id)};
    read_file(file, trace);
    return file;
}

/* The last one wins: it was loaded where another had been. */
static const struct trace_module *find_module(const struct trace *trace, uint64_t address)
{
    for (size_t i = trace->module_count; i-- > 0;)
        if (address >= trace->modules[i].start && address < trace->modules[i].end)
            return &trace->modules[i];
    return NULL;
}

struct symbol symbols_find(struct symbols *symbols, const struct trace *trace, uint64_t address)
{
    const struct trace_module *module = find_module(trace, address);
    if (!module)
        return (struct symbol){.offset = address};
    struct symbol symbol = {.module = basename(module->path), .offset = address - module->base};
    const struct symbol_file *file = find_file(symbols, trace, module);
    size_t low = LOWER_BOUND(i, file->count, file->named[i].address <= symbol.offset);
    const struct named *found = low ? &file->named[low - 1] : NULL;
    const struct named *named =
        found && (found->size == 0 || symbol.offset - found->address < found->size) ? found : NULL;
    if (named) {
        symbol.function = named->name;
        symbol.offset -= named->address;
    }
    return symbol;
}

void symbols_free(struct symbols *symbols)
{
    for (size_t i = 0; i < symbols->count; i++) {
        struct symbol_file *file = &symbols->files[i];
        elf_view_unmap(&file->file);
        elf_view_unmap(&file->debug);
        free(file->named);
        free(file->path);
        free(file->id);
    }
    free(symbols->files);
    *symbols = (struct symbols){0};
}
