/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The probes of <sys/sdt.h>: .note.stapsdt, whoever emitted it.
 *
 * A note's description is three 64-bit words (the probe's address, the address that .stapsdt.base
 * had when the note was written, the semaphore) and three strings (provider, name, arguments). The
 * words are link-time addresses; prelink and the like move sections without adjusting notes, so
 * the difference between the recorded base and the section's address is added, as gdb does. In an
 * object the words are relocations.
 */
#include "diag.h"
#include "list_elf.h"
#include "list_site.h"
#include "memory.h"

#include <inttypes.h>
#include <string.h>

enum { STAPSDT_TYPE = 3, WORDS = 24 };

/* The end of the string at TEXT that must lie below END, or NULL. */
static const char *string_end(const char *text, const char *end)
{
    return text < end ? memchr(text, 0, (size_t)(end - text)) : NULL;
}

static uint64_t base_shift(const struct list_elf *elf, uint64_t recorded)
{
    if (!elf->stapsdt_base || recorded == 0)
        return 0;
    return elf->sections[elf->stapsdt_base].header.sh_addr - recorded;
}

/* OFFSET is that of the description in its section. */
static void locate(struct list_elf *elf, uint32_t section, uint64_t offset, struct list_site *site)
{
    struct list_place place = {0};
    const Elf64_Rela *rela = list_elf_rela(elf, section, offset);
    if (rela) {
        list_elf_target(elf, rela, &place);
    } else {
        uint64_t words[2];
        memcpy(words, elf->sections[section].data + offset, sizeof words);
        site->has_address = elf->type != ET_REL;
        site->address = words[0] + base_shift(elf, words[1]);
        place.section = list_elf_section_at(elf, site->address);
        place.offset = site->address - elf->sections[place.section].header.sh_addr;
    }
    if (place.section == 0)
        return;
    const char *function = list_elf_function(elf, place);
    site->offset = place.offset;
    site->section = list_text(elf->sections[place.section].name);
    site->function = function ? list_text(function) : NULL;
}

/* -1: the three strings do not end inside the description. */
static int read_description(struct list_elf *elf, uint32_t section, uint64_t offset, uint32_t size,
                            struct list *list)
{
    const char *start = (const char *)elf->sections[section].data + offset, *end = start + size;
    const char *provider = start + WORDS;
    const char *provider_end = size > WORDS ? string_end(provider, end) : NULL;
    const char *name_end = provider_end ? string_end(provider_end + 1, end) : NULL;
    if (!name_end || !string_end(name_end + 1, end))
        return -1;
    struct list_site *site = list_add(list, elf->path);
    site->kind = "stapsdt";
    site->provider = list_text(provider);
    site->name = list_text(provider_end + 1);
    site->args = list_text(name_end + 1);
    site->module = list_text(list_basename(elf->path));
    locate(elf, section, offset, site);
    return 0;
}

/* The notes of one section, each padded to four bytes. */
static int read_notes(struct list_elf *elf, uint32_t index, struct list *list)
{
    const struct list_section *section = &elf->sections[index];
    uint64_t at = 0;
    Elf64_Nhdr note;
    while (section->size - at >= sizeof note) {
        memcpy(&note, section->data + at, sizeof note);
        uint64_t name = at + sizeof note;
        uint64_t description = name + (((uint64_t)note.n_namesz + 3) & ~UINT64_C(3));
        uint64_t next = description + (((uint64_t)note.n_descsz + 3) & ~UINT64_C(3));
        if (description > section->size || note.n_descsz > section->size - description)
            return diag_error("%s: %s+0x%" PRIx64 ": the note does not end in its section",
                              elf->path, section->name, at);
        bool is_ours = note.n_type == STAPSDT_TYPE && note.n_namesz == sizeof "stapsdt" &&
                       memcmp(section->data + name, "stapsdt", sizeof "stapsdt") == 0;
        if (is_ours && read_description(elf, index, description, note.n_descsz, list) != 0)
            return diag_error("%s: %s+0x%" PRIx64 ": the note's strings do not end in it",
                              elf->path, section->name, at);
        at = next < section->size ? next : section->size;
    }
    return 0;
}

int list_read_notes(struct list_elf *elf, struct list *list)
{
    for (uint32_t i = 1; i < elf->count; i++) {
        const struct list_section *section = &elf->sections[i];
        bool is_note = section->header.sh_type == SHT_NOTE && section->data &&
                       strcmp(section->name, ".note.stapsdt") == 0;
        if (is_note && read_notes(elf, i, list) != 0)
            return -1;
    }
    return 0;
}
