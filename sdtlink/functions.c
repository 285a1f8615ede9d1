/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Which function is a place of a text section in?
 *
 * The function symbol that covers it; of several that do (aliases, C++ constructors) the innermost,
 * and of those at one address a global before a weak before a local one. Hand-written assembler
 * often gives no size: such a function reaches to the next one.
 */
#include "sites.h"

#include <stdlib.h>
#include <string.h>

struct function {
    uint32_t section;
    uint32_t symbol;
    uint64_t start, end;
    uint64_t reach; /* the furthest end of this and all before it in the section */
};

struct functions {
    struct function *items;
    size_t count;
    const struct object *object;
};

/* Smaller is preferred. */
static int rank(const struct object *o, uint32_t symbol)
{
    switch (ELF64_ST_BIND(o->symbols[symbol].st_info)) {
    case STB_GLOBAL:
        return 0;
    case STB_WEAK:
        return 1;
    default:
        return 2;
    }
}

/* By section and start; the preferred of equals last, where the search begins. */
static int compare(const void *left, const void *right, void *context)
{
    const struct function *a = left, *b = right;
    if (a->section != b->section)
        return a->section < b->section ? -1 : 1;
    if (a->start != b->start)
        return a->start < b->start ? -1 : 1;
    int order = rank(context, b->symbol) - rank(context, a->symbol);
    return order ? order : (a->symbol < b->symbol) - (a->symbol > b->symbol);
}

static bool is_function(const struct object *o, const struct bits *sections, uint32_t i)
{
    unsigned type = ELF64_ST_TYPE(o->symbols[i].st_info);
    if (type != STT_FUNC && type != STT_GNU_IFUNC)
        return false;
    return bits_test(sections, object_symbol_section(o, i));
}

/* Close functions without a size at the next function, and sum up how far they reach. */
static void finish(struct functions *f)
{
    uint64_t next = UINT64_MAX; /* where the next function of the section starts */
    for (size_t i = f->count; i-- > 0;) {
        struct function *it = &f->items[i];
        const struct function *behind = it + 1;
        bool is_last = i + 1 == f->count || behind->section != it->section;
        if (is_last)
            next = UINT64_MAX;
        else if (behind->start != it->start)
            next = behind->start;
        if (it->end == it->start)
            it->end = next;
    }
    for (size_t i = 0; i < f->count; i++) {
        struct function *it = &f->items[i];
        bool is_first = i == 0 || f->items[i - 1].section != it->section;
        uint64_t before = is_first ? 0 : f->items[i - 1].reach;
        it->reach = it->end > before ? it->end : before;
    }
}

struct functions *functions_index(const struct object *o, const struct bits *sections)
{
    struct functions *f = memory_zeroed(1, sizeof *f);
    f->object = o;
    for (uint32_t i = 1; i < o->symbol_count; i++)
        f->count += is_function(o, sections, i);
    f->items = memory_zeroed(f->count, sizeof *f->items);
    size_t count = 0;
    for (uint32_t i = 1; i < o->symbol_count; i++) {
        if (!is_function(o, sections, i))
            continue;
        const Elf64_Sym *symbol = &o->symbols[i];
        uint64_t end = symbol->st_value + symbol->st_size;
        f->items[count++] = (struct function){.section = object_symbol_section(o, i),
                                              .symbol = i,
                                              .start = symbol->st_value,
                                              .end = end < symbol->st_value ? UINT64_MAX : end};
    }
    qsort_r(f->items, f->count, sizeof *f->items, compare, (void *)(uintptr_t)o);
    finish(f);
    return f;
}

uint32_t functions_find(const struct functions *f, uint32_t section, uint64_t offset)
{
    size_t low = 0, high = f->count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        const struct function *it = &f->items[middle];
        if (it->section < section || (it->section == section && it->start <= offset))
            low = middle + 1;
        else
            high = middle;
    }
    for (; low > 0; low--) {
        const struct function *it = &f->items[low - 1];
        if (it->section != section || it->reach <= offset)
            return 0;
        if (it->end > offset)
            return it->symbol;
    }
    return 0;
}

void functions_free(struct functions *f)
{
    if (f)
        free(f->items);
    free(f);
}

/* The length of LAST (".cold", ".isra.0", …) at the end of NAME, or 0. */
static size_t suffix_length(struct slice name)
{
    static const char *const suffixes[] = {".cold", ".isra", ".constprop", ".part", ".lto_priv"};
    for (size_t i = 0; i < sizeof suffixes / sizeof suffixes[0]; i++) {
        size_t length = strlen(suffixes[i]), digits = 0;
        while (digits < name.length && name.text[name.length - 1 - digits] >= '0' &&
               name.text[name.length - 1 - digits] <= '9')
            digits++;
        bool is_numbered =
            digits && digits < name.length && name.text[name.length - 1 - digits] == '.';
        size_t behind = is_numbered ? digits + 1 : 0;
        if (name.length > length + behind &&
            !memcmp(name.text + name.length - behind - length, suffixes[i], length))
            return length + behind;
    }
    return 0;
}

struct slice function_name(const struct object *o, uint32_t symbol)
{
    const char *text = object_symbol_name(o, symbol);
    struct slice name = {text, strlen(text)};
    for (size_t cut = suffix_length(name); cut; cut = suffix_length(name))
        name.length -= cut;
    return name;
}
