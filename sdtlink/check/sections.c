/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What affects all probes of a file: the section of the notes, its position among the section
 * headers, .stapsdt.base, the build-id.
 *
 * Consumers look for the notes in different ways: gdb by the section's type, the others by its name
 * as well; bcc reads the headers once and expects code, .probes and notes in this order; perf
 * computes file offsets from the distance that .stapsdt.base has moved. A file that one of them can
 * read may be empty for another.
 */
#include "check.h"

#include "base/memory.h"

#include <inttypes.h>
#include <string.h>

static bool has_name(const struct check *check, uint32_t section, const char *name)
{
    return strcmp(check->elf->sections[section].name, name) == 0;
}

static void check_note_section(struct check *check, uint32_t index, bool is_first)
{
    const struct list_section *section = &check->elf->sections[index];
    const char *name = section->name;
    if (section->header.sh_flags & SHF_ALLOC)
        finding_add(check, "note-section-loaded", SCOPE_FILE, NULL, memory_format("%.200s", name));
    if (section->header.sh_type != SHT_NOTE)
        finding_add(check, "note-section-type", SCOPE_FILE, NULL,
                    memory_format("%.200s is of type 0x%" PRIx32, name, section->header.sh_type));
    if (!has_name(check, index, STAPSDT_SECTION))
        finding_add(check, "note-section-name", SCOPE_FILE, NULL, memory_format("%.200s", name));
    else if (!is_first && !check->is_object)
        finding_add(check, "note-section-many", SCOPE_FILE, NULL,
                    memory_format("section %" PRIu32 " is another one", index));
}

/* bcc reads the headers once: code, then .probes, then, from there on, the notes. */
static void check_order(struct check *check, uint32_t notes)
{
    const struct list_elf *elf = check->elf;
    uint32_t code = 1;
    while (code < elf->count && !(elf->sections[code].header.sh_flags & SHF_EXECINSTR))
        code++;
    if (check->probes == 0 || (check->probes > code && notes > check->probes))
        return;
    finding_add(check, "note-section-order", SCOPE_FILE, NULL,
                memory_format("%.100s is section %" PRIu32 ", .probes %" PRIu32 ", %s %" PRIu32,
                              code < elf->count ? elf->sections[code].name : "no code", code,
                              check->probes, STAPSDT_SECTION, notes));
}

static bool is_build_id(const struct check *check, const struct list_section *section)
{
    const struct list_elf *elf = check->elf;
    for (uint64_t at = 0; section->size - at >= 16;) {
        uint64_t name = list_elf_number(elf, section->data + at, 4);
        uint64_t size = list_elf_number(elf, section->data + at + 4, 4);
        if (name == 4 && list_elf_number(elf, section->data + at + 8, 4) == NT_GNU_BUILD_ID &&
            memcmp(section->data + at + 12, "GNU", 4) == 0)
            return size > 0;
        uint64_t next = at + 12 + ((name + 3) & ~UINT64_C(3)) + ((size + 3) & ~UINT64_C(3));
        at = next < section->size ? next : section->size;
    }
    return false;
}

static void check_build_id(struct check *check)
{
    for (uint32_t i = 1; i < check->elf->count; i++) {
        const struct list_section *section = &check->elf->sections[i];
        if (section->header.sh_type == SHT_NOTE && section->data && is_build_id(check, section))
            return;
    }
    finding_add(check, "build-id-missing", SCOPE_FILE, NULL, NULL);
}

/* Where perf looks: the address, moved by what the section .stapsdt.base is away from its own. */
static uint64_t perf_offset(const struct list_elf *elf, const struct list_note *note)
{
    const Elf64_Shdr *base = &elf->sections[elf->stapsdt_base].header;
    if (!elf->stapsdt_base || !base->sh_offset)
        return note->recorded[NOTE_PC];
    return note->recorded[NOTE_PC] + base->sh_offset - note->recorded[NOTE_BASE];
}

static void check_perf_offset(struct check *check)
{
    const struct list_note *first = NULL;
    uint64_t right = 0, first_right = 0;
    size_t count = 0;
    for (size_t i = 0; i < check->notes.count; i++) {
        const struct list_note *note = &check->notes.items[i];
        const Elf64_Phdr *segment = list_elf_segment(check->elf, note->pc);
        if (note->state != NOTE_PROBE || !segment || !(segment->p_flags & PF_X))
            continue;
        right = note->pc - segment->p_vaddr + segment->p_offset;
        bool is_base_zero = check->elf->stapsdt_base && note->recorded[NOTE_BASE] == 0;
        if (right == perf_offset(check->elf, note) || is_base_zero) /* that has its own rule */
            continue;
        if (count++ == 0) {
            first = note;
            first_right = right;
        }
    }
    if (count)
        finding_add(check, "perf-offset", SCOPE_FILE, NULL,
                    memory_format("%zu site%s; %.100s:%.100s is at 0x%" PRIx64
                                  " of the file, perf takes 0x%" PRIx64,
                                  count, count == 1 ? "" : "s", first->provider.text,
                                  first->name.text, first_right, perf_offset(check->elf, first)));
}

void check_sections(struct check *check)
{
    const struct list_elf *elf = check->elf;
    uint32_t last = 0, first_named = 0;
    for (size_t i = 0; i < check->notes.count; i++) {
        uint32_t section = check->notes.items[i].section;
        if (section == last)
            continue;
        last = section;
        if (!first_named && has_name(check, section, STAPSDT_SECTION))
            first_named = section;
        check_note_section(check, section, section == first_named);
    }
    if (last == 0)
        return;
    if (!elf->is_64)
        finding_add(check, "class-32", SCOPE_FILE, NULL, NULL);
    if (check->is_object || check->is_debug)
        return;
    if (first_named)
        check_order(check, first_named);
    if (!elf->stapsdt_base)
        finding_add(check, "base-missing", SCOPE_FILE, NULL, NULL);
    check_build_id(check);
    check_perf_offset(check);
}
