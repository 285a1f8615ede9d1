/* SPDX-License-Identifier: BSD-2-Clause */
/* See enums.h. */
#include "enums.h"

#include "base/memory.h"

#include <shared/lower_bound.h>
#include <stdlib.h>
#include <string.h>

enum { NOWHERE = -1, ANYWHERE = -2, LONGEST_CHAIN = 24, MAX_CANDIDATES = 1 << 16 };

/* Something in a unit that has a wanted name. */
struct candidate {
    const char *name;
    int function; /* number of a wanted function, or ANYWHERE */
    uint64_t type;
};

struct search {
    struct dwarf *dwarf;
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

/* Names and type of ENTRY, which others that it refers to may have. */
static void complete(struct search *search, struct dwarf_entry *entry)
{
    uint64_t origin = entry->origin;
    for (int i = 0; i < 4 && origin; i++) {
        struct dwarf_unit *unit;
        struct dwarf_entry other;
        if (!dwarf_entry_at(search->dwarf, origin, &unit, &other))
            return;
        entry->name = entry->name ? entry->name : other.name;
        entry->linkage_name = entry->linkage_name ? entry->linkage_name : other.linkage_name;
        entry->type = entry->type ? entry->type : other.type;
        origin = other.origin;
    }
}

static void add(struct search *search, const struct dwarf_entry *entry, int function)
{
    const char *name = wanted_name(search, entry->name);
    search->has_too_many |= name && search->candidate_count == MAX_CANDIDATES;
    if (!name || !entry->type || search->has_too_many)
        return;
    if (search->candidate_count == search->capacity) {
        search->capacity = search->capacity ? 2 * search->capacity : 64;
        search->candidates =
            memory_resize(search->candidates, search->capacity, sizeof *search->candidates);
    }
    search->candidates[search->candidate_count++] = (struct candidate){name, function, entry->type};
}

/* Where the walk is: the outermost function, and the innermost that is wanted. */
struct position {
    unsigned depth, outermost, wanted; /* 0: in none */
    int function;
};

static void enter_function(struct search *search, struct dwarf_entry *entry,
                           struct position *position)
{
    complete(search, entry);
    int function = wanted_function(search, entry->linkage_name);
    if (function == NOWHERE)
        function = wanted_function(search, entry->name);
    if (function != NOWHERE)
        bits_set(&search->present, (size_t)function);
    add(search, entry, ANYWHERE);
    if (!entry->has_children)
        return;
    if (!position->outermost)
        position->outermost = position->depth + 1;
    if (function != NOWHERE && !position->wanted) {
        position->wanted = position->depth + 1;
        position->function = function;
    }
}

static void look_at(struct search *search, struct dwarf_unit *unit, struct dwarf_entry *entry,
                    struct position *position)
{
    switch (entry->tag) {
    case TAG_SUBPROGRAM:
        enter_function(search, entry, position);
        break;
    case TAG_MEMBER:
        add(search, entry, ANYWHERE);
        break;
    case TAG_VARIABLE:
    case TAG_FORMAL_PARAMETER:
        if (position->outermost && !position->wanted)
            break;
        complete(search, entry);
        add(search, entry, position->wanted ? position->function : ANYWHERE);
        break;
    case TAG_IMPORTED_UNIT:
        unit->is_strange = true;
        break;
    default:
        break;
    }
}

/* False: a part of it cannot be read. */
static bool walk(struct search *search, struct dwarf_unit *unit)
{
    struct position position = {0};
    struct dwarf_entry entry;
    bool is_strange = false;
    for (uint64_t at = unit->first; at < unit->end;) {
        if (!dwarf_next(search->dwarf, unit, &at, &entry))
            return false;
        if (entry.tag) {
            look_at(search, unit, &entry, &position);
            position.depth += entry.has_children;
            is_strange |= unit->is_strange;
            unit->is_strange = false; /* read on: its functions are what counts */
            continue;
        }
        if (position.depth == position.outermost)
            position.outermost = 0;
        if (position.depth == position.wanted)
            position.wanted = 0;
        if (position.depth > 0)
            position.depth--;
    }
    return !is_strange;
}

/* ---- Types. ---- */

enum answer { NO_INTEGER, ENUMERATION, OTHER };

/* What TYPE is in the end; of an enumeration, *ENTRY. */
static enum answer find_type(struct search *search, uint64_t type, struct dwarf_unit **unit,
                             struct dwarf_entry *entry)
{
    for (int i = 0; i < LONGEST_CHAIN; i++) {
        if (!type) /* void */
            return NO_INTEGER;
        if (!dwarf_entry_at(search->dwarf, type, unit, entry))
            return OTHER;
        switch (entry->tag) {
        case TAG_ENUMERATION_TYPE:
            return entry->is_declaration ? OTHER : ENUMERATION;
        case TAG_BASE_TYPE:
            return entry->encoding == 3 || entry->encoding == 4 || entry->encoding == 9 ? NO_INTEGER
                                                                                        : OTHER;
        case TAG_TYPEDEF:
        case TAG_CONST_TYPE:
        case TAG_VOLATILE_TYPE:
        case TAG_RESTRICT_TYPE:
        case TAG_ATOMIC_TYPE:
        case TAG_POINTER_TYPE:
        case TAG_REFERENCE_TYPE:
        case TAG_RVALUE_REFERENCE_TYPE:
        case TAG_ARRAY_TYPE:
            type = entry->type;
            break;
        default: /* a structure and the like */
            return NO_INTEGER;
        }
    }
    return OTHER;
}

/* The enumerators of ENTRY; false: too many, or not understood. */
static bool read_labels(struct search *search, struct dwarf_unit *unit, struct dwarf_entry *entry,
                        struct dwarf_label *labels, size_t *count)
{
    uint64_t at = entry->at;
    struct dwarf_entry child;
    *count = 0;
    if (!entry->has_children || !dwarf_next(search->dwarf, unit, &at, &child))
        return false;
    while (dwarf_next(search->dwarf, unit, &at, &child)) {
        if (!child.tag)
            return *count > 0;
        if (child.tag != TAG_ENUMERATOR || !child.name || child.has_children ||
            *count == DWARF_MAX_LABELS)
            return false;
        labels[(*count)++] = (struct dwarf_label){child.value, child.name};
    }
    return false;
}

static bool is_same(const struct dwarf_wish *wish, const struct dwarf_label *labels, size_t count)
{
    if (wish->label_count != count)
        return false;
    for (size_t i = 0; i < count; i++)
        if (wish->labels[i].value != labels[i].value ||
            strcmp(wish->labels[i].name, labels[i].name) != 0)
            return false;
    return true;
}

static void consider(struct search *search, struct dwarf_wish *wish, uint64_t type)
{
    struct dwarf_label labels[DWARF_MAX_LABELS];
    struct dwarf_entry entry;
    struct dwarf_unit *unit;
    size_t count;
    enum answer answer = find_type(search, type, &unit, &entry);
    if (answer == NO_INTEGER)
        return;
    if (answer == OTHER || !read_labels(search, unit, &entry, labels, &count)) {
        wish->is_doubtful = true;
    } else if (wish->labels) {
        wish->is_doubtful |= !is_same(wish, labels, count);
    } else {
        wish->labels = memory_zeroed(count, sizeof *labels);
        memcpy(wish->labels, labels, count * sizeof *labels);
        wish->label_count = count;
    }
}

/* ---- All of it. ---- */

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
                consider(search, wish, candidate->type);
        }
    }
}

void dwarf_find_enums(struct dwarf *dwarf, struct dwarf_wish *wishes, size_t count)
{
    struct search search = {.dwarf = dwarf, .wishes = wishes, .count = count};
    if (!dwarf->unit_count || !count)
        return;
    prepare(&search);
    for (size_t i = 0; i < dwarf->unit_count; i++) {
        search.candidate_count = 0;
        search.has_too_many = false;
        bits_init(&search.present, search.function_count);
        bool is_whole = walk(&search, &dwarf->units[i]);
        for (size_t k = 0; k < search.function_count; k++)
            if (bits_test(&search.present, k))
                take_candidates(&search, (int)k, is_whole && !search.has_too_many);
        bits_free(&search.present);
        dwarf_leave(&dwarf->units[i]);
    }
    for (size_t i = 0; i < count; i++)
        if (wishes[i].is_doubtful) {
            free(wishes[i].labels);
            wishes[i].labels = NULL;
            wishes[i].label_count = 0;
        }
    free(search.candidates);
    free(search.functions);
    free(search.names);
}

void dwarf_free_wishes(struct dwarf_wish *wishes, size_t count)
{
    for (size_t i = 0; i < count; i++)
        free(wishes[i].labels);
    free(wishes);
}
