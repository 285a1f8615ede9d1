/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Which function contains a given offset of a text section?
 *
 * The function symbol that covers it; of several that do (aliases, C++ constructors) the innermost,
 * and of those at one address a global before a weak before a local one. Hand-written assembler
 * often gives no size: such a function reaches to the next one.
 */
#include "functions.h"

#include "base/sorting.h"

#include <shared/lower_bound.h>
#include <stdlib.h>
#include <string.h>

#define BLOCK ".__part" /* f.__part.1: a basic block of f in a section of its own (clang) */

struct function {
    uint32_t section;
    uint32_t symbol;
    uint64_t start, end;
};

struct functions {
    struct place *places; /* those that were asked for, sorted */
    uint32_t *symbols;    /* the answer for each */
    size_t count;
    size_t hint; /* where the last answer was: most questions come in order */
};

struct list {
    struct function *items;
    size_t count, capacity;
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
    const Elf64_Sym *symbol = &o->symbols[i];
    unsigned type = ELF64_ST_TYPE(symbol->st_info);
    /* clang 14 gives the basic blocks of -fbasic-block-sections sized symbols without a type. */
    bool is_block = type == STT_NOTYPE && symbol->st_size != 0 &&
                    strstr(object_symbol_name(o, i), BLOCK ".") != NULL;
    if (type != STT_FUNC && type != STT_GNU_IFUNC && !is_block)
        return false;
    return bits_test(sections, object_symbol_section(o, i));
}

static struct function function_at(const struct object *o, uint32_t symbol)
{
    const Elf64_Sym *it = &o->symbols[symbol];
    uint64_t end = it->st_value + it->st_size;
    return (struct function){.section = object_symbol_section(o, symbol),
                             .symbol = symbol,
                             .start = it->st_value,
                             .end = it->st_size && end > it->st_value ? end : UINT64_MAX};
}

static void append(struct list *list, const struct function *function)
{
    list->items = memory_with_room(list->items, list->count, &list->capacity, sizeof *list->items);
    list->items[list->count++] = *function;
}

static int compare_starts(const void *left, const void *right)
{
    const struct function *a = left, *b = right;
    if (a->section != b->section)
        return a->section < b->section ? -1 : 1;
    return a->start < b->start ? -1 : a->start > b->start;
}

/* FUNCTION begins here: so the last one of OPEN that began before it in its section ends here. */
static void close_before(struct list *open, const struct function *function)
{
    size_t low = LOWER_BOUND(i, open->count, compare_starts(&open->items[i], function) < 0);
    struct function *before = low ? &open->items[low - 1] : NULL;
    if (before && before->section == function->section && before->end > function->start)
        before->end = function->start;
}

/* The functions without a size, whose end is not known yet. */
static void collect_open(struct list *open, const struct object *o, const struct bits *sections)
{
    for (uint32_t i = 1; i < o->symbol_count; i++)
        if (o->symbols[i].st_size == 0 && is_function(o, sections, i)) {
            struct function function = function_at(o, i);
            append(open, &function);
        }
    if (open->count)
        qsort(open->items, open->count, sizeof *open->items, compare_starts);
    for (size_t i = 1; i < open->count; i++)
        close_before(open, &open->items[i]);
}

/*
 * Whether one of the places is in FUNCTION. *HINT is the last one's first place: functions come
 * more or less in order, and most of those of a big object lie between two places.
 */
static bool holds_place(const struct function *function, const struct place *places, size_t count,
                        size_t *hint)
{
    const struct place start = {function->section, function->start};
    size_t low = 0, high = count;
    if (*hint > 0 && place_compare(&places[*hint - 1], &start) < 0)
        low = *hint;
    if (low < count && place_compare(&places[low], &start) >= 0)
        high = low;
    low += LOWER_BOUND(i, high - low, place_compare(&places[low + i], &start) < 0);
    *hint = low;
    return low < count && places[low].section == function->section &&
           places[low].offset < function->end;
}

/* The functions around any of the places: of a big object, very few. */
static struct list collect(const struct object *o, const struct place *places, size_t count)
{
    struct bits sections;
    struct list list = {0}, open = {0};
    size_t hint = 0;
    bits_init(&sections, o->section_count);
    for (size_t i = 0; i < count; i++)
        bits_set(&sections, places[i].section);
    collect_open(&open, o, &sections);
    for (uint32_t i = 1; i < o->symbol_count; i++) {
        if (o->symbols[i].st_size == 0 || !is_function(o, &sections, i))
            continue;
        struct function function = function_at(o, i);
        close_before(&open, &function);
        if (holds_place(&function, places, count, &hint))
            append(&list, &function);
    }
    /* Must be after all others, any of which may be where one of these ends. */
    for (size_t i = open.count; i-- > 0;) {
        struct function *it = &open.items[i];
        if (i + 1 < open.count && compare_starts(it, it + 1) == 0)
            it->end = it[1].end; /* of several at one place the last was told */
        if (holds_place(it, places, count, &hint))
            append(&list, it);
    }
    free(open.items);
    bits_free(&sections);
    return list;
}

/*
 * Go over places and functions in one sweep. The functions that have begun are a stack, since the
 * one that began last is wanted; one that has ended when it comes to the top is of no use for later
 * places either. So nothing is visited twice, however functions nest and overlap.
 */
static void answer(struct functions *answers, const struct list *f)
{
    const struct function **begun = memory_zeroed(f->count, sizeof *begun);
    size_t depth = 0, next = 0;
    for (size_t i = 0; i < answers->count; i++) {
        const struct place *place = &answers->places[i];
        for (; next < f->count; begun[depth++] = &f->items[next++])
            if (f->items[next].section > place->section ||
                (f->items[next].section == place->section && f->items[next].start > place->offset))
                break;
        while (depth && (begun[depth - 1]->section != place->section ||
                         begun[depth - 1]->end <= place->offset))
            depth--;
        answers->symbols[i] = depth ? begun[depth - 1]->symbol : 0;
    }
    free(begun);
}

struct functions *functions_index(const struct object *o, const struct place *places, size_t count)
{
    struct functions *answers = memory_zeroed(1, sizeof *answers);
    answers->places = memory_zeroed(count, sizeof *answers->places);
    answers->symbols = memory_zeroed(count, sizeof *answers->symbols);
    answers->count = count;
    if (count) {
        memcpy(answers->places, places, count * sizeof *places);
        sort_unsorted(answers->places, count, sizeof *places, place_compare);
    }
    struct list around = collect(o, answers->places, count);
    if (around.count)
        qsort_r(around.items, around.count, sizeof *around.items, compare, (void *)(uintptr_t)o);
    answer(answers, &around);
    free(around.items);
    return answers;
}

uint32_t functions_find(struct functions *f, uint32_t section, uint64_t offset)
{
    enum { NEAR = 3 }; /* between two sites there may be the place of a descriptor's label */
    const struct place key = {section, offset};
    for (size_t i = f->hint; i < f->count && i < f->hint + NEAR; i++)
        if (place_compare(&f->places[i], &key) == 0)
            return f->symbols[f->hint = i];
    const struct place *place = bsearch(&key, f->places, f->count, sizeof key, place_compare);
    if (!place)
        return 0;
    f->hint = (size_t)(place - f->places);
    return f->symbols[f->hint];
}

void functions_free(struct functions *f)
{
    if (f) {
        free(f->places);
        free(f->symbols);
    }
    free(f);
}

/* The length of LAST (".cold", ".isra.0", …) at the end of NAME, or 0. */
static size_t suffix_length(struct slice name)
{
    static const char *const suffixes[] = {".cold", ".isra",     ".constprop",
                                           ".part", ".lto_priv", BLOCK};
    if (!memchr(name.text, '.', name.length))
        return 0;
    for (size_t i = 0; i < sizeof suffixes / sizeof suffixes[0]; i++) {
        size_t length = strlen(suffixes[i]), digits = 0;
        while (digits < name.length && name.text[name.length - 1 - digits] >= '0' &&
               name.text[name.length - 1 - digits] <= '9')
            digits++;
        bool is_numbered =
            digits && digits < name.length && name.text[name.length - 1 - digits] == '.';
        size_t tail = is_numbered ? digits + 1 : 0;
        if (name.length > length + tail &&
            !memcmp(name.text + name.length - tail - length, suffixes[i], length))
            return length + tail;
    }
    return 0;
}

struct slice function_piece_name(const struct object *o, uint32_t symbol)
{
    static const char part[] = ".part";
    struct slice name = function_name(o, symbol);
    bool is_part = strncmp(name.text + name.length, part, sizeof part - 1) == 0;
    name.length += is_part ? sizeof part - 1 : 0;
    return name;
}

struct slice function_name(const struct object *o, uint32_t symbol)
{
    const char *text = object_symbol_name(o, symbol);
    struct slice name = slice_of(text);
    for (size_t cut = suffix_length(name); cut; cut = suffix_length(name))
        name.length -= cut;
    return name;
}
