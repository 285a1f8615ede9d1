/* SPDX-License-Identifier: BSD-2-Clause */
/* See dwarf.h: the file, its sections, and the headers of its units. */
#include "cursor.h"
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
    for (unsigned i = 0; i < file.e_shnum; i++) {
        uint64_t at = headers[file.e_shstrndx].sh_offset + headers[i].sh_name;
        const char *name = cursor_string_at((const uint8_t *)image, dwarf->size, at);
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
    if (dwarf->image)
        munmap(dwarf->image, dwarf->size);
    *dwarf = (struct dwarf){0};
}
