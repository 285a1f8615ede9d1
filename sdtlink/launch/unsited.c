/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Only numbers are compared: whose note is whose is the tool's reader's business, which looks at
 * the object once there is something to be found. Nothing about the object has been checked.
 */
#include "unsited.h"

#include "notes.h"
#include "object.h"

#include <elf.h>
#include <sdt/format.h>
#include <string.h>

struct view {
    const uint8_t *image;
    size_t size;
    uint64_t sections, count;
    Elf64_Shdr names;
};

static bool is_inside(const struct view *view, uint64_t offset, uint64_t size)
{
    return offset <= view->size && size <= view->size - offset;
}

static bool read_header(const struct view *view, uint64_t index, Elf64_Shdr *header)
{
    if (index >= view->count)
        return false;
    memcpy(header, view->image + view->sections + index * sizeof *header, sizeof *header);
    return true;
}

static bool open_view(struct view *view, const uint8_t *image, size_t size)
{
    Elf64_Ehdr elf;
    Elf64_Shdr zero;
    *view = (struct view){.image = image, .size = size};
    if (size < sizeof elf)
        return false;
    memcpy(&elf, image, sizeof elf);
    view->sections = elf.e_shoff;
    view->count = elf.e_shoff < size ? (size - elf.e_shoff) / sizeof zero : 0;
    if (!read_header(view, 0, &zero))
        return false;
    uint64_t names = elf.e_shstrndx == SHN_XINDEX ? zero.sh_link : elf.e_shstrndx;
    uint64_t count = elf.e_shnum ? elf.e_shnum : zero.sh_size;
    view->count = count < view->count ? count : view->count;
    return read_header(view, names, &view->names) &&
           is_inside(view, view->names.sh_offset, view->names.sh_size);
}

static bool is_named(const struct view *view, const Elf64_Shdr *header, const char *name)
{
    size_t length = strlen(name) + 1;
    uint64_t at = header->sh_name, size = view->names.sh_size;
    return at <= size && length <= size - at &&
           !memcmp(view->image + view->names.sh_offset + at, name, length);
}

/* Records of sites that have a note. */
static uint64_t count_records(const uint8_t *data, uint64_t size)
{
    uint64_t count = 0;
    struct sdt_site site;
    for (uint64_t at = 0; size - at >= sizeof site; at += sizeof site) {
        memcpy(&site, data + at, sizeof site);
        count += site.kind == SDT_KIND_NOP1 || (site.flags & SDT_SITE_NOTE);
    }
    return count;
}

static uint64_t align4(uint64_t size)
{
    return (size + 3) & ~UINT64_C(3);
}

static uint64_t count_notes(const uint8_t *data, uint64_t size)
{
    uint64_t count = 0;
    Elf64_Nhdr note;
    for (uint64_t at = 0; at <= size && size - at >= sizeof note; count++) {
        memcpy(&note, data + at, sizeof note);
        at += sizeof note + align4(note.n_namesz) + align4(note.n_descsz);
    }
    return count;
}

bool unsited_notes(const uint8_t *image, size_t size)
{
    struct view view;
    Elf64_Shdr header;
    uint64_t notes = 0, records = 0;
    if (!open_view(&view, image, size))
        return false;
    for (uint64_t i = 1; read_header(&view, i, &header); i++) {
        if (header.sh_type == SHT_NOBITS || !is_inside(&view, header.sh_offset, header.sh_size))
            continue;
        const uint8_t *data = image + header.sh_offset;
        if (is_named(&view, &header, SDT_SECTION_SITES) ||
            is_named(&view, &header, SDT_SECTION_BOUNDED))
            records += count_records(data, header.sh_size);
        else if (is_named(&view, &header, SECTION_STAPSDT) ||
                 is_named(&view, &header, NOTES_LATE_SECTION))
            notes += count_notes(data, header.sh_size);
    }
    return notes > records;
}
