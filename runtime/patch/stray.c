/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See stray.h. An object with probes has a constructor that calls __sdt_register by a weak
 * reference. In a library, and in an executable that was linked without the runtime, this is an
 * undefined symbol of the dynamic symbol table. If an object has that symbol but no registered
 * site, either it did not find the runtime (the executable has one and does not export it), or its
 * constructors have not run yet.
 *
 * No tag of the dynamic section gives the length of the symbol table. All linkers put the strings
 * after it, so it is read up to there; other bytes in between do not look like that symbol.
 */
#define _GNU_SOURCE
#include "stray.h"

#include "process/loaded.h"
#include "process/peek.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

struct search {
    struct stray *found;
    size_t n;
};

struct tables {
    uintptr_t symbols, strings;
};

/* The loader relocates these addresses in place, but not in every object (the vDSO). */
static uintptr_t table_address(const struct dl_phdr_info *object, uintptr_t value)
{
    return value < object->dlpi_addr ? object->dlpi_addr + value : value;
}

static struct tables tables_of(const struct dl_phdr_info *object)
{
    struct tables tables = {0, 0};
    uintptr_t place = 0;
    ElfW(Dyn) entry;
    for (unsigned i = 0; i < object->dlpi_phnum; i++)
        if (object->dlpi_phdr[i].p_type == PT_DYNAMIC)
            place = object->dlpi_addr + object->dlpi_phdr[i].p_vaddr;
    for (; place && peek(&entry, place, sizeof entry) == 0 && entry.d_tag != DT_NULL;
         place += sizeof entry) {
        if (entry.d_tag == DT_SYMTAB)
            tables.symbols = table_address(object, entry.d_un.d_ptr);
        else if (entry.d_tag == DT_STRTAB)
            tables.strings = table_address(object, entry.d_un.d_ptr);
    }
    return tables;
}

static bool is_register(const ElfW(Sym) * symbol, uintptr_t strings)
{
    static const char name[] = "__sdt_register";
    char text[sizeof name];
    return symbol->st_shndx == SHN_UNDEF && ELF64_ST_BIND(symbol->st_info) == STB_WEAK &&
           peek(text, strings + symbol->st_name, sizeof text) == 0 &&
           memcmp(text, name, sizeof name) == 0;
}

static bool refers_to_register(const struct dl_phdr_info *object)
{
    struct tables tables = tables_of(object);
    ElfW(Sym) block[64];
    if (!tables.symbols)
        return false;
    for (uintptr_t at = tables.symbols; at + sizeof *block <= tables.strings;) {
        size_t left = (tables.strings - at) / sizeof *block;
        size_t n = left < 64 ? left : 64;
        if (peek(block, at, n * sizeof *block) != 0)
            return false;
        for (size_t i = 0; i < n; i++)
            if (is_register(&block[i], tables.strings))
                return true;
        at += n * sizeof *block;
    }
    return false;
}

static int visit_object(struct dl_phdr_info *object, size_t size, void *data)
{
    struct search *search = data;
    (void)size;
    if (search->n == STRAY_MAX || !refers_to_register(object))
        return 0;
    struct stray *stray = &search->found[search->n++];
    const char *slash = strrchr(object->dlpi_name, '/');
    snprintf(stray->name, sizeof stray->name, "%s", slash ? slash + 1 : object->dlpi_name);
    loaded_extent(object, 0, &stray->low, &stray->high);
    return 0;
}

size_t stray_candidates(struct stray *found)
{
    struct search search = {found, 0};
    dl_iterate_phdr(visit_object, &search);
    return search.n;
}
