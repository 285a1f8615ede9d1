/* SPDX-License-Identifier: BSD-2-Clause */
/* See passing.h. */
#include "passing.h"

#include <sdt/format.h>
#include <stdio.h>
#include <string.h>

enum { INTEGERS = 6, VECTORS = 8, EIGHTBYTES = 2, MAX_DEPTH = 8, FIRST_VECTOR = 17 };

/* What DWARF calls the general registers that have arguments, in their order. */
static const int numbers[INTEGERS] = {5, 4, 1, 2, 8, 9};

/* ---- Classes. ---- */

enum class { NO_CLASS, INTEGER, SSE, MEMORY, UNKNOWN };

/* What a value of a type is. */
struct shape {
    enum class part[EIGHTBYTES]; /* MEMORY, UNKNOWN: of all of it, in the first */
    uint8_t type;                /* of one value: enum sdt_arg_type; 0: it is not one */
    uint64_t size;
};

static struct shape unknown(void)
{
    return (struct shape){.part = {UNKNOWN}};
}

static struct shape scalar(enum class class, uint64_t size, uint8_t type)
{
    return (struct shape){.part = {class}, .size = size, .type = type};
}

static struct shape integer_shape(Dwarf_Die *type, uint64_t size)
{
    if (size == 16)
        return (struct shape){.part = {INTEGER, INTEGER}, .size = size};
    if (size != 1 && size != 2 && size != 4 && size != 8)
        return unknown();
    return scalar(INTEGER, size, (uint8_t)(size | (type_is_signed(type) ? SDT_ARG_SIGNED : 0)));
}

static struct shape base_shape(Dwarf_Die *type)
{
    const char *name = dwarf_diename(type);
    uint64_t size = type_size(type);
    switch (type_encoding(type)) {
    case DW_ATE_boolean:
        return size == 1 ? scalar(INTEGER, size, SDT_ARG_SPECIAL | 1) : unknown();
    case DW_ATE_signed:
    case DW_ATE_unsigned:
    case DW_ATE_signed_char:
    case DW_ATE_unsigned_char:
    case DW_ATE_UTF:
        return integer_shape(type, size);
    case DW_ATE_float:
        if (size == 4 || size == 8)
            return scalar(SSE, size, (uint8_t)(SDT_ARG_FLOAT | size));
        /* The other one of this size, __float128, is passed in a vector register. */
        return name && !strcmp(name, "long double") ? scalar(MEMORY, 16, 0) : unknown();
    default:
        return unknown();
    }
}

static struct shape pointer_shape(Dwarf_Die *type)
{
    Dwarf_Die to;
    bool is_text = dwarf_tag(type) == DW_TAG_pointer_type && type_of(type, &to) == TYPE_FOUND &&
                   type_is_char(&to);
    return scalar(INTEGER, 8, (uint8_t)(SDT_ARG_POINTER | 8 | (is_text ? SDT_ARG_SPECIAL : 0)));
}

static struct shape scalar_shape(Dwarf_Die *type)
{
    switch (dwarf_tag(type)) {
    case DW_TAG_base_type:
        return base_shape(type);
    case DW_TAG_enumeration_type:
        return integer_shape(type, type_size(type));
    case DW_TAG_pointer_type:
    case DW_TAG_reference_type:
    case DW_TAG_rvalue_reference_type:
        return pointer_shape(type);
    default: /* vectors, pointers to members, and what is new */
        return unknown();
    }
}

/* ---- Aggregates. ---- */

/* What a structure is made of. Of damaged information, some entries could be met again and again.
 */
struct walk {
    struct shape all;
    enum passing_language language;
    unsigned entries_left;
};

static bool is_aggregate(Dwarf_Die *type)
{
    int tag = dwarf_tag(type);
    return tag == DW_TAG_structure_type || tag == DW_TAG_class_type || tag == DW_TAG_union_type;
}

/* A member of objects, and not of the class. */
static bool is_member(Dwarf_Die *entry)
{
    return dwarf_tag(entry) == DW_TAG_member && !dwarf_hasattr(entry, DW_AT_external) &&
           !dwarf_hasattr(entry, DW_AT_declaration);
}

static bool may_go_on(struct walk *walk, unsigned depth)
{
    if (depth == MAX_DEPTH || !walk->entries_left)
        return false;
    walk->entries_left--;
    return true;
}

/* VALUE, of a power of two of bytes, is at OFFSET. */
static void join_value(struct shape *all, const struct shape *value, uint64_t offset)
{
    uint64_t step = value->size > 8 ? 8 : value->size;
    if (offset % step != 0 || offset + value->size > 16)
        all->part[0] = MEMORY;
    for (unsigned i = 0; i < EIGHTBYTES && value->part[i] && all->part[0] != MEMORY; i++) {
        enum class *to = &all->part[offset / 8 + i];
        *to = *to == INTEGER ? INTEGER : value->part[i];
    }
}

static bool join(struct walk *walk, Dwarf_Die *type, uint64_t offset, unsigned depth);

static bool join_array(struct walk *walk, Dwarf_Die *type, uint64_t offset, unsigned depth)
{
    Dwarf_Die of;
    uint64_t count = type_elements(type, 0);
    if (!count || count > 16 || type_of(type, &of) != TYPE_FOUND ||
        dwarf_hasattr(type, DW_AT_GNU_vector))
        return false;
    uint64_t size = type_size(&of);
    for (uint64_t i = 0; i < count; i++)
        if (!size || size > 16 || !join(walk, &of, offset + i * size, depth + 1))
            return false;
    return true;
}

static bool join_member(struct walk *walk, Dwarf_Die *entry, uint64_t offset, unsigned depth)
{
    Dwarf_Die type;
    uint64_t inside;
    bool has_bits = /* which are INTEGER, but of which part? */
        dwarf_hasattr(entry, DW_AT_bit_size) || dwarf_hasattr(entry, DW_AT_data_bit_offset);
    return !has_bits && type_member_offset(entry, &inside) && inside < 16 &&
           type_of(entry, &type) == TYPE_FOUND && join(walk, &type, offset + inside, depth + 1);
}

/* An empty one, which takes a byte in C++, is not understood. */
static bool join_members(struct walk *walk, Dwarf_Die *type, uint64_t offset, unsigned depth)
{
    Dwarf_Die entry;
    bool has_one = false;
    if (dwarf_hasattr(type, DW_AT_declaration) || dwarf_hasattr(type, DW_AT_alignment))
        return false;
    int result = dwarf_child(type, &entry);
    for (; result == 0; result = dwarf_siblingof(&entry, &entry)) {
        if (!may_go_on(walk, depth) || dwarf_tag(&entry) == DW_TAG_inheritance)
            return false;
        if (!is_member(&entry))
            continue;
        has_one = true;
        if (!join_member(walk, &entry, offset, depth))
            return false;
    }
    return result >= 0 && has_one;
}

/* What is at OFFSET of the structure is of TYPE: it counts as if it stood there without the
 * structures and arrays that it is in. False: it is not understood; also a long double, which is
 * not as an argument what it is as a result. */
static bool join(struct walk *walk, Dwarf_Die *type, uint64_t offset, unsigned depth)
{
    if (offset >= 16 || !may_go_on(walk, depth))
        return false;
    if (dwarf_tag(type) == DW_TAG_array_type)
        return join_array(walk, type, offset, depth);
    if (is_aggregate(type))
        return join_members(walk, type, offset, depth);
    struct shape value = scalar_shape(type);
    if (value.part[0] == UNKNOWN || value.part[0] == MEMORY)
        return false;
    join_value(&walk->all, &value, offset);
    return true;
}

/* ---- Classes of C++. ---- */

enum copying { COPIED_PLAINLY, COPIED_BY_FUNCTION, COPIED_SOMEHOW };

static enum copying copying_of(struct walk *walk, Dwarf_Die *type, unsigned depth);

/* A member of a class, or an array of that. */
static enum copying copying_of_member(struct walk *walk, Dwarf_Die *entry, unsigned depth)
{
    Dwarf_Die type;
    enum type_answer answer = type_of(entry, &type);
    for (unsigned i = 0; answer == TYPE_FOUND && dwarf_tag(&type) == DW_TAG_array_type; i++)
        answer = i < MAX_DEPTH ? type_of(&type, &type) : TYPE_DAMAGED;
    if (answer != TYPE_FOUND)
        return COPIED_SOMEHOW;
    return is_aggregate(&type) ? copying_of(walk, &type, depth + 1) : COPIED_PLAINLY;
}

/* What ENTRY, a part of class NAME, says of how that is copied, where the compiler (gcc) does not
 * say it: a destructor that is written is not trivial, and without any function of the class's name
 * and without a base there is nothing but its members. */
static enum copying copying_by(struct walk *walk, Dwarf_Die *entry, const char *name,
                               unsigned depth)
{
    const char *own = dwarf_diename(entry);
    switch (dwarf_tag(entry)) {
    case DW_TAG_subprogram:
        if (own && *own == '~')
            return walk->language == PASSING_CPLUSPLUS_5 && !dwarf_hasattr(entry, DW_AT_defaulted)
                       ? COPIED_BY_FUNCTION
                       : COPIED_SOMEHOW;
        return own && name && strcmp(own, name) != 0 && !dwarf_hasattr(entry, DW_AT_virtuality)
                   ? COPIED_PLAINLY
                   : COPIED_SOMEHOW;
    case DW_TAG_member:
        return is_member(entry) ? copying_of_member(walk, entry, depth) : COPIED_PLAINLY;
    case DW_TAG_inheritance:
    case DW_TAG_GNU_template_parameter_pack:
    case DW_TAG_template_type_parameter:
    case DW_TAG_template_value_parameter: /* then NAME is not that of its functions */
        return COPIED_SOMEHOW;
    default:
        return COPIED_PLAINLY;
    }
}

static enum copying copying_of(struct walk *walk, Dwarf_Die *type, unsigned depth)
{
    Dwarf_Attribute attribute;
    Dwarf_Word how;
    Dwarf_Die entry;
    if (dwarf_attr(type, DW_AT_calling_convention, &attribute) &&
        dwarf_formudata(&attribute, &how) == 0)
        return how == DW_CC_pass_by_reference ? COPIED_BY_FUNCTION : COPIED_PLAINLY;
    enum copying answer = COPIED_PLAINLY;
    int result = dwarf_child(type, &entry);
    for (; result == 0; result = dwarf_siblingof(&entry, &entry)) {
        if (!may_go_on(walk, depth))
            return COPIED_SOMEHOW;
        enum copying by = copying_by(walk, &entry, dwarf_diename(type), depth);
        if (by == COPIED_BY_FUNCTION)
            return by;
        answer = by == COPIED_PLAINLY ? answer : by;
    }
    return result < 0 ? COPIED_SOMEHOW : answer;
}

/* ---- All types. ---- */

/* A structure or union by value. */
static struct shape aggregate_shape(Dwarf_Die *type, enum passing_language language)
{
    enum { MOST_ENTRIES = 1 << 16 };
    struct walk walk = {
        .all.size = type_size(type), .language = language, .entries_left = MOST_ENTRIES};
    enum copying copying = language == PASSING_C ? COPIED_PLAINLY : copying_of(&walk, type, 0);
    if (copying == COPIED_BY_FUNCTION) /* then a pointer is passed */
        return scalar(INTEGER, 8, SDT_ARG_POINTER | 8);
    if (copying == COPIED_SOMEHOW || !walk.all.size)
        return unknown();
    if (walk.all.size > 16 && !dwarf_hasattr(type, DW_AT_declaration) &&
        !dwarf_hasattr(type, DW_AT_alignment)) {
        walk.all.part[0] = MEMORY;
        return walk.all;
    }
    return join_members(&walk, type, 0, 0) ? walk.all : unknown();
}

static struct shape shape_of(Dwarf_Die *type, enum passing_language language)
{
    return is_aggregate(type) ? aggregate_shape(type, language) : scalar_shape(type);
}

/* ---- Places. ---- */

static void set_place(struct passed *passed, char kind, unsigned i, int number)
{
    snprintf(passed->place, sizeof passed->place, "%c%u", kind, i);
    passed->number = number;
}

/* On the stack, after the return address. */
static enum passing take_stack(struct passing_state *state, const struct shape *shape,
                               struct passed *passed)
{
    if (!shape->type) {
        state->has_lost_stack = true;
        return PASSED_OTHERWISE;
    }
    if (state->has_lost_stack)
        return PASSED_OTHERWISE;
    set_place(passed, PASSED_STACK, state->words++, -1);
    return PASSED_VALUE;
}

static enum passing take(struct passing_state *state, const struct shape *shape,
                         struct passed *passed)
{
    unsigned integers = 0, vectors = 0;
    for (unsigned i = 0; i < EIGHTBYTES; i++) {
        integers += shape->part[i] == INTEGER;
        vectors += shape->part[i] == SSE;
    }
    if (shape->part[0] == MEMORY || state->integers + integers > INTEGERS ||
        state->vectors + vectors > VECTORS)
        return take_stack(state, shape, passed);
    if (shape->type && integers)
        set_place(passed, PASSED_GENERAL, state->integers, numbers[state->integers]);
    else if (shape->type)
        set_place(passed, PASSED_VECTOR, state->vectors, FIRST_VECTOR + (int)state->vectors);
    state->integers += integers;
    state->vectors += vectors;
    return shape->type ? PASSED_VALUE : PASSED_OTHERWISE;
}

static struct shape shape_at(const struct passing_state *state, Dwarf_Die *entry)
{
    Dwarf_Die type;
    return type_of(entry, &type) == TYPE_FOUND ? shape_of(&type, state->language) : unknown();
}

enum passing passing_next(struct passing_state *state, Dwarf_Die *entry, struct passed *passed)
{
    struct shape shape = shape_at(state, entry);
    passed->type = shape.type;
    return shape.part[0] == UNKNOWN ? PASSED_UNKNOWN : take(state, &shape, passed);
}

enum passing passing_result(struct passing_state *state, Dwarf_Die *entry, struct passed *passed)
{
    Dwarf_Die type;
    enum type_answer answer = type_of(entry, &type);
    if (answer != TYPE_FOUND)
        return answer == TYPE_VOID ? PASSED_OTHERWISE : PASSED_UNKNOWN;
    struct shape shape = shape_of(&type, state->language);
    passed->type = shape.type;
    if (shape.part[0] == UNKNOWN)
        return PASSED_UNKNOWN;
    /* A structure that is not in registers is where the caller says, by a first argument. */
    if (is_aggregate(&type)) {
        state->integers = shape.part[0] == MEMORY || shape.type;
        return PASSED_OTHERWISE;
    }
    if (!shape.type)
        return PASSED_OTHERWISE;
    if (shape.part[0] == INTEGER)
        set_place(passed, PASSED_RESULT, 0, 0);
    else
        set_place(passed, PASSED_VECTOR, 0, FIRST_VECTOR);
    return PASSED_VALUE;
}
