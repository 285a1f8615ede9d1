/* SPDX-License-Identifier: BSD-2-Clause */
/* See signatures.h. */
#include "signatures.h"

#include "passing.h"

#include <string.h>

enum { MAX_DEPTH = 64 };
/* Languages that <dwarf.h> of elfutils 0.188 does not know. */
enum { LANGUAGE_CPLUSPLUS_17 = 0x2a, LANGUAGE_CPLUSPLUS_20 = 0x2b, LANGUAGE_C17 = 0x2c };

struct reading {
    void (*take)(const struct dwarf_signature *signature, void *data);
    void *data;
    Dwarf_Die unit;
    Dwarf_Off last; /* entry that was read: one that is not after it is damaged */
    enum passing_language language;
    bool is_clang;
};

static bool has_flag(Dwarf_Die *entry, unsigned name)
{
    Dwarf_Attribute attribute;
    bool is_set = false;
    return dwarf_attr_integrate(entry, name, &attribute) &&
           dwarf_formflag(&attribute, &is_set) == 0 && is_set;
}

static const char *text_of(Dwarf_Die *entry, unsigned name)
{
    Dwarf_Attribute attribute;
    return dwarf_formstring(dwarf_attr_integrate(entry, name, &attribute));
}

/* ---- Where the compiler says that a parameter is. ---- */

/* The first instruction of FUNCTION; false: it has none here. Of one in several parts, it is in the
 * first that is named. */
static bool entry_of(Dwarf_Die *function, Dwarf_Addr *first)
{
    Dwarf_Addr base, end;
    return dwarf_entrypc(function, first) == 0 || dwarf_ranges(function, 0, &base, first, &end) > 0;
}

enum place { PLACE_UNKNOWN, PLACE_SAME, PLACE_OTHER };

static int register_of(const Dwarf_Op *operation)
{
    return operation->atom >= DW_OP_reg0 && operation->atom <= DW_OP_reg31
               ? operation->atom - DW_OP_reg0
           : operation->atom == DW_OP_regx ? (int)operation->number
                                           : -1;
}

/* Whether PARAMETER is in register NUMBER at FIRST. What is only in memory, as without optimisation
 * from the prologue on, says nothing. */
static enum place place_at(Dwarf_Die *parameter, Dwarf_Addr first, int number)
{
    Dwarf_Attribute attribute;
    Dwarf_Op *operations;
    size_t count;
    if (!dwarf_attr(parameter, DW_AT_location, &attribute) ||
        dwarf_getlocation_addr(&attribute, first, &operations, &count, 1) != 1 || !count)
        return PLACE_UNKNOWN;
    if (register_of(&operations[0]) < 0)
        return operations[0].atom == DW_OP_fbreg || operations[0].atom == DW_OP_call_frame_cfa
                   ? PLACE_SAME
                   : PLACE_UNKNOWN;
    return count == 1 && register_of(&operations[0]) == number ? PLACE_SAME : PLACE_OTHER;
}

/* Whether the compiler may have changed how ENTRY is called, without another name for it. */
static bool may_differ(const struct reading *reading, Dwarf_Die *entry)
{
    return reading->is_clang && !has_flag(entry, DW_AT_external);
}

/* ---- Functions. ---- */

/* False: nothing is known of this function's parameters. */
static bool read_parameter(const struct reading *reading, Dwarf_Die *function, Dwarf_Die *entry,
                           struct passing_state *state, struct dwarf_signature *signature,
                           bool *is_over)
{
    struct passed passed;
    Dwarf_Addr first;
    enum passing passing = passing_next(state, entry, &passed);
    const char *name = text_of(entry, DW_AT_name);
    *is_over = passing == PASSED_UNKNOWN;
    if (passing != PASSED_VALUE)
        return passing == PASSED_OTHERWISE || !may_differ(reading, function);
    if (!entry_of(function, &first))
        return false;
    enum place place = passed.number >= 0              ? place_at(entry, first, passed.number)
                       : may_differ(reading, function) ? PLACE_UNKNOWN
                                                       : PLACE_SAME;
    if (place == PLACE_OTHER || (place == PLACE_UNKNOWN && may_differ(reading, function)))
        return false;
    /* A constructor's own: whether it is there differs from one copy of it to the next. */
    *is_over = has_flag(entry, DW_AT_artificial) && name && strcmp(name, "this") != 0;
    if (*is_over || signature->count == DWARF_MAX_ARGUMENTS)
        return true;
    struct dwarf_argument *argument = &signature->arguments[signature->count++];
    *argument = (struct dwarf_argument){.name = name, .type = passed.type};
    memcpy(argument->place, passed.place, sizeof argument->place);
    return true;
}

static bool read_parameters(const struct reading *reading, Dwarf_Die *function,
                            struct passing_state *state, struct dwarf_signature *signature)
{
    Dwarf_Die entry;
    bool is_over = false;
    int result = dwarf_child(function, &entry);
    for (; result == 0 && !is_over; result = dwarf_siblingof(&entry, &entry))
        if (dwarf_tag(&entry) == DW_TAG_formal_parameter &&
            !read_parameter(reading, function, &entry, state, signature, &is_over))
            return false;
    return result >= 0;
}

/* An old declaration `f()` in C: what is passed is as in a call without a prototype. */
static bool has_prototype(const struct reading *reading, Dwarf_Die *entry)
{
    return reading->language != PASSING_C || has_flag(entry, DW_AT_prototyped);
}

static bool is_called_normally(Dwarf_Die *entry)
{
    Dwarf_Attribute attribute;
    Dwarf_Word how = DW_CC_normal;
    return !dwarf_attr_integrate(entry, DW_AT_calling_convention, &attribute) ||
           (dwarf_formudata(&attribute, &how) == 0 && how == DW_CC_normal);
}

static void read_function(const struct reading *reading, Dwarf_Die *entry)
{
    struct dwarf_signature signature = {.symbol = text_of(entry, DW_AT_linkage_name)};
    struct passing_state state = {.language = reading->language};
    struct passed result;
    Dwarf_Addr first;
    if (!signature.symbol)
        signature.symbol = text_of(entry, DW_AT_name);
    if (!signature.symbol || !entry_of(entry, &first))
        return; /* of others, or only inlined */
    enum passing passing = passing_result(&state, entry, &result);
    if (passing != PASSED_UNKNOWN && is_called_normally(entry)) {
        bool is_sure =
            !has_prototype(reading, entry) || read_parameters(reading, entry, &state, &signature);
        if (!is_sure)
            signature.count = 0;
        signature.has_result = passing == PASSED_VALUE && is_sure && !may_differ(reading, entry);
        signature.result = (struct dwarf_argument){.name = "result", .type = result.type};
        if (signature.has_result)
            memcpy(signature.result.place, result.place, sizeof result.place);
    }
    reading->take(&signature, reading->data);
}

static void read_entries(struct reading *reading, Dwarf_Die *parent, unsigned depth)
{
    Dwarf_Die entry;
    int result = depth < MAX_DEPTH ? dwarf_child(parent, &entry) : 1;
    for (; result == 0 && dwarf_dieoffset(&entry) > reading->last;
         result = dwarf_siblingof(&entry, &entry)) {
        reading->last = dwarf_dieoffset(&entry);
        switch (dwarf_tag(&entry)) {
        case DW_TAG_subprogram:
            read_function(reading, &entry);
            read_entries(reading, &entry, depth + 1);
            break;
        case DW_TAG_namespace:
        case DW_TAG_structure_type:
        case DW_TAG_class_type:
        case DW_TAG_union_type:
        case DW_TAG_lexical_block:
            read_entries(reading, &entry, depth + 1);
            break;
        default:;
        }
    }
}

/* False: of the unit's language nothing is known. */
static bool find_language(struct reading *reading, unsigned version)
{
    switch (dwarf_srclang(&reading->unit)) {
    case DW_LANG_C89:
    case DW_LANG_C:
    case DW_LANG_C99:
    case DW_LANG_C11:
    case LANGUAGE_C17:
        reading->language = PASSING_C;
        return true;
    case DW_LANG_C_plus_plus:
    case DW_LANG_C_plus_plus_03:
    case DW_LANG_C_plus_plus_11:
    case DW_LANG_C_plus_plus_14:
    case LANGUAGE_CPLUSPLUS_17:
    case LANGUAGE_CPLUSPLUS_20:
        reading->language = version >= 5 ? PASSING_CPLUSPLUS_5 : PASSING_CPLUSPLUS_4;
        return true;
    default:
        return false;
    }
}

void dwarf_read_signatures(const struct dwarf *dwarf,
                           void (*take)(const struct dwarf_signature *signature, void *data),
                           void *data)
{
    struct reading reading = {.take = take, .data = data};
    Dwarf_CU *unit = NULL;
    Dwarf_Half version;
    uint8_t kind;
    while (dwarf->information && dwarf_get_units(dwarf->information, unit, &unit, &version, &kind,
                                                 &reading.unit, NULL) == 0) {
        const char *producer = text_of(&reading.unit, DW_AT_producer);
        reading.last = dwarf_dieoffset(&reading.unit);
        reading.is_clang = producer && strstr(producer, "clang");
        if (kind == DW_UT_compile && find_language(&reading, version))
            read_entries(&reading, &reading.unit, 0);
    }
}
