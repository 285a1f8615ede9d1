/* SPDX-License-Identifier: BSD-2-Clause */
/* See dwarf.h: the entries, and the values of their attributes. open.c has the rest. */
#include "dwarf.h"

#include "base/memory.h"
#include "cursor.h"

#include <shared/lower_bound.h>
#include <stdlib.h>
#include <string.h>

/* A small file must not ask for much memory: limits for a unit, and for all; LLVM's have 10^6. */
enum { MAX_CODES = 1 << 16, MAX_SHAPES = 1 << 24 };

/* What entries of one code have: pairs of attribute and form at TEXT, in .debug_abbrev. */
struct dwarf_shape {
    unsigned tag; /* 0: there is no such code */
    bool has_children;
    const uint8_t *text;
};

enum { FORM_IMPLICIT_CONST = 0x21, FORM_INDIRECT = 0x16 };
enum { ATTRIBUTE_STR_OFFSETS_BASE = 0x72 };

/* The table of UNIT's codes. */
static void make_shapes(struct dwarf *dwarf, struct dwarf_unit *unit)
{
    struct cursor c = cursor_at(dwarf->abbrev.data, dwarf->abbrev.size, unit->abbreviations);
    uint64_t code;
    unit->shape_count = 1;
    unit->shapes = memory_zeroed(1, sizeof *unit->shapes);
    while ((code = cursor_leb(&c, false)) != 0 && !c.is_damaged && code < MAX_CODES &&
           dwarf->shapes < MAX_SHAPES) {
        if (code >= unit->shape_count) {
            size_t count = 2 * (size_t)code;
            unit->shapes = memory_resize(unit->shapes, count, sizeof *unit->shapes);
            memset(unit->shapes + unit->shape_count, 0,
                   (count - unit->shape_count) * sizeof *unit->shapes);
            dwarf->shapes += count - unit->shape_count;
            unit->shape_count = count;
        }
        struct dwarf_shape *shape = &unit->shapes[code];
        shape->tag = (unsigned)cursor_leb(&c, false);
        shape->has_children = cursor_take(&c, 1) != 0;
        shape->text = c.at;
        for (uint64_t name = 1, form = 1; (name || form) && !c.is_damaged;) {
            name = cursor_leb(&c, false);
            form = cursor_leb(&c, false);
            if (form == FORM_IMPLICIT_CONST)
                cursor_leb(&c, true);
        }
        if (c.is_damaged)
            shape->tag = 0;
    }
}

struct attribute {
    const char *string;
    uint64_t number;
    bool is_elsewhere; /* a reference out of this section */
};

static const char *indexed_string(const struct dwarf *dwarf, const struct dwarf_unit *unit,
                                  uint64_t index)
{
    if (index >= dwarf->str_offsets.size)
        return NULL;
    struct cursor c = cursor_at(dwarf->str_offsets.data, dwarf->str_offsets.size,
                                unit->strings + index * unit->offset_size);
    uint64_t at = cursor_take(&c, unit->offset_size);
    return c.is_damaged ? NULL : cursor_string_at(dwarf->str.data, dwarf->str.size, at);
}

/* Forms that are one number of so many bytes; 0: it is none of these. */
static unsigned fixed_size(const struct dwarf_unit *unit, uint64_t form)
{
    static const uint8_t sizes[] = {
        [0x05] = 2, [0x06] = 4, [0x07] = 8, [0x0b] = 1, [0x0c] = 1, [0x11] = 1, [0x12] = 2,
        [0x13] = 4, [0x14] = 8, [0x1c] = 4, [0x20] = 8, [0x24] = 8, [0x25] = 1, [0x26] = 2,
        [0x27] = 3, [0x28] = 4, [0x29] = 1, [0x2a] = 2, [0x2b] = 3, [0x2c] = 4};
    if (form == 0x01) /* address */
        return unit->address_size;
    if (form == 0x10) /* reference to another unit */
        return unit->version == 2 ? unit->address_size : unit->offset_size;
    if (form == 0x0e || form == 0x17 || form == 0x1d || form == 0x1f || form == 0x1f20 ||
        form == 0x1f21)
        return unit->offset_size;
    return form < sizeof sizes ? sizes[form] : 0;
}

static void take_number(struct cursor *c, const struct dwarf *dwarf, const struct dwarf_unit *unit,
                        uint64_t form, unsigned size, struct attribute *value)
{
    value->number = cursor_take(c, size);
    if (form >= 0x11 && form <= 0x14) /* from the unit's beginning */
        value->number += unit->begin;
    else if (form == 0x0e)
        value->string = cursor_string_at(dwarf->str.data, dwarf->str.size, value->number);
    else if (form == 0x1f)
        value->string = cursor_string_at(dwarf->line_str.data, dwarf->line_str.size, value->number);
    else if (form >= 0x25 && form <= 0x28)
        value->string = indexed_string(dwarf, unit, value->number);
    else if (form == 0x1c || form == 0x20 || form == 0x24 || form == 0x1f20)
        value->is_elsewhere = true;
}

/* A value of FORM. */
static void take_attribute(struct cursor *c, const struct dwarf *dwarf,
                           const struct dwarf_unit *unit, uint64_t form, struct attribute *value)
{
    if (form == FORM_INDIRECT)
        form = cursor_leb(c, false);
    unsigned size = fixed_size(unit, form);
    if (size) {
        take_number(c, dwarf, unit, form, size, value);
        return;
    }
    switch (form) {
    case 0x03: /* blocks */
        cursor_skip(c, cursor_take(c, 2));
        break;
    case 0x04:
        cursor_skip(c, cursor_take(c, 4));
        break;
    case 0x0a:
        cursor_skip(c, cursor_take(c, 1));
        break;
    case 0x09:
    case 0x18:
        cursor_skip(c, cursor_leb(c, false));
        break;
    case 0x1e:
        cursor_skip(c, 16);
        break;
    case 0x08:
        value->string = cursor_string(c);
        break;
    case 0x0d:
        value->number = cursor_leb(c, true);
        break;
    case 0x15:
        value->number = unit->begin + cursor_leb(c, false);
        break;
    case 0x0f: /* numbers, and indexes of addresses and lists */
    case 0x1b:
    case 0x22:
    case 0x23:
    case 0x1f01:
        value->number = cursor_leb(c, false);
        break;
    case 0x1a:
    case 0x1f02:
        value->string = indexed_string(dwarf, unit, cursor_leb(c, false));
        break;
    case 0x19:
        value->number = 1;
        break;
    default:
        c->is_damaged = true;
    }
}

static void keep_attribute(struct dwarf_entry *entry, uint64_t name, const struct attribute *value)
{
    uint64_t reference = value->is_elsewhere ? UINT64_MAX : value->number;
    switch (name) {
    case 0x03:
        entry->name = value->string;
        break;
    case 0x6e:
    case 0x2007:
        entry->linkage_name = value->string;
        break;
    case 0x0b:
        entry->size = value->number;
        break;
    case 0x0d:
        entry->is_bit_field = true;
        break;
    case 0x1c:
        entry->value = (int64_t)value->number;
        break;
    case 0x31:
    case 0x47:
        entry->origin = reference;
        break;
    case 0x3c:
        entry->is_declaration = value->number != 0;
        break;
    case 0x3e:
        entry->encoding = value->number;
        break;
    case 0x49:
        entry->type = reference;
        break;
    default:
        break;
    }
}

bool dwarf_next(struct dwarf *dwarf, struct dwarf_unit *unit, uint64_t *at,
                struct dwarf_entry *entry)
{
    struct cursor c = cursor_at(dwarf->info.data, dwarf->info.size, *at);
    *entry = (struct dwarf_entry){.at = *at};
    if (unit->is_strange || *at >= unit->end)
        return false;
    c.end = dwarf->info.data + unit->end;
    if (!unit->shapes)
        make_shapes(dwarf, unit);
    uint64_t code = cursor_leb(&c, false);
    *at = (uint64_t)(c.at - dwarf->info.data);
    if (code == 0)
        return !c.is_damaged;
    if (code >= unit->shape_count || !unit->shapes[code].tag)
        return false;
    entry->tag = unit->shapes[code].tag;
    entry->has_children = unit->shapes[code].has_children;
    struct cursor shape = {.at = unit->shapes[code].text,
                           .end = dwarf->abbrev.data + dwarf->abbrev.size};
    for (;;) {
        struct attribute value = {0};
        uint64_t name = cursor_leb(&shape, false), form = cursor_leb(&shape, false);
        if (!name && !form)
            break;
        if (form == FORM_IMPLICIT_CONST)
            value.number = cursor_leb(&shape, true);
        else
            take_attribute(&c, dwarf, unit, form, &value);
        if (c.is_damaged || shape.is_damaged)
            return false;
        if (name == ATTRIBUTE_STR_OFFSETS_BASE)
            unit->strings = value.number;
        keep_attribute(entry, name, &value);
    }
    *at = (uint64_t)(c.at - dwarf->info.data);
    return true;
}

void dwarf_leave(struct dwarf_unit *unit)
{
    free(unit->shapes);
    unit->shapes = NULL;
    unit->shape_count = 0;
}

bool dwarf_entry_at(struct dwarf *dwarf, uint64_t reference, struct dwarf_unit **unit,
                    struct dwarf_entry *entry)
{
    size_t low = LOWER_BOUND(i, dwarf->unit_count, dwarf->units[i].end <= reference);
    if (low == dwarf->unit_count || reference < dwarf->units[low].first)
        return false;
    *unit = &dwarf->units[low];
    if (!(*unit)->shapes) { /* its first entry says where its strings are */
        uint64_t first = (*unit)->first;
        if (!dwarf_next(dwarf, *unit, &first, entry))
            return false;
    }
    return dwarf_next(dwarf, *unit, &reference, entry) && entry->tag;
}
