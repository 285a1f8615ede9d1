/* SPDX-License-Identifier: BSD-2-Clause */
/* See symbols.h. */
#include "symbols.h"

#include "sections.h"

#include "shared/lower_bound.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

/* If the full symbol table is larger (debug builds), the exported symbols are read instead. */
enum { MAX_SYMBOLS = 8 << 20, MAX_NAMES = 16 << 20 }; /* bytes */

static int by_address(const void *left, const void *right)
{
    const struct stock_symbol *a = left, *b = right;
    if (a->value != b->value)
        return a->value < b->value ? -1 : 1;
    return strcmp(a->name, b->name);
}

static bool is_defined(const Elf64_Sym *symbol, uint64_t names_size)
{
    unsigned type = ELF64_ST_TYPE(symbol->st_info);
    return symbol->st_shndx != SHN_UNDEF && symbol->st_name && symbol->st_name < names_size &&
           (type == STT_FUNC || type == STT_GNU_IFUNC || type == STT_OBJECT || type == STT_NOTYPE);
}

static void take(struct stock_symbols *symbols, const Elf64_Sym *table, size_t n,
                 uint64_t names_size)
{
    symbols->all = calloc(n + 1, sizeof *symbols->all);
    for (size_t i = 0; symbols->all && i < n; i++)
        if (is_defined(&table[i], names_size))
            symbols->all[symbols->n++] = (struct stock_symbol){
                .value = table[i].st_value,
                .size = table[i].st_size,
                .name = symbols->names + table[i].st_name,
                .is_function = ELF64_ST_TYPE(table[i].st_info) == STT_FUNC,
            };
    if (symbols->n)
        qsort(symbols->all, symbols->n, sizeof *symbols->all, by_address);
}

static void read_table(const struct stock_sections *file, const Elf64_Shdr *section,
                       struct stock_symbols *symbols)
{
    if (section->sh_size > MAX_SYMBOLS || section->sh_entsize != sizeof(Elf64_Sym) ||
        section->sh_link >= file->n || file->all[section->sh_link].sh_size > MAX_NAMES)
        return;
    const Elf64_Shdr *names = &file->all[section->sh_link];
    Elf64_Sym *table = stock_section_read(file, section);
    symbols->names = stock_section_read(file, names);
    if (table && symbols->names)
        take(symbols, table, section->sh_size / sizeof *table, names->sh_size);
    free(table);
    if (symbols->n == 0)
        stock_symbols_free(symbols);
}

void stock_symbols_read(int fd, struct stock_symbols *symbols)
{
    static const uint32_t types[] = {SHT_SYMTAB, SHT_DYNSYM};
    struct stock_sections file;
    *symbols = (struct stock_symbols){0};
    bool is_read = stock_sections_read(fd, &file) == 0;
    for (size_t t = 0; is_read && t < 2; t++)
        for (size_t i = 1; i < file.n && !symbols->n; i++)
            if (file.all[i].sh_type == types[t])
                read_table(&file, &file.all[i], symbols);
    stock_sections_free(&file);
}

void stock_symbols_free(struct stock_symbols *symbols)
{
    free(symbols->all);
    free(symbols->names);
    *symbols = (struct stock_symbols){0};
}

const char *stock_symbols_function(const struct stock_symbols *symbols, uint64_t address)
{
    /* the first one after ADDRESS */
    size_t low = LOWER_BOUND(i, symbols->n, symbols->all[i].value <= address);
    for (size_t tries = 0; low > 0 && tries < 8; tries++) { /* labels may lie in a function */
        const struct stock_symbol *symbol = &symbols->all[--low];
        if (symbol->is_function && address - symbol->value < symbol->size)
            return symbol->name;
    }
    return NULL;
}

bool stock_symbols_variable(const struct stock_symbols *symbols, const char *name, size_t length,
                            uint64_t *address)
{
    size_t found = 0;
    for (size_t i = 0; i < symbols->n; i++) {
        const struct stock_symbol *symbol = &symbols->all[i];
        if (symbol->is_function || strncmp(symbol->name, name, length) != 0 ||
            symbol->name[length] != '\0')
            continue;
        *address = symbol->value;
        found++;
    }
    return found == 1;
}
