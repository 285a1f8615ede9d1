/* SPDX-License-Identifier: BSD-2-Clause */
/* See enums.h. */
#include "enums.h"

#include "base/memory.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <shared/lower_bound.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { NOWHERE = -1, ANYWHERE = -2, LONGEST_CHAIN = 24, MAX_CANDIDATES = 1 << 16 };
enum { MAX_DEPTH = 1000 };

/* Something in a unit that has a wanted name. */
struct candidate {
    const char *name;
    int function; /* number of a wanted function, or ANYWHERE */
    Dwarf_Attribute type;
};

struct search {
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

static void add(struct search *search, Dwarf_Die *entry, int function)
{
    Dwarf_Attribute type;
    const char *name = wanted_name(search, name_of(entry, DW_AT_name));
    search->has_too_many |= name && search->candidate_count == MAX_CANDIDATES;
    if (!name || search->has_too_many || !dwarf_attr_integrate(entry, DW_AT_type, &type))
        return;
    search->candidates = memory_with_room(search->candidates, search->candidate_count,
                                          &search->capacity, sizeof *search->candidates);
    search->candidates[search->candidate_count++] = (struct candidate){name, function, type};
}

/* Where the walk is. */
struct position {
    unsigned depth;
    bool is_in_function;
    int function; /* the outermost that is wanted */
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
    add(search, entry, ANYWHERE);
    position.is_in_function = true;
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
        switch (dwarf_tag(&entry)) {
        case DW_TAG_subprogram:
            inside = enter_function(search, &entry, position);
            break;
        case DW_TAG_member:
            add(search, &entry, ANYWHERE);
            break;
        case DW_TAG_variable:
        case DW_TAG_formal_parameter:
            if (!position.is_in_function || position.function != NOWHERE)
                add(search, &entry, position.function != NOWHERE ? position.function : ANYWHERE);
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

/* ---- Types. ---- */

enum answer { NO_INTEGER, ENUMERATION, OTHER };

static bool is_real(Dwarf_Die *type)
{
    Dwarf_Attribute value;
    Dwarf_Word encoding = 0;
    dwarf_formudata(dwarf_attr(type, DW_AT_encoding, &value), &encoding);
    return encoding == DW_ATE_float || encoding == DW_ATE_complex_float ||
           encoding == DW_ATE_imaginary_float;
}

/* What the type of ATTRIBUTE is in the end; of an enumeration, *TYPE. */
static enum answer find_type(Dwarf_Attribute attribute, Dwarf_Die *type)
{
    Dwarf_Attribute *next = &attribute;
    for (int i = 0; i < LONGEST_CHAIN; i++) {
        if (!next) /* void */
            return NO_INTEGER;
        if (!dwarf_formref_die(next, type))
            return OTHER;
        switch (dwarf_tag(type)) {
        case DW_TAG_enumeration_type:
            return dwarf_hasattr(type, DW_AT_declaration) ? OTHER : ENUMERATION;
        case DW_TAG_base_type:
            return is_real(type) ? NO_INTEGER : OTHER;
        case DW_TAG_typedef:
        case DW_TAG_const_type:
        case DW_TAG_volatile_type:
        case DW_TAG_restrict_type:
        case DW_TAG_atomic_type:
        case DW_TAG_pointer_type:
        case DW_TAG_reference_type:
        case DW_TAG_rvalue_reference_type:
        case DW_TAG_array_type:
            next = dwarf_attr(type, DW_AT_type, &attribute);
            break;
        default: /* a structure and the like */
            return NO_INTEGER;
        }
    }
    return OTHER;
}

/* The value of an enumerator: only LEB128 says whether it is signed, and compilers use that for
 * negative ones. */
static bool read_value(Dwarf_Die *entry, int64_t *value)
{
    Dwarf_Attribute attribute;
    Dwarf_Sword with_sign = 0;
    Dwarf_Word without = 0;
    if (!dwarf_attr(entry, DW_AT_const_value, &attribute))
        return false;
    unsigned form = dwarf_whatform(&attribute);
    bool has_sign = form == DW_FORM_sdata || form == DW_FORM_implicit_const;
    int error =
        has_sign ? dwarf_formsdata(&attribute, &with_sign) : dwarf_formudata(&attribute, &without);
    *value = has_sign ? with_sign : (int64_t)without;
    return error == 0;
}

/* The enumerators of TYPE; false: too many, or not understood. */
static bool read_labels(Dwarf_Die *type, struct dwarf_label *labels, size_t *count)
{
    Dwarf_Die entry;
    int result = dwarf_child(type, &entry);
    for (*count = 0; result == 0; ++*count) {
        const char *name = dwarf_diename(&entry);
        if (dwarf_tag(&entry) != DW_TAG_enumerator || !name || *count == DWARF_MAX_LABELS ||
            !read_value(&entry, &labels[*count].value))
            return false;
        labels[*count].name = name;
        result = dwarf_siblingof(&entry, &entry);
    }
    return result > 0 && *count > 0;
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

static void consider(struct dwarf_wish *wish, Dwarf_Attribute attribute)
{
    struct dwarf_label labels[DWARF_MAX_LABELS];
    Dwarf_Die type;
    size_t count;
    enum answer answer = find_type(attribute, &type);
    if (answer == NO_INTEGER)
        return;
    if (answer == OTHER || !read_labels(&type, labels, &count)) {
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
                consider(wish, candidate->type);
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

/* More entries than the files of DWARF can have: one has some ten bytes, which compression makes a
 * third of. */
static uint64_t most_entries(const struct dwarf *dwarf)
{
    const int files[] = {dwarf->file.fd, dwarf->separate.fd, dwarf->shared.fd};
    uint64_t bytes = 0;
    struct stat status;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        bytes += fstat(files[i], &status) == 0 ? (uint64_t)status.st_size : 0;
    return 4 * bytes;
}

void dwarf_find_enums(struct dwarf *dwarf, struct dwarf_wish *wishes, size_t count)
{
    struct search search = {.wishes = wishes, .count = count, .entries_left = most_entries(dwarf)};
    Dwarf_CU *unit = NULL;
    Dwarf_Die first;
    uint8_t kind;
    if (!dwarf->information || !count)
        return;
    prepare(&search);
    while (dwarf_get_units(dwarf->information, unit, &unit, NULL, &kind, &first, NULL) == 0)
        if (kind == DW_UT_compile)
            search_unit(&search, &first);
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
