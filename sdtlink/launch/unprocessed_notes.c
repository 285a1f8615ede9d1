/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Only numbers are compared: which note belongs to which site is decided by the tool's reader,
 * which examines the object if there is something to find. The object has not been checked in any
 * way.
 */
#include "unprocessed_notes.h"

#include "base/elf_view.h"
#include "elf/object.h"
#include "rewrite/notes.h"

#include <sdt/format.h>
#include <shared/note.h>
#include <string.h>

static bool is_named(const char *name, const char *wanted)
{
    return name && strcmp(name, wanted) == 0;
}

/* Records of sites that have a note. */
static uint64_t count_records(const uint8_t *data, uint64_t size)
{
    uint64_t count = 0;
    struct sdt_site site;
    for (uint64_t at = 0; size - at >= sizeof site; at += sizeof site) {
        memcpy(&site, data + at, sizeof site);
        count += kind_is_of_note(site.kind) || (site.flags & SDT_SITE_NOTE);
    }
    return count;
}

/* One that is cut off counts as well. Where relocations say how long the notes are, there may be as
 * many as bytes. */
static uint64_t count_notes(const uint8_t *data, uint64_t size)
{
    struct note_walk walk = {data, size, 0};
    uint64_t count = 0;
    for (struct note note; note_next(&walk, &note);) {
        if (note.owner.length == 0)
            return size;
        count++;
    }
    return count + note_has_head(&walk);
}

bool unprocessed_notes(const uint8_t *image, size_t size)
{
    struct elf_view view;
    Elf64_Shdr header;
    uint64_t notes = 0, records = 0;
    if (!elf_view_open(&view, image, size))
        return false;
    for (uint64_t i = 1; i < view.count && elf_view_section(&view, i, &header); i++) {
        const uint8_t *data = elf_view_data(&view, &header);
        const char *name = elf_view_name(&view, &header);
        if (!data)
            continue;
        if (is_named(name, SDT_SECTION_SITES) || is_named(name, SDT_SECTION_BOUNDED))
            records += count_records(data, header.sh_size);
        else if (is_named(name, SECTION_STAPSDT) || is_named(name, NOTES_LATE_SECTION))
            notes += count_notes(data, header.sh_size);
    }
    return notes > records;
}
