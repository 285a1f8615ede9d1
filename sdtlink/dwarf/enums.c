/* SPDX-License-Identifier: BSD-2-Clause */
/* See enums.h. */
#include "enums.h"

#include "base/memory.h"
#include "meanings.h"
#include "types.h"

#include <stdlib.h>
#include <string.h>

enum { LONGEST_CHAIN = 24 };

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

bool type_labels(Dwarf_Die *type, struct dwarf_label *labels, size_t *count)
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

static void consider(struct dwarf_wish *wish, Dwarf_Attribute attribute, enum meaning_rank rank)
{
    struct dwarf_label labels[DWARF_MAX_LABELS];
    Dwarf_Die type;
    size_t count;
    enum answer answer = find_type(attribute, &type);
    (void)rank; /* all that it could mean must agree */
    if (answer == NO_INTEGER)
        return;
    if (answer == OTHER || !type_labels(&type, labels, &count)) {
        wish->is_doubtful = true;
    } else if (wish->labels) {
        wish->is_doubtful |= !is_same(wish, labels, count);
    } else {
        wish->labels = memory_zeroed(count, sizeof *labels);
        memcpy(wish->labels, labels, count * sizeof *labels);
        wish->label_count = count;
    }
}

void dwarf_find_enums(struct dwarf *dwarf, struct dwarf_wish *wishes, size_t count)
{
    meanings_find(dwarf, wishes, count, consider);
    for (size_t i = 0; i < count; i++)
        if (wishes[i].is_doubtful) {
            free(wishes[i].labels);
            wishes[i].labels = NULL;
            wishes[i].label_count = 0;
        }
}
