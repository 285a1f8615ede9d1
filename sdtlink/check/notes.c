/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Each note as a record: can every consumer read it, and continue after it?
 *
 * A section of notes is a chain in which each note gives its own length. A consumer that fails at
 * one note loses those after it, so damage is reported for the file, not for a probe.
 */
#include "check.h"

#include "base/memory.h"

#include <inttypes.h>
#include <string.h>

enum { MAX_PERF_GROUP = 59 }; /* 64 bytes for "sdt_", the provider, and a NUL */

static char *vendor_text(const struct list_note *note)
{
    int length = note->vendor.length < 32 ? (int)note->vendor.length : 32;
    return memory_format("\"%.*s\", type 0x%" PRIx32, length, note->vendor.text, note->type);
}

static void check_damage(struct check *check, const struct list_note *note)
{
    switch (note->state) {
    case NOTE_PROBE:
        if (note->words != NOTE_WORDS)
            finding_add(check, "note-two-words", SCOPE_FILE, note, NULL);
        break;
    case NOTE_OTHER_TYPE:
        finding_add(check, "note-type", SCOPE_FILE, note,
                    memory_format("type 0x%" PRIx32, note->type));
        break;
    case NOTE_FOREIGN:
        finding_add(check, "note-foreign", SCOPE_FILE, note, vendor_text(note));
        break;
    case NOTE_SHORT:
        finding_add(check, "note-short", SCOPE_FILE, note,
                    memory_format("%" PRIu64 " bytes", note->size));
        break;
    case NOTE_CUT:
        finding_add(check, "note-cut", SCOPE_FILE, note, NULL);
        break;
    }
}

static void check_base(struct check *check, const struct list_note *note)
{
    const struct list_elf *elf = check->elf;
    uint64_t recorded = note->recorded[NOTE_BASE];
    if (check->is_object || !elf->stapsdt_base)
        return;
    uint64_t address = elf->sections[elf->stapsdt_base].header.sh_addr;
    if (recorded == 0 && address != 0)
        finding_add(check, "base-zero", SCOPE_SITE, note,
                    memory_format("the section is at 0x%" PRIx64, address));
    else if (recorded != address && !check->is_debug)
        finding_add(check, "base-moved", SCOPE_SITE, note,
                    memory_format("noted 0x%" PRIx64 ", now 0x%" PRIx64, recorded, address));
}

static bool is_zero(const uint8_t *data, uint64_t size)
{
    for (uint64_t i = 0; i < size; i++)
        if (data[i])
            return false;
    return true;
}

static void check_size(struct check *check, const struct list_note *note)
{
    if (note->trailing == 0)
        return;
    const struct list_section *section = &check->elf->sections[note->section];
    const uint8_t *trailing = section->data + note->description + note->size - note->trailing;
    finding_add(check, "note-padded", SCOPE_SITE, note,
                memory_format("%" PRIu64 " byte%s of %s", note->trailing,
                              note->trailing == 1 ? "" : "s",
                              is_zero(trailing, note->trailing) ? "padding" : "text"));
}

void check_notes(struct check *check)
{
    for (size_t i = 0; i < check->notes.count; i++) {
        const struct list_note *note = &check->notes.items[i];
        check_damage(check, note);
        if (note->state != NOTE_PROBE)
            continue;
        check_base(check, note);
        check_size(check, note);
        if (note->name.length == 0)
            finding_add(check, "note-name-empty", SCOPE_FILE, note, NULL);
        if (note->provider.length > MAX_PERF_GROUP)
            finding_add(check, "provider-long", SCOPE_SITE, note,
                        memory_format("%zu characters", note->provider.length));
        if (check->is_object) {
            /* In an object: a note must go with its code. */
            const struct list_section *sections = check->elf->sections;
            uint32_t home = note->place[NOTE_PC].section;
            if (home && (sections[home].header.sh_flags & SHF_GROUP) &&
                !(sections[note->section].header.sh_flags & SHF_GROUP))
                finding_add(check, "note-outside-group", SCOPE_SITE, note, NULL);
        }
    }
}
