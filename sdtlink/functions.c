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
};

struct functions {
    struct spot *spots; /* those that were asked for, sorted */
    uint32_t *symbols;  /* the answer for each */
    size_t count;
};

/* While they are looked for. */
struct search {
    const struct object *object;
    struct function *items;
    size_t count;
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

static int compare_starts(const void *left, const void *right)
{
    const struct function *a = *(struct function *const *)left;
    const struct function *b = *(struct function *const *)right;
    if (a->section != b->section)
        return a->section < b->section ? -1 : 1;
    return a->start < b->start ? -1 : a->start > b->start;
}

/* The last of OPEN that starts before FUNCTION in its section, or NULL. */
static struct function *last_before(struct function **open, size_t count,
                                    const struct function *function)
{
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (compare_starts(&open[middle], &function) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low && open[low - 1]->section == function->section ? open[low - 1] : NULL;
}

/* A function without a size ends where the next one of its section begins. */
static void close_sizeless(struct search *f)
{
    struct function **open = memory_zeroed(f->count, sizeof *open);
    size_t count = 0;
    for (size_t i = 0; i < f->count; i++)
        if (f->items[i].end == f->items[i].start) {
            f->items[i].end = UINT64_MAX;
            open[count++] = &f->items[i];
        }
    if (count)
        qsort(open, count, sizeof *open, compare_starts);
    for (size_t i = 0; i < f->count && count; i++) {
        struct function *before = last_before(open, count, &f->items[i]);
        if (before && before->end > f->items[i].start)
            before->end = f->items[i].start;
    }
    for (size_t i = count; i-- > 1;) /* several at one place: the last was told */
        if (compare_starts(&open[i - 1], &open[i]) == 0)
            open[i - 1]->end = open[i]->end;
    free(open);
}

/* Whether one of the spots is in FUNCTION. */
static bool holds_spot(const struct function *function, const struct spot *spots, size_t count)
{
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const struct spot *spot = &spots[middle];
        if (spot->section < function->section ||
            (spot->section == function->section && spot->offset < function->start))
            low = middle + 1;
        else
            high = middle;
    }
    return low < count && spots[low].section == function->section &&
           spots[low].offset < function->end;
}

static void add_function(struct search *f, uint32_t i)
{
    const Elf64_Sym *symbol = &f->object->symbols[i];
    uint64_t end = symbol->st_value + symbol->st_size;
    f->items[f->count++] = (struct function){.section = object_symbol_section(f->object, i),
                                             .symbol = i,
                                             .start = symbol->st_value,
                                             .end = end < symbol->st_value ? UINT64_MAX : end};
}

/* Leave out the functions that nobody will ask for: of a big object, nearly all. */
static void keep_those_around(struct search *f, const struct spot *spots, size_t count)
{
    size_t kept = 0;
    for (size_t i = 0; i < f->count; i++)
        if (holds_spot(&f->items[i], spots, count))
            f->items[kept++] = f->items[i];
    f->count = kept;
}

/* All functions of the sections that have spots. */
static void collect(struct search *f, const struct spot *spots, size_t count)
{
    const struct object *o = f->object;
    struct bits sections;
    size_t most = 0;
    bits_init(&sections, o->section_count);
    for (size_t i = 0; i < count; i++)
        bits_set(&sections, spots[i].section);
    for (uint32_t i = 1; i < o->symbol_count; i++)
        most += is_function(o, &sections, i);
    f->items = memory_zeroed(most, sizeof *f->items);
    for (uint32_t i = 1; i < o->symbol_count; i++)
        if (is_function(o, &sections, i))
            add_function(f, i);
    bits_free(&sections);
}

/*
 * Go over spots and functions in one sweep. The functions that have begun are a stack, since the
 * one that began last is wanted; one that has ended when it comes to the top is of no use for later
 * spots either. So nothing is looked at twice, however functions nest and overlap.
 */
static void answer(struct functions *answers, const struct search *f)
{
    const struct function **begun = memory_zeroed(f->count, sizeof *begun);
    size_t depth = 0, next = 0;
    for (size_t i = 0; i < answers->count; i++) {
        const struct spot *spot = &answers->spots[i];
        for (; next < f->count; begun[depth++] = &f->items[next++])
            if (f->items[next].section > spot->section ||
                (f->items[next].section == spot->section && f->items[next].start > spot->offset))
                break;
        while (depth && (begun[depth - 1]->section != spot->section ||
                         begun[depth - 1]->end <= spot->offset))
            depth--;
        answers->symbols[i] = depth ? begun[depth - 1]->symbol : 0;
    }
    free(begun);
}

static int compare_spots(const void *left, const void *right)
{
    const struct spot *a = left, *b = right;
    if (a->section != b->section)
        return a->section < b->section ? -1 : 1;
    return a->offset < b->offset ? -1 : a->offset > b->offset;
}

struct functions *functions_index(const struct object *o, const struct spot *spots, size_t count)
{
    struct functions *answers = memory_zeroed(1, sizeof *answers);
    struct search search = {.object = o};
    answers->spots = memory_zeroed(count, sizeof *answers->spots);
    answers->symbols = memory_zeroed(count, sizeof *answers->symbols);
    answers->count = count;
    if (count) {
        memcpy(answers->spots, spots, count * sizeof *spots);
        qsort(answers->spots, count, sizeof *spots, compare_spots);
    }
    collect(&search, answers->spots, count);
    /* Must be before the others are left out: one of them may be where it ends. */
    close_sizeless(&search);
    keep_those_around(&search, answers->spots, count);
    if (search.count)
        qsort_r(search.items, search.count, sizeof *search.items, compare, (void *)(uintptr_t)o);
    answer(answers, &search);
    free(search.items);
    return answers;
}

uint32_t functions_find(const struct functions *f, uint32_t section, uint64_t offset)
{
    const struct spot key = {section, offset};
    const struct spot *spot = bsearch(&key, f->spots, f->count, sizeof key, compare_spots);
    return spot ? f->symbols[spot - f->spots] : 0;
}

void functions_free(struct functions *f)
{
    if (f) {
        free(f->spots);
        free(f->symbols);
    }
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
