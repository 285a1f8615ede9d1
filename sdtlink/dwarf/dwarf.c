/* SPDX-License-Identifier: BSD-2-Clause */
/* See dwarf.h. */
#include "dwarf.h"

#include "base/memory.h"

#include <arch/machines.h>
#include <build_id.h>

#include <elf.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* A file of a few bytes must not ask for much: of one unit; and of all, those of LLVM have 10^6. */
enum { MAX_CODES = 1 << 16, MAX_SHAPES = 1 << 24 };

/* Bytes that are still to be read. */
struct cursor {
    const uint8_t *at, *end;
    bool is_damaged;
};

/* What entries of one code have: pairs of attribute and form at TEXT, in .debug_abbrev. */
struct dwarf_shape {
    unsigned tag; /* 0: there is no such code */
    bool has_children;
    const uint8_t *text;
};

/* ---- Reading. ---- */

static uint64_t take(struct cursor *c, unsigned size)
{
    uint64_t number = 0;
    if ((size_t)(c->end - c->at) < size) {
        c->is_damaged = true;
        c->at = c->end;
        return 0;
    }
    memcpy(&number, c->at, size);
    c->at += size;
    return number;
}

static void skip(struct cursor *c, uint64_t size)
{
    c->is_damaged |= size > (uint64_t)(c->end - c->at);
    c->at = c->is_damaged ? c->end : c->at + size;
}

static uint64_t take_leb(struct cursor *c, bool is_signed)
{
    uint64_t number = 0;
    unsigned shift = 0;
    uint8_t byte = 0x80;
    while (byte & 0x80 && !c->is_damaged) {
        byte = (uint8_t)take(c, 1);
        if (shift < 64)
            number |= (uint64_t)(byte & 0x7f) << shift;
        shift += 7;
    }
    if (is_signed && byte & 0x40 && shift < 64)
        number |= UINT64_MAX << shift;
    return number;
}

static const char *take_string(struct cursor *c)
{
    const uint8_t *end = c->at < c->end ? memchr(c->at, 0, (size_t)(c->end - c->at)) : NULL;
    const char *string = (const char *)c->at;
    skip(c, end ? (uint64_t)(end + 1 - c->at) : UINT64_MAX);
    return end ? string : NULL;
}

static struct cursor cursor_at(const struct dwarf_section *section, uint64_t at)
{
    const uint8_t *end = section->data + section->size;
    return at < section->size ? (struct cursor){section->data + at, end, false}
                              : (struct cursor){end, end, true};
}

static const char *string_at(const struct dwarf_section *section, uint64_t at)
{
    struct cursor c = cursor_at(section, at);
    return c.is_damaged ? NULL : take_string(&c);
}

/* ---- The file. ---- */

/* Those with contents as they are: SHT_PROGBITS, not compressed. */
static struct dwarf_section section_of(const struct dwarf *dwarf, const Elf64_Shdr *header)
{
    const uint8_t *image = dwarf->image;
    if (header->sh_type != SHT_PROGBITS || header->sh_flags & SHF_COMPRESSED ||
        header->sh_offset > dwarf->size || header->sh_size > dwarf->size - header->sh_offset)
        return (struct dwarf_section){0};
    return (struct dwarf_section){image + header->sh_offset, header->sh_size};
}

static void read_build_id(struct dwarf *dwarf, const Elf64_Shdr *header)
{
    const uint8_t *image = dwarf->image;
    if (header->sh_type == SHT_NOTE && header->sh_offset <= dwarf->size &&
        header->sh_size <= dwarf->size - header->sh_offset)
        build_id_text(image + header->sh_offset, header->sh_size, dwarf->build_id,
                      sizeof dwarf->build_id);
}

static void find_sections(struct dwarf *dwarf)
{
    const struct {
        const char *name;
        struct dwarf_section *section;
    } wanted[] = {{".debug_info", &dwarf->info},
                  {".debug_abbrev", &dwarf->abbrev},
                  {".debug_str", &dwarf->str},
                  {".debug_line_str", &dwarf->line_str},
                  {".debug_str_offsets", &dwarf->str_offsets}};
    const char *image = dwarf->image;
    Elf64_Ehdr file;
    memcpy(&file, image, sizeof file);
    if (file.e_shoff > dwarf->size || file.e_shentsize != sizeof(Elf64_Shdr) ||
        file.e_shnum > (dwarf->size - file.e_shoff) / sizeof(Elf64_Shdr) ||
        file.e_shstrndx >= file.e_shnum)
        return;
    Elf64_Shdr *headers = memory_zeroed(file.e_shnum, sizeof *headers);
    memcpy(headers, image + file.e_shoff, file.e_shnum * sizeof *headers);
    struct dwarf_section names = {(const uint8_t *)image, dwarf->size};
    for (unsigned i = 0; i < file.e_shnum; i++) {
        uint64_t at = headers[file.e_shstrndx].sh_offset + headers[i].sh_name;
        const char *name = string_at(&names, at);
        for (size_t k = 0; name && k < sizeof wanted / sizeof wanted[0]; k++)
            if (!strcmp(name, wanted[k].name))
                *wanted[k].section = section_of(dwarf, &headers[i]);
        if (name && !strcmp(name, ".note.gnu.build-id"))
            read_build_id(dwarf, &headers[i]);
    }
    free(headers);
}

/* Linked, since the sections of an object are not complete without their relocations. */
static bool is_ours(const struct dwarf *dwarf)
{
    static const uint8_t magic[] = {0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB};
    Elf64_Ehdr file;
    if (dwarf->size < sizeof file)
        return false;
    memcpy(&file, dwarf->image, sizeof file);
    return !memcmp(file.e_ident, magic, sizeof magic) && tool_arch_of(file.e_machine) &&
           (file.e_type == ET_EXEC || file.e_type == ET_DYN);
}

enum { UNIT_COMPILE = 1, UNIT_TYPE, UNIT_PARTIAL };

/* The header of a unit at C, which moves after the unit. False: the rest cannot be read. */
static bool take_unit(const struct dwarf *dwarf, struct cursor *c, struct dwarf_unit *unit)
{
    *unit = (struct dwarf_unit){.begin = (uint64_t)(c->at - dwarf->info.data), .offset_size = 4};
    uint64_t length = take(c, 4), sort = UNIT_COMPILE;
    if (length == UINT32_MAX) {
        unit->offset_size = 8;
        length = take(c, 8);
    }
    struct cursor u = *c;
    skip(c, length);
    if (c->is_damaged)
        return false;
    u.end = c->at;
    unit->version = (uint8_t)take(&u, 2);
    if (unit->version >= 5) {
        sort = take(&u, 1);
        unit->address_size = (uint8_t)take(&u, 1);
    }
    unit->abbreviations = take(&u, unit->offset_size);
    if (unit->version < 5)
        unit->address_size = (uint8_t)take(&u, 1);
    unit->strings = 2 * (uint64_t)unit->offset_size; /* of the first; a unit may say otherwise */
    unit->first = (uint64_t)(u.at - dwarf->info.data);
    unit->end = (uint64_t)(u.end - dwarf->info.data);
    unit->is_strange =
        u.is_damaged || unit->version < 2 || unit->version > 5 || sort != UNIT_COMPILE;
    return true;
}

void dwarf_open(struct dwarf *dwarf, const char *path)
{
    struct stat status;
    struct dwarf_unit unit;
    *dwarf = (struct dwarf){0};
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd >= 0 && fstat(fd, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0) {
        dwarf->size = (size_t)status.st_size;
        dwarf->image = mmap(NULL, dwarf->size, PROT_READ, MAP_PRIVATE, fd, 0);
    }
    if (fd >= 0)
        close(fd);
    if (dwarf->image == MAP_FAILED)
        dwarf->image = NULL;
    if (!dwarf->image || !is_ours(dwarf))
        return;
    find_sections(dwarf);
    if (!dwarf->info.size)
        return;
    struct cursor c = cursor_at(&dwarf->info, 0);
    while (c.at < c.end && take_unit(dwarf, &c, &unit)) {
        if ((dwarf->unit_count & (dwarf->unit_count - 1)) == 0)
            dwarf->units = memory_resize(dwarf->units, 2 * dwarf->unit_count + 1, sizeof unit);
        dwarf->units[dwarf->unit_count++] = unit;
    }
}

void dwarf_close(struct dwarf *dwarf)
{
    for (size_t i = 0; i < dwarf->unit_count; i++)
        free(dwarf->units[i].shapes);
    free(dwarf->units);
    if (dwarf->image)
        munmap(dwarf->image, dwarf->size);
    *dwarf = (struct dwarf){0};
}

/* ---- Entries. ---- */

enum { FORM_IMPLICIT_CONST = 0x21, FORM_INDIRECT = 0x16 };
enum { ATTRIBUTE_STR_OFFSETS_BASE = 0x72 };

/* The table of UNIT's codes. */
static void make_shapes(struct dwarf *dwarf, struct dwarf_unit *unit)
{
    struct cursor c = cursor_at(&dwarf->abbrev, unit->abbreviations);
    uint64_t code;
    unit->shape_count = 1;
    unit->shapes = memory_zeroed(1, sizeof *unit->shapes);
    while ((code = take_leb(&c, false)) != 0 && !c.is_damaged && code < MAX_CODES &&
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
        shape->tag = (unsigned)take_leb(&c, false);
        shape->has_children = take(&c, 1) != 0;
        shape->text = c.at;
        for (uint64_t name = 1, form = 1; (name || form) && !c.is_damaged;) {
            name = take_leb(&c, false);
            form = take_leb(&c, false);
            if (form == FORM_IMPLICIT_CONST)
                take_leb(&c, true);
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
    struct cursor c = cursor_at(&dwarf->str_offsets, unit->strings + index * unit->offset_size);
    uint64_t at = take(&c, unit->offset_size);
    return c.is_damaged ? NULL : string_at(&dwarf->str, at);
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
    value->number = take(c, size);
    if (form >= 0x11 && form <= 0x14) /* from the unit's beginning */
        value->number += unit->begin;
    else if (form == 0x0e)
        value->string = string_at(&dwarf->str, value->number);
    else if (form == 0x1f)
        value->string = string_at(&dwarf->line_str, value->number);
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
        form = take_leb(c, false);
    unsigned size = fixed_size(unit, form);
    if (size) {
        take_number(c, dwarf, unit, form, size, value);
        return;
    }
    switch (form) {
    case 0x03: /* blocks */
        skip(c, take(c, 2));
        break;
    case 0x04:
        skip(c, take(c, 4));
        break;
    case 0x0a:
        skip(c, take(c, 1));
        break;
    case 0x09:
    case 0x18:
        skip(c, take_leb(c, false));
        break;
    case 0x1e:
        skip(c, 16);
        break;
    case 0x08:
        value->string = take_string(c);
        break;
    case 0x0d:
        value->number = take_leb(c, true);
        break;
    case 0x15:
        value->number = unit->begin + take_leb(c, false);
        break;
    case 0x0f: /* numbers, and indexes of addresses and lists */
    case 0x1b:
    case 0x22:
    case 0x23:
    case 0x1f01:
        value->number = take_leb(c, false);
        break;
    case 0x1a:
    case 0x1f02:
        value->string = indexed_string(dwarf, unit, take_leb(c, false));
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
    struct cursor c = cursor_at(&dwarf->info, *at);
    *entry = (struct dwarf_entry){.at = *at};
    if (unit->is_strange || *at >= unit->end)
        return false;
    c.end = dwarf->info.data + unit->end;
    if (!unit->shapes)
        make_shapes(dwarf, unit);
    uint64_t code = take_leb(&c, false);
    *at = (uint64_t)(c.at - dwarf->info.data);
    if (code == 0)
        return !c.is_damaged;
    if (code >= unit->shape_count || !unit->shapes[code].tag)
        return false;
    entry->tag = unit->shapes[code].tag;
    entry->has_children = unit->shapes[code].has_children;
    struct cursor shape = {unit->shapes[code].text, dwarf->abbrev.data + dwarf->abbrev.size, false};
    for (;;) {
        struct attribute value = {0};
        uint64_t name = take_leb(&shape, false), form = take_leb(&shape, false);
        if (!name && !form)
            break;
        if (form == FORM_IMPLICIT_CONST)
            value.number = take_leb(&shape, true);
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
    size_t low = 0, high = dwarf->unit_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (dwarf->units[middle].end <= reference)
            low = middle + 1;
        else
            high = middle;
    }
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
