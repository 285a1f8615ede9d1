/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Markers: section .markers, an array of entries aligned to four bytes.
 *
 *     place    4 bytes: the distance of the marker from this word; or its address
 *     length   1 byte: that of the NOPs there; 0: <sdt/marker.h>, not yet processed
 *     name     NUL-terminated
 *
 * The distance is <sdt/marker.h>'s. The address is the form of the proposal of 2005 for i386, which
 * does not fit position-independent code. Both are read; what tells them apart in a linked file is
 * which of them leads to code.
 */
#include "base/diag.h"
#include "base/memory.h"
#include "elf_follow.h"
#include "site.h"

#include <inttypes.h>
#include <string.h>

enum { WORD = 4 };

static uint32_t code_at(const struct list_elf *elf, uint64_t address)
{
    uint32_t section = list_elf_section_at(elf, address);
    return elf->sections[section].header.sh_flags & SHF_EXECINSTR ? section : 0;
}

static uint64_t marker_address(const struct list_elf *elf, uint32_t section, uint64_t at)
{
    uint32_t word = (uint32_t)list_elf_number(elf, elf->sections[section].data + at, WORD);
    uint64_t near = elf->sections[section].header.sh_addr + at + (uint64_t)(int32_t)word;
    if (!elf->is_64)
        near = (uint32_t)near;
    if (code_at(elf, near) && code_at(elf, word)) /* the form that is usual for the class */
        return elf->is_64 ? near : word;
    return code_at(elf, word) ? word : near;
}

/* Returns where the next entry starts, or 0. */
static uint64_t read_marker(struct list_elf *elf, uint32_t index, uint64_t at, struct list *list)
{
    const struct list_section *section = &elf->sections[index];
    uint64_t name = at + WORD + 1;
    const uint8_t *end =
        name < section->size ? memchr(section->data + name, 0, section->size - name) : NULL;
    if (!end)
        return 0;
    unsigned length = section->data[at + WORD];
    if (length) { /* else it is a probe as others are, and its place is not known yet */
        struct list_site *site = list_add(list, elf->path);
        site->kind = "marker";
        site->provider = "marker";
        site->name = list_string(list, (const char *)section->data + name);
        site->module = list_string(list, basename(elf->path));
        site->marker_length = length;
        struct list_place place = {0};
        const Elf64_Rela *rela = list_elf_rela(elf, index, at);
        if (rela)
            list_elf_target(elf, rela, &place);
        else if (elf->type != ET_REL)
            place = list_at_address(elf, marker_address(elf, index, at), site);
        list_at_place(list, elf, place, site);
    }
    return ((uint64_t)(end - section->data) + 4) & ~UINT64_C(3);
}

int list_read_markers(struct list_elf *elf, struct list *list)
{
    for (uint32_t i = 1; i < elf->count; i++) {
        const struct list_section *section = &elf->sections[i];
        if (!section->data || strcmp(section->name, ".markers") != 0)
            continue;
        for (uint64_t at = 0; section->size - at >= WORD;) {
            uint64_t next = read_marker(elf, i, at, list);
            if (next == 0)
                return diag_error("%s: %s+0x%" PRIx64 ": the marker does not end in its section",
                                  elf->path, section->name, at);
            at = next < section->size ? next : section->size;
        }
    }
    return 0;
}
