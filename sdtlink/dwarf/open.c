/* SPDX-License-Identifier: BSD-2-Clause */
/* See dwarf.h: the file, its sections, and the headers of its units. */
#include "cursor.h"
#include "dwarf.h"

#include "base/memory.h"

#include <arch/machines.h>
#include <shared/build_id.h>

#include <stdlib.h>
#include <string.h>

/* Those with contents as they are: SHT_PROGBITS, not compressed. */
static struct dwarf_section section_of(const struct dwarf *dwarf, const Elf64_Shdr *header)
{
    const uint8_t *data = elf_view_data(&dwarf->file, header);
    bool is_plain = header->sh_type == SHT_PROGBITS && !(header->sh_flags & SHF_COMPRESSED);
    return data && is_plain ? (struct dwarf_section){data, header->sh_size}
                            : (struct dwarf_section){0};
}

static void read_build_id(struct dwarf *dwarf, const Elf64_Shdr *header)
{
    const uint8_t *notes = header->sh_type == SHT_NOTE ? elf_view_data(&dwarf->file, header) : NULL;
    if (notes)
        build_id_text(notes, header->sh_size, dwarf->build_id, sizeof dwarf->build_id);
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
    Elf64_Shdr header;
    for (uint64_t i = 0; i < dwarf->file.count && elf_view_section(&dwarf->file, i, &header); i++) {
        const char *name = elf_view_name(&dwarf->file, &header);
        for (size_t k = 0; name && k < sizeof wanted / sizeof wanted[0]; k++)
            if (!strcmp(name, wanted[k].name))
                *wanted[k].section = section_of(dwarf, &header);
        if (name && !strcmp(name, ".note.gnu.build-id"))
            read_build_id(dwarf, &header);
    }
}

/* Linked, since the sections of an object are not complete without their relocations. */
static bool is_linked(const Elf64_Ehdr *file)
{
    return tool_arch_of(file->e_machine) && (file->e_type == ET_EXEC || file->e_type == ET_DYN);
}

enum { UNIT_COMPILE = 1, UNIT_TYPE, UNIT_PARTIAL };

/* The header of a unit at C, which moves after the unit. False: the rest cannot be read. */
static bool take_unit(const struct dwarf *dwarf, struct cursor *c, struct dwarf_unit *unit)
{
    *unit = (struct dwarf_unit){.begin = (uint64_t)(c->at - dwarf->info.data), .offset_size = 4};
    uint64_t length = cursor_take(c, 4), sort = UNIT_COMPILE;
    if (length == UINT32_MAX) {
        unit->offset_size = 8;
        length = cursor_take(c, 8);
    }
    struct cursor u = *c;
    cursor_skip(c, length);
    if (c->is_damaged)
        return false;
    u.end = c->at;
    unit->version = (uint8_t)cursor_take(&u, 2);
    if (unit->version >= 5) {
        sort = cursor_take(&u, 1);
        unit->address_size = (uint8_t)cursor_take(&u, 1);
    }
    unit->abbreviations = cursor_take(&u, unit->offset_size);
    if (unit->version < 5)
        unit->address_size = (uint8_t)cursor_take(&u, 1);
    unit->strings = 2 * (uint64_t)unit->offset_size; /* of the first; a unit may say otherwise */
    unit->first = (uint64_t)(u.at - dwarf->info.data);
    unit->end = (uint64_t)(u.end - dwarf->info.data);
    unit->is_strange =
        u.is_damaged || unit->version < 2 || unit->version > 5 || sort != UNIT_COMPILE;
    return true;
}

void dwarf_open(struct dwarf *dwarf, const char *path)
{
    struct dwarf_unit unit;
    *dwarf = (struct dwarf){0};
    if (!elf_view_map(&dwarf->file, path) || !is_linked(&dwarf->file.header))
        return;
    find_sections(dwarf);
    if (!dwarf->info.size)
        return;
    struct cursor c = cursor_at(dwarf->info.data, dwarf->info.size, 0);
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
    elf_view_unmap(&dwarf->file);
    *dwarf = (struct dwarf){0};
}
