/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See collect.h. First the sections, and the symbols that descriptors of arguments refer to without
 * having them; then, if there are any, the strings at these symbols in other objects.
 */
#include "collect.h"

#include "base/crel.h"
#include "base/elf_view.h"
#include "base/output.h"
#include "beside.h"

#include <sdt/format.h>
#include <stdlib.h>
#include <string.h>

struct collection {
    struct bytes parts;
    const char **wanted; /* symbols, in the files */
    size_t count, capacity;
};

static void add_part(struct collection *to, enum beside_kind kind, const void *data, size_t size)
{
    static const uint8_t zeros[8];
    bytes_append32(&to->parts, kind);
    bytes_append32(&to->parts, (uint32_t)size);
    bytes_append(&to->parts, data, size);
    bytes_append(&to->parts, zeros, -size & 7);
}

static int by_name(const void *left, const void *right)
{
    return strcmp(*(const char *const *)left, *(const char *const *)right);
}

/* ---- A file. ---- */

struct symbols {
    const uint8_t *table;
    size_t count;
    const char *names;
    size_t size; /* of the names, which end in a NUL */
};

/* The symbols of section INDEX. False: it has none that can be read. */
static bool read_symbols(const struct elf_view *file, uint32_t index, struct symbols *symbols)
{
    Elf64_Shdr table, names;
    if (!elf_view_section(file, index, &table) || table.sh_type != SHT_SYMTAB ||
        !elf_view_section(file, table.sh_link, &names) || names.sh_size == 0)
        return false;
    *symbols = (struct symbols){elf_view_data(file, &table), table.sh_size / sizeof(Elf64_Sym),
                                (const char *)elf_view_data(file, &names), names.sh_size};
    return symbols->table && symbols->names && symbols->names[symbols->size - 1] == '\0';
}

/* Symbol I and its name; false: there is none, or it has no name. */
static bool symbol_at(const struct symbols *symbols, size_t i, Elf64_Sym *symbol, const char **name)
{
    if (i >= symbols->count)
        return false;
    memcpy(symbol, symbols->table + i * sizeof *symbol, sizeof *symbol);
    *name = symbol->st_name < symbols->size ? symbols->names + symbol->st_name : "";
    return **name;
}

/* The symbol that RELOCATION, of a descriptor, refers to, if it is undefined. */
static void want_string(struct collection *to, const struct symbols *symbols,
                        const Elf64_Rela *relocation)
{
    Elf64_Sym symbol;
    const char *name;
    if (symbol_at(symbols, ELF64_R_SYM(relocation->r_info), &symbol, &name) &&
        symbol.st_shndx == SHN_UNDEF) {
        to->wanted = memory_with_room(to->wanted, to->count, &to->capacity, sizeof name);
        to->wanted[to->count++] = name;
    }
}

/* Those that the relocations in HEADER refer to. */
static void want_strings(struct collection *to, const struct elf_view *file,
                         const Elf64_Shdr *header)
{
    struct symbols symbols;
    struct crel crel;
    Elf64_Rela relocation;
    const uint8_t *data = elf_view_data(file, header);
    if (!data || !read_symbols(file, header->sh_link, &symbols))
        return;
    if (header->sh_type == SHT_CREL && crel_begin(&crel, data, header->sh_size))
        while (crel_next(&crel, &relocation))
            want_string(to, &symbols, &relocation);
    if (header->sh_type == SHT_CREL)
        return;
    for (uint64_t at = 0; header->sh_size - at >= sizeof relocation; at += sizeof relocation) {
        memcpy(&relocation, data + at, sizeof relocation);
        want_string(to, &symbols, &relocation);
    }
}

static void take_sections(struct collection *to, const struct elf_view *file)
{
    Elf64_Shdr header, target;
    for (uint64_t i = 0; i < file->count && elf_view_section(file, i, &header); i++) {
        const char *name = elf_view_name(file, &header), *of = NULL;
        const uint8_t *data = elf_view_data(file, &header);
        if (!name || !data || header.sh_type == SHT_NOBITS)
            continue;
        if ((header.sh_type == SHT_RELA || header.sh_type == SHT_CREL) &&
            elf_view_section(file, header.sh_info, &target))
            of = elf_view_name(file, &target);
        if (!strcmp(name, SDT_SECTION_ENUMS))
            add_part(to, BESIDE_ENUMS, data, header.sh_size);
        else if (!strcmp(name, SDT_SECTION_DESCRIBED))
            add_part(to, BESIDE_DESCRIBED, data, header.sh_size);
        else if (of && !strcmp(of, SDT_SECTION_ARGS))
            want_strings(to, file, &header);
    }
}

/* The string at SYMBOL of FILE, called NAME. */
static void take_string(struct collection *to, const struct elf_view *file, const Elf64_Sym *symbol,
                        const char *name)
{
    Elf64_Shdr home;
    const uint8_t *data =
        symbol->st_shndx < SHN_LORESERVE && elf_view_section(file, symbol->st_shndx, &home)
            ? elf_view_data(file, &home)
            : NULL;
    if (!data || home.sh_type == SHT_NOBITS || symbol->st_value >= home.sh_size)
        return;
    const char *text = (const char *)data + symbol->st_value;
    size_t most = home.sh_size - symbol->st_value, length = strnlen(text, most);
    struct bytes part = {0};
    if (length == most)
        return;
    bytes_append(&part, name, strlen(name) + 1);
    bytes_append(&part, text, length + 1);
    add_part(to, BESIDE_STRING, part.data, part.size);
    bytes_free(&part);
}

static void take_strings(struct collection *to, const struct elf_view *file)
{
    Elf64_Shdr header;
    struct symbols symbols;
    for (uint32_t i = 0; i < file->count && elf_view_section(file, i, &header); i++)
        for (size_t k = 0; read_symbols(file, i, &symbols) && k < symbols.count; k++) {
            Elf64_Sym symbol;
            const char *name;
            if (symbol_at(&symbols, k, &symbol, &name) && symbol.st_shndx != SHN_UNDEF &&
                ELF64_ST_BIND(symbol.st_info) != STB_LOCAL &&
                bsearch(&name, to->wanted, to->count, sizeof name, by_name))
                take_string(to, file, &symbol, name);
        }
}

/* ---- All. ---- */

static int write_parts(const char *path, const struct bytes *parts)
{
    struct output output = {.fd = -1};
    int result = output_open(&output, path, 0600);
    if (result == 0)
        result = output_put(&output, BESIDE_MAGIC, sizeof BESIDE_MAGIC - 1, 0);
    if (result == 0 && parts->size)
        result = output_put(&output, parts->data, parts->size, sizeof BESIDE_MAGIC - 1);
    if (result == 0)
        result = output_finish(&output, sizeof BESIDE_MAGIC - 1 + parts->size);
    if (result == 0)
        result = output_commit(&output);
    output_abandon(&output);
    return result;
}

int collect_names(const char *output, const char *const *objects, size_t count)
{
    struct collection all = {.count = 0};
    struct elf_view *files = memory_zeroed(count + 1, sizeof *files);
    for (size_t i = 0; i < count; i++)
        if (elf_view_map(&files[i], objects[i]))
            take_sections(&all, &files[i]);
        else
            files[i].count = 0;
    if (all.count)
        qsort(all.wanted, all.count, sizeof *all.wanted, by_name);
    for (size_t i = 0; i < count && all.count; i++)
        take_strings(&all, &files[i]);
    int result = write_parts(output, &all.parts);
    for (size_t i = 0; i < count; i++)
        elf_view_unmap(&files[i]);
    free(files);
    free(all.wanted);
    bytes_free(&all.parts);
    return result;
}
