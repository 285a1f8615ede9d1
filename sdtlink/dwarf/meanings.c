/* SPDX-License-Identifier: BSD-2-Clause */
/* See meanings.h. */
#include "meanings.h"

#include "base/memory.h"

#include <dwarf.h>
#include <shared/lower_bound.h>
#include <stdlib.h>
#include <string.h>

enum { NOWHERE = -1, ANYWHERE = -2, MAX_CANDIDATES = 1 << 16 };
enum { MAX_DEPTH = 1000 };

/* Something in a unit that has a wanted name. */
struct candidate {
    const char *name;
    int function;      /* number of a wanted function, or ANYWHERE */
    bool is_parameter; /* of that function itself */
    Dwarf_Attribute type;
};

struct search {
    meaning_visit *visit;
    struct dwarf_wish *wishes; /* by function and name */
    size_t count;
    const char **names; /* of all wishes, in order, each once */
    size_t name_count;
    size_t *functions; /* of each function the first wish */
    size_t function_count;
    struct bits present; /* functions in this unit */
    struct candidate *candidates;
    size_t candidate_count, capacity;
    bool has_too_many;
    uint64_t entries_left; /* of damaged information, some could be met again and again */
};

/* ---- What is wanted. ---- */

/* Up to a dot: what is after it, the compiler added to the symbol of a part or a copy. */
static int compare_functions(const char *left, const char *right)
{
    size_t n = strcspn(left, "."), m = strcspn(right, ".");
    int order = memcmp(left, right, n < m ? n : m);
    return order ? order : (n > m) - (n < m);
}

static int by_function(const void *left, const void *right)
{
    const struct dwarf_wish *a = left, *b = right;
    int order = compare_functions(a->function, b->function);
    return order ? order : strcmp(a->name, b->name);
}

static int by_name(const void *left, const void *right)
{
    return strcmp(*(const char *const *)left, *(const char *const *)right);
}

static void prepare(struct search *search)
{
    qsort(search->wishes, search->count, sizeof *search->wishes, by_function);
    search->names = memory_zeroed(search->count, sizeof *search->names);
    search->functions = memory_zeroed(search->count + 1, sizeof *search->functions);
    for (size_t i = 0; i < search->count; i++) {
        search->names[i] = search->wishes[i].name;
        if (i == 0 ||
            compare_functions(search->wishes[i - 1].function, search->wishes[i].function) != 0)
            search->functions[search->function_count++] = i;
    }
    search->functions[search->function_count] = search->count;
    qsort(search->names, search->count, sizeof *search->names, by_name);
    for (size_t i = 0; i < search->count; i++)
        if (i == 0 || strcmp(search->names[i - 1], search->names[i]) != 0)
            search->names[search->name_count++] = search->names[i];
}

/* The same string as wanted, or NULL. */
static const char *wanted_name(const struct search *search, const char *name)
{
    const char **found =
        name ? bsearch(&name, search->names, search->name_count, sizeof name, by_name) : NULL;
    return found ? *found : NULL;
}

static int compare_wanted(const struct search *search, size_t i, const char *name)
{
    return compare_functions(search->wishes[search->functions[i]].function, name);
}

static int wanted_function(const struct search *search, const char *name)
{
    if (!name)
        return NOWHERE;
    size_t low = LOWER_BOUND(i, search->function_count, compare_wanted(search, i, name) < 0);
    bool is_there = low < search->function_count && compare_wanted(search, low, name) == 0;
    return is_there ? (int)low : NOWHERE;
}

/* ---- What a unit has. ---- */

/* A name of ENTRY, which others that it refers to may have. */
static const char *name_of(Dwarf_Die *entry, unsigned attribute)
{
    Dwarf_Attribute value;
    return dwarf_formstring(dwarf_attr_integrate(entry, attribute, &value));
}

static void add(struct search *search, Dwarf_Die *entry, int function, bool is_parameter)
{
    Dwarf_Attribute type;
    const char *name = wanted_name(search, name_of(entry, DW_AT_name));
    search->has_too_many |= name && search->candidate_count == MAX_CANDIDATES;
    if (!name || search->has_too_many || !dwarf_attr_integrate(entry, DW_AT_type, &type))
        return;
    search->candidates = memory_with_room(search->candidates, search->candidate_count,
                                          &search->capacity, sizeof *search->candidates);
    search->candidates[search->candidate_count++] =
        (struct candidate){name, function, is_parameter, type};
}

/* Where the walk is. */
struct position {
    unsigned depth;
    bool is_in_function;
    bool is_direct; /* in the function itself, not in a block of it */
    int function;   /* the outermost that is wanted */
};

static struct position enter_function(struct search *search, Dwarf_Die *entry,
                                      struct position position)
{
    const char *symbol = name_of(entry, DW_AT_linkage_name);
    symbol = symbol ? symbol : name_of(entry, DW_AT_MIPS_linkage_name);
    int function = wanted_function(search, symbol);
    if (function == NOWHERE)
        function = wanted_function(search, name_of(entry, DW_AT_name));
    if (function != NOWHERE)
        bits_set(&search->present, (size_t)function);
    add(search, entry, ANYWHERE, false);
    position.is_in_function = true;
    position.is_direct = true;
    position.function = position.function == NOWHERE ? function : position.function;
    return position;
}

static bool walk(struct search *search, Dwarf_Die *parent, struct position position);

/* What dwz(1) has moved to a unit that others share. */
static bool walk_imported(struct search *search, Dwarf_Die *entry, struct position position)
{
    Dwarf_Attribute place;
    Dwarf_Die unit;
    return dwarf_formref_die(dwarf_attr(entry, DW_AT_import, &place), &unit) &&
           walk(search, &unit, position);
}

/* Go through the entries in PARENT. False: a part of them is elsewhere, or cannot be read. */
static bool walk(struct search *search, Dwarf_Die *parent, struct position position)
{
    Dwarf_Die entry;
    bool is_whole = ++position.depth < MAX_DEPTH;
    int result = is_whole ? dwarf_child(parent, &entry) : 1;
    for (; result == 0; result = dwarf_siblingof(&entry, &entry)) {
        struct position inside = position;
        inside.is_direct = false;
        switch (dwarf_tag(&entry)) {
        case DW_TAG_subprogram:
            inside = enter_function(search, &entry, position);
            break;
        case DW_TAG_member:
            add(search, &entry, ANYWHERE, false);
            break;
        case DW_TAG_variable:
        case DW_TAG_formal_parameter:
            if (!position.is_in_function || position.function != NOWHERE)
                add(search, &entry, position.function != NOWHERE ? position.function : ANYWHERE,
                    position.is_direct && dwarf_tag(&entry) == DW_TAG_formal_parameter);
            break;
        case DW_TAG_imported_unit:
            is_whole &= walk_imported(search, &entry, position);
            break;
        case DW_TAG_invalid:
            is_whole = false;
            break;
        default:
            is_whole &= !dwarf_hasattr(&entry, DW_AT_signature);
        }
        if (search->entries_left == 0)
            return false;
        search->entries_left--;
        if (dwarf_haschildren(&entry) > 0)
            is_whole &= walk(search, &entry, inside);
    }
    return is_whole && result > 0;
}

/* ---- All of it. ---- */

static enum meaning_rank rank_of(const struct candidate *candidate)
{
    return candidate->function == ANYWHERE ? MEANING_ANYWHERE
           : candidate->is_parameter       ? MEANING_PARAMETER
                                           : MEANING_LOCAL;
}

static void take_candidates(struct search *search, int function, bool is_whole)
{
    size_t from = search->functions[function], to = search->functions[function + 1];
    for (size_t i = from; i < to; i++) {
        struct dwarf_wish *wish = &search->wishes[i];
        wish->is_doubtful |= !is_whole;
        for (size_t k = 0; k < search->candidate_count && !wish->is_doubtful; k++) {
            const struct candidate *candidate = &search->candidates[k];
            if ((candidate->function == function || candidate->function == ANYWHERE) &&
                !strcmp(candidate->name, wish->name))
                search->visit(wish, candidate->type, rank_of(candidate));
        }
    }
}

static void search_unit(struct search *search, Dwarf_Die *unit)
{
    search->candidate_count = 0;
    search->has_too_many = false;
    bits_init(&search->present, search->function_count);
    bool is_whole = walk(search, unit, (struct position){.function = NOWHERE});
    for (size_t k = 0; k < search->function_count; k++)
        if (bits_test(&search->present, k))
            take_candidates(search, (int)k, is_whole && !search->has_too_many);
    bits_free(&search->present);
}

void meanings_find(const struct dwarf *dwarf, struct dwarf_wish *wishes, size_t count,
                   meaning_visit *visit)
{
    struct search search = {.visit = visit,
                            .wishes = wishes,
                            .count = count,
                            .entries_left = dwarf_most_entries(dwarf)};
    Dwarf_CU *unit = NULL;
    Dwarf_Die first;
    uint8_t kind;
    if (!dwarf->information || !count)
        return;
    prepare(&search);
    while (dwarf_get_units(dwarf->information, unit, &unit, NULL, &kind, &first, NULL) == 0)
        if (kind == DW_UT_compile)
            search_unit(&search, &first);
    free(search.candidates);
    free(search.functions);
    free(search.names);
}
