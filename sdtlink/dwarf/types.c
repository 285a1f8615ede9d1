/* SPDX-License-Identifier: BSD-2-Clause */
/* See types.h. */
#include "types.h"

#include <string.h>

enum { LONGEST_CHAIN = 24 };

enum type_answer type_strip(Dwarf_Die *type)
{
    for (int i = 0; i < LONGEST_CHAIN; i++)
        switch (dwarf_tag(type)) {
        case DW_TAG_typedef:
        case DW_TAG_const_type:
        case DW_TAG_volatile_type:
        case DW_TAG_restrict_type:
        case DW_TAG_atomic_type: {
            Dwarf_Attribute next;
            if (!dwarf_attr(type, DW_AT_type, &next))
                return TYPE_VOID;
            if (!dwarf_formref_die(&next, type))
                return TYPE_DAMAGED;
            break;
        }
        case DW_TAG_invalid:
            return TYPE_DAMAGED;
        default:
            return TYPE_FOUND;
        }
    return TYPE_DAMAGED;
}

enum type_answer type_of(Dwarf_Die *entry, Dwarf_Die *type)
{
    Dwarf_Attribute attribute;
    if (!dwarf_attr_integrate(entry, DW_AT_type, &attribute))
        return TYPE_VOID;
    return dwarf_formref_die(&attribute, type) ? type_strip(type) : TYPE_DAMAGED;
}

bool type_number(Dwarf_Die *entry, unsigned name, uint64_t *number)
{
    Dwarf_Attribute attribute;
    Dwarf_Word word;
    if (!dwarf_attr_integrate(entry, name, &attribute) || dwarf_formudata(&attribute, &word) != 0)
        return false;
    *number = word;
    return true;
}

unsigned type_encoding(Dwarf_Die *type)
{
    uint64_t encoding = 0;
    type_number(type, DW_AT_encoding, &encoding);
    return (unsigned)encoding;
}

/* Not by dwarf_aggregate_size(), which never ends where damaged types refer to each other. */
uint64_t type_size(Dwarf_Die *type)
{
    Dwarf_Die of = *type;
    uint64_t size, all = 1;
    for (int i = 0; i < LONGEST_CHAIN; i++) {
        int tag = dwarf_tag(&of);
        if (tag == DW_TAG_pointer_type || tag == DW_TAG_reference_type ||
            tag == DW_TAG_rvalue_reference_type)
            size = sizeof(uint64_t);
        else if (!type_number(&of, DW_AT_byte_size, &size))
            size = 0;
        if (size)
            return all <= INT64_MAX / size ? all * size : 0;
        uint64_t count =
            tag == DW_TAG_array_type ? type_elements(&of, 0) : tag == DW_TAG_enumeration_type;
        if (!count || all > INT64_MAX / count || dwarf_hasattr(&of, DW_AT_byte_stride) ||
            type_of(&of, &of) != TYPE_FOUND)
            return 0;
        all *= count;
    }
    return 0;
}

/* Compilers use a signed form for an enumerator that is negative. */
static bool has_negative(Dwarf_Die *type)
{
    Dwarf_Die entry;
    Dwarf_Attribute value;
    Dwarf_Sword number;
    int result = dwarf_child(type, &entry);
    for (; result == 0; result = dwarf_siblingof(&entry, &entry))
        if (dwarf_attr(&entry, DW_AT_const_value, &value) &&
            (dwarf_whatform(&value) == DW_FORM_sdata ||
             dwarf_whatform(&value) == DW_FORM_implicit_const) &&
            dwarf_formsdata(&value, &number) == 0 && number < 0)
            return true;
    return false;
}

bool type_is_signed(Dwarf_Die *type)
{
    Dwarf_Die of;
    unsigned encoding = type_encoding(type);
    if (dwarf_tag(type) == DW_TAG_enumeration_type && !encoding) {
        if (type_of(type, &of) != TYPE_FOUND)
            return has_negative(type);
        encoding = type_encoding(&of);
    }
    return encoding == DW_ATE_signed || encoding == DW_ATE_signed_char;
}

bool type_is_char(Dwarf_Die *type)
{
    const char *name = dwarf_diename(type);
    return dwarf_tag(type) == DW_TAG_base_type && name && !strcmp(name, "char") &&
           type_size(type) == 1;
}

bool type_member_offset(Dwarf_Die *member, uint64_t *offset)
{
    Dwarf_Attribute attribute;
    Dwarf_Op *operation;
    size_t count;
    *offset = 0;
    if (!dwarf_attr(member, DW_AT_data_member_location, &attribute)) /* of a union, or bits */
        return true;
    if (type_number(member, DW_AT_data_member_location, offset))
        return true;
    bool is_plain = dwarf_getlocation(&attribute, &operation, &count) == 0 && count == 1 &&
                    operation->atom == DW_OP_plus_uconst;
    *offset = is_plain ? operation->number : 0;
    return is_plain;
}

uint64_t type_elements(Dwarf_Die *array, unsigned first)
{
    Dwarf_Die entry;
    uint64_t all = 1;
    int result = dwarf_child(array, &entry);
    for (; result == 0; result = dwarf_siblingof(&entry, &entry)) {
        uint64_t count = 0, last;
        if (dwarf_tag(&entry) != DW_TAG_subrange_type)
            return 0;
        if (first > 0) {
            first--;
            continue;
        }
        if (!type_number(&entry, DW_AT_count, &count) &&
            type_number(&entry, DW_AT_upper_bound, &last) && last < INT64_MAX)
            count = last + 1;
        if (!count || all > INT64_MAX / count)
            return 0;
        all *= count;
    }
    return result > 0 ? all : 0;
}

unsigned type_dimensions(Dwarf_Die *array)
{
    Dwarf_Die entry;
    unsigned count = 0;
    int result = dwarf_child(array, &entry);
    for (; result == 0; result = dwarf_siblingof(&entry, &entry))
        count += dwarf_tag(&entry) == DW_TAG_subrange_type;
    return count;
}
