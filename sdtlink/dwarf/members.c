/* SPDX-License-Identifier: BSD-2-Clause */
/* See members.h. */
#include "members.h"

#include "meanings.h"
#include "types.h"

#include <string.h>

_Static_assert(sizeof(Dwarf_Die) == sizeof(((struct dwarf_type *)NULL)->die), "one as bytes");

enum { MAX_DEPTH = 16, MAX_POINTERS = 8 };

static Dwarf_Die die_of(const struct dwarf_type *type)
{
    Dwarf_Die die;
    memcpy(&die, type->die, sizeof die);
    return die;
}

static struct dwarf_type type_from(const Dwarf_Die *die)
{
    struct dwarf_type type = {.indexed = 0};
    memcpy(type.die, die, sizeof type.die);
    return type;
}

/* ---- What a type is. ---- */

static bool is_structure(Dwarf_Die *die)
{
    int tag = dwarf_tag(die);
    return tag == DW_TAG_structure_type || tag == DW_TAG_class_type || tag == DW_TAG_union_type;
}

static enum dwarf_shape base_shape(Dwarf_Die *die, uint64_t size)
{
    unsigned encoding = type_encoding(die);
    bool is_word = size == 1 || size == 2 || size == 4 || size == 8;
    if (encoding == DW_ATE_float)
        return size == 4 || size == 8 ? DWARF_REAL : DWARF_OTHER;
    return is_word && encoding != DW_ATE_complex_float && encoding != DW_ATE_imaginary_float &&
                   encoding != DW_ATE_decimal_float
               ? DWARF_INTEGER
               : DWARF_OTHER;
}

static enum dwarf_shape shape_of(Dwarf_Die *die, uint64_t size)
{
    switch (dwarf_tag(die)) {
    case DW_TAG_base_type:
        return base_shape(die, size);
    case DW_TAG_enumeration_type:
        return size ? DWARF_INTEGER : DWARF_OTHER;
    case DW_TAG_pointer_type:
    case DW_TAG_reference_type:
    case DW_TAG_rvalue_reference_type:
        return DWARF_POINTER;
    case DW_TAG_array_type:
        return dwarf_hasattr(die, DW_AT_GNU_vector) ? DWARF_OTHER : DWARF_ARRAY;
    default:
        return is_structure(die) ? DWARF_STRUCTURE : DWARF_OTHER;
    }
}

void dwarf_look(const struct dwarf_type *type, struct dwarf_view *view)
{
    Dwarf_Die die = die_of(type);
    *view = (struct dwarf_view){.shape = DWARF_OTHER, .name = dwarf_diename(&die)};
    if (type_strip(&die) != TYPE_FOUND)
        return;
    view->name = view->name ? view->name : dwarf_diename(&die);
    view->size = type_size(&die);
    view->shape = shape_of(&die, view->size);
    view->size = view->shape == DWARF_POINTER ? sizeof(uint64_t) : view->size;
    view->is_signed = type_is_signed(&die);
    view->is_bool = type_encoding(&die) == DW_ATE_boolean;
    view->is_char = type_is_char(&die);
    view->is_enumeration = dwarf_tag(&die) == DW_TAG_enumeration_type;
    uint64_t all = view->shape == DWARF_ARRAY ? type_elements(&die, 0) : 0;
    uint64_t left = all ? type_elements(&die, type->indexed) : 0;
    uint64_t inner = left ? type_elements(&die, type->indexed + 1) : 0;
    view->count = inner ? left / inner : 0;
    view->size = left ? view->size / (all / left) : view->size;
}

bool dwarf_target(const struct dwarf_type *type, struct dwarf_type *target)
{
    Dwarf_Die die = die_of(type), to;
    if (type_strip(&die) != TYPE_FOUND || type_of(&die, &to) != TYPE_FOUND)
        return false;
    if (dwarf_tag(&die) == DW_TAG_array_type && type_dimensions(&die) > type->indexed + 1) {
        *target = type_from(&die);
        target->indexed = type->indexed + 1;
        return true;
    }
    *target = type_from(&to);
    return true;
}

size_t dwarf_labels(const struct dwarf_type *type, struct dwarf_label *labels)
{
    Dwarf_Die die = die_of(type);
    size_t count;
    return type_strip(&die) == TYPE_FOUND && type_labels(&die, labels, &count) ? count : 0;
}

/* ---- Variables. ---- */

/* What a name means until now. */
struct meaning {
    Dwarf_Die die;
    bool is_there, differs, is_parameter; /* IS_PARAMETER: nothing else counts */
    enum meaning_rank rank;
};

static bool is_declaration(Dwarf_Die *die)
{
    return dwarf_hasattr(die, DW_AT_declaration);
}

/* Units describe one type each for themselves. */
static bool is_same(Dwarf_Die a, Dwarf_Die b)
{
    for (int i = 0; i < MAX_POINTERS; i++) {
        if (type_strip(&a) != TYPE_FOUND || type_strip(&b) != TYPE_FOUND ||
            dwarf_tag(&a) != dwarf_tag(&b))
            return false;
        if (a.addr == b.addr)
            return true;
        int tag = dwarf_tag(&a);
        if (tag != DW_TAG_pointer_type && tag != DW_TAG_reference_type &&
            tag != DW_TAG_rvalue_reference_type && tag != DW_TAG_array_type)
            break;
        Dwarf_Die to[2];
        if (type_elements(&a, 0) != type_elements(&b, 0) || type_of(&a, &to[0]) != TYPE_FOUND ||
            type_of(&b, &to[1]) != TYPE_FOUND)
            return false;
        a = to[0];
        b = to[1];
    }
    const char *one = dwarf_diename(&a), *other = dwarf_diename(&b);
    return one && other && !strcmp(one, other) &&
           (type_size(&a) == type_size(&b) || is_declaration(&a) || is_declaration(&b));
}

static void take_meaning(struct dwarf_wish *wish, Dwarf_Attribute attribute, enum meaning_rank rank)
{
    struct meaning *meaning = wish->of;
    Dwarf_Die die;
    if ((meaning->is_parameter && rank != MEANING_PARAMETER) ||
        (meaning->is_there && rank < meaning->rank) || !dwarf_formref_die(&attribute, &die) ||
        type_strip(&die) != TYPE_FOUND)
        return;
    bool is_better = !meaning->is_there || rank > meaning->rank;
    meaning->differs = !is_better && (meaning->differs || !is_same(meaning->die, die));
    if (is_better)
        meaning->die = die;
    meaning->rank = rank;
    meaning->is_there = true;
}

enum dwarf_answer dwarf_find_variable(const struct dwarf *dwarf, const char *function,
                                      const char *name, bool is_parameter, struct dwarf_type *type)
{
    struct meaning meaning = {.is_parameter = is_parameter};
    struct dwarf_wish wish = {.function = function, .name = name, .of = &meaning};
    meanings_find(dwarf, &wish, 1, take_meaning);
    if (!meaning.is_there)
        return DWARF_NONE;
    *type = type_from(&meaning.die);
    return meaning.differs ? DWARF_DOUBTFUL : DWARF_FOUND;
}

/* ---- Structures. ---- */

/* In all that a type refers to. */
struct search {
    const struct dwarf *dwarf;
    uint64_t entries_left;
};

static struct search search_in(const struct dwarf *dwarf)
{
    return (struct search){.dwarf = dwarf, .entries_left = dwarf_most_entries(dwarf)};
}

/* dwarf_child(), or dwarf_siblingof() of ENTRY; not 0: there is none. */
static int first_of(struct search *search, Dwarf_Die *parent, Dwarf_Die *entry)
{
    return search->entries_left ? dwarf_child(parent, entry) : -1;
}

static int next_of(struct search *search, Dwarf_Die *entry)
{
    if (!search->entries_left)
        return -1;
    search->entries_left--;
    return dwarf_siblingof(entry, entry);
}

static bool find_definition(struct search *search, Dwarf_Die *parent, Dwarf_Die *die,
                            unsigned depth)
{
    Dwarf_Die entry;
    const char *name = dwarf_diename(die), *other;
    int result = name && depth < MAX_DEPTH ? first_of(search, parent, &entry) : 1;
    for (; result == 0; result = next_of(search, &entry)) {
        if (dwarf_tag(&entry) == dwarf_tag(die) && !is_declaration(&entry) &&
            (other = dwarf_diename(&entry)) && !strcmp(name, other)) {
            *die = entry;
            return true;
        }
        if (dwarf_tag(&entry) == DW_TAG_namespace &&
            find_definition(search, &entry, die, depth + 1))
            return true;
    }
    return false;
}

/* The definition of DIE, which a unit may only declare; false: no unit has it. */
static bool complete(struct search *search, Dwarf_Die *die)
{
    Dwarf_CU *unit = NULL;
    Dwarf_Die first;
    if (!is_declaration(die))
        return true;
    while (dwarf_get_units(search->dwarf->information, unit, &unit, NULL, NULL, &first, NULL) == 0)
        if (find_definition(search, &first, die, 0))
            return true;
    return false;
}

bool dwarf_is_incomplete(const struct dwarf *dwarf, const struct dwarf_type *type)
{
    Dwarf_Die die = die_of(type);
    struct search search = search_in(dwarf);
    return type_strip(&die) != TYPE_FOUND || !complete(&search, &die);
}

/* Where ENTRY, which has bits, begins: DWARF 4 and 5 count from the lowest bit of the structure; an
 * earlier form from the highest of a unit. */
static bool find_bits(Dwarf_Die *entry, struct dwarf_member *member)
{
    uint64_t bits, at, unit = 0;
    Dwarf_Die type;
    if (!type_number(entry, DW_AT_bit_size, &bits))
        return true;
    if (!type_number(entry, DW_AT_data_bit_offset, &at)) {
        uint64_t from_top;
        if (!type_number(entry, DW_AT_byte_size, &unit) && type_of(entry, &type) == TYPE_FOUND)
            unit = type_size(&type);
        if (!type_number(entry, DW_AT_bit_offset, &from_top) || unit > 8 ||
            from_top + bits > 8 * unit)
            return false;
        at = 8 * unit - from_top - bits;
    }
    member->offset += at / 8;
    member->bit = (unsigned)(at % 8);
    member->bits = (unsigned)bits;
    return bits > 0 && bits <= 64;
}

static enum dwarf_answer read_member(Dwarf_Die *entry, struct dwarf_member *member)
{
    Dwarf_Die type;
    if (dwarf_hasattr(entry, DW_AT_external) || dwarf_hasattr(entry, DW_AT_declaration) ||
        !type_member_offset(entry, &member->offset) || !find_bits(entry, member) ||
        type_of(entry, &type) != TYPE_FOUND)
        return DWARF_DOUBTFUL;
    member->type = type_from(&type);
    return DWARF_FOUND;
}

static enum dwarf_answer find_in(struct search *search, Dwarf_Die die, const char *name,
                                 struct dwarf_member *member, unsigned depth);

/* In a base, or in a member without a name. */
static enum dwarf_answer find_inside(struct search *search, Dwarf_Die *entry, const char *name,
                                     struct dwarf_member *member, unsigned depth)
{
    Dwarf_Die type;
    uint64_t offset;
    if (type_of(entry, &type) != TYPE_FOUND || !is_structure(&type))
        return DWARF_NONE;
    enum dwarf_answer answer = find_in(search, type, name, member, depth + 1);
    bool is_fixed = !dwarf_hasattr(entry, DW_AT_virtuality) && type_member_offset(entry, &offset);
    if (answer == DWARF_FOUND && is_fixed)
        member->offset += offset;
    return answer == DWARF_FOUND && !is_fixed ? DWARF_DOUBTFUL : answer;
}

static enum dwarf_answer find_in(struct search *search, Dwarf_Die die, const char *name,
                                 struct dwarf_member *member, unsigned depth)
{
    Dwarf_Die entry;
    if (depth == MAX_DEPTH || !complete(search, &die))
        return DWARF_NONE;
    int result = first_of(search, &die, &entry);
    for (; result == 0; result = next_of(search, &entry)) {
        int tag = dwarf_tag(&entry);
        const char *own = dwarf_diename(&entry);
        enum dwarf_answer answer = DWARF_NONE;
        *member = (struct dwarf_member){.offset = 0};
        if (tag == DW_TAG_inheritance || (tag == DW_TAG_member && !own))
            answer = find_inside(search, &entry, name, member, depth);
        else if ((tag == DW_TAG_member || tag == DW_TAG_variable) && own && !strcmp(own, name))
            answer = tag == DW_TAG_member ? read_member(&entry, member) : DWARF_DOUBTFUL;
        if (answer != DWARF_NONE)
            return answer;
    }
    return DWARF_NONE;
}

enum dwarf_answer dwarf_find_member(const struct dwarf *dwarf, const struct dwarf_type *type,
                                    const char *name, struct dwarf_member *member)
{
    Dwarf_Die die = die_of(type);
    struct search search = search_in(dwarf);
    return type_strip(&die) == TYPE_FOUND ? find_in(&search, die, name, member, 0) : DWARF_NONE;
}

static void each_in(struct search *search, Dwarf_Die die,
                    void (*take)(const char *name, void *data), void *data, unsigned depth)
{
    Dwarf_Die entry, type;
    int result = depth < MAX_DEPTH && complete(search, &die) ? first_of(search, &die, &entry) : 1;
    for (; result == 0; result = next_of(search, &entry)) {
        int tag = dwarf_tag(&entry);
        const char *own = dwarf_diename(&entry);
        bool is_inside = tag == DW_TAG_inheritance || (tag == DW_TAG_member && !own);
        if (is_inside && type_of(&entry, &type) == TYPE_FOUND && is_structure(&type))
            each_in(search, type, take, data, depth + 1);
        else if (tag == DW_TAG_member && own && !dwarf_hasattr(&entry, DW_AT_artificial))
            take(own, data);
    }
}

void dwarf_each_member(const struct dwarf *dwarf, const struct dwarf_type *type,
                       void (*take)(const char *name, void *data), void *data)
{
    Dwarf_Die die = die_of(type);
    struct search search = search_in(dwarf);
    if (type_strip(&die) == TYPE_FOUND && is_structure(&die))
        each_in(&search, die, take, data, 0);
}
