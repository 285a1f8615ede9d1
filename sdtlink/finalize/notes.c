/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Which notes stay.
 *
 * Those in NOTES_LATE_SECTION are all ours: one stays if the set has a record at its address that
 * has its name and no other note. (An address in code is not enough: for a dropped function,
 * linkers leave the offset in its section, which may be any number.)
 *
 * Those in .note.stapsdt may not be ours. They stay as they are, byte for byte, unless their
 * address is not in code of the file: such a note is useless, and makes libbpf refuse the probe
 * with all its sites.
 */
#include "list/notes.h"
#include "base/diag.h"
#include "base/escape.h"
#include "base/probe_label.h"
#include "list/elf_follow.h"
#include "passes.h"
#include "rewrite/notes.h"

#include <inttypes.h>
#include <sdt/format.h>
#include <shared/lower_bound.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A record that promises a note. */
struct promise {
    const struct list_site *site;
    bool is_kept;
};

struct promises {
    struct promise *all; /* by address */
    size_t count;
};

static int by_address(const void *left, const void *right)
{
    const struct promise *a = left, *b = right;
    if (a->site->address != b->site->address)
        return a->site->address < b->site->address ? -1 : 1;
    return a->site->record < b->site->record ? -1 : a->site->record > b->site->record;
}

static bool is_called(const struct list_note *note, const struct list_site *site)
{
    return strncmp(note->provider.text, site->provider, MAX_NAME_BYTES) ==
               0 && /* cut as in names.h */
           strncmp(note->name.text, site->name, MAX_NAME_BYTES) == 0;
}

/* NOTE is the one that some record promises. */
static bool keep_promise(struct promises *promises, const struct list_note *note)
{
    /* the first one at or after the note's address */
    size_t low = LOWER_BOUND(i, promises->count, promises->all[i].site->address < note->pc);
    for (; low < promises->count && promises->all[low].site->address == note->pc; low++) {
        struct promise *promise = &promises->all[low];
        if (promise->is_kept || !is_called(note, promise->site))
            continue;
        promise->is_kept = true;
        return true;
    }
    return false;
}

/* The bytes of note I reach to the next one, or to the section's end. */
static size_t size_of(const struct list_elf *elf, const struct list_notes *read, size_t i)
{
    const struct list_note *note = &read->items[i];
    bool is_last = i + 1 == read->count || read->items[i + 1].section != note->section;
    uint64_t end = is_last ? elf->sections[note->section].size : read->items[i + 1].offset;
    return (size_t)(end - note->offset);
}

static void print_note(const struct list_elf *elf, const struct list_note *note)
{
    escape_print_text(stdout, slice_of(elf->path));
    fputs(": ", stdout);
    escape_print(stdout, slice_of(elf->sections[note->section].name));
    printf("+0x%" PRIx64 ": ", note->offset);
    probe_part_print(stdout, note->provider);
    putchar(':');
    probe_part_print(stdout, note->name);
    printf(" at %#" PRIx64 " is to be removed\n", note->pc);
}

static int sort_note(const struct list_elf *elf, const struct list_note *note, size_t size,
                     struct promises *promises, bool is_printed, struct finalized_notes *notes)
{
    bool is_late = note->section == notes->late, is_probe = note->state == NOTE_PROBE;
    if (note->state == NOTE_CUT || (is_late && !is_probe)) {
        struct diag_place place = {.file = elf->path,
                                   .section = elf->sections[note->section].name,
                                   .offset = note->offset};
        return diag_refuse(&place, "the note is damaged", NULL, NULL, NULL);
    }
    bool is_promised = is_probe && keep_promise(promises, note);
    const struct list_section *home = &elf->sections[list_elf_section_at(elf, note->pc)];
    bool is_code = home->header.sh_flags & SHF_EXECINSTR;
    if (is_promised || (!is_late && (!is_probe || is_code))) {
        bytes_append(&notes->kept, elf->sections[note->section].data + note->offset, size);
        bytes_append(&notes->kept, NULL, -size & 3);
        notes->kept_count++;
        return 0;
    }
    notes->dropped_count++;
    if (is_printed)
        print_note(elf, note);
    return 0;
}

/* Other sections of notes are none of our business, nor is one that is loaded. */
static int find_sections(const struct list_elf *elf, struct finalized_notes *notes)
{
    for (uint32_t i = 1; i < elf->count; i++) {
        const struct list_section *section = &elf->sections[i];
        bool is_late = !strcmp(section->name, NOTES_LATE_SECTION);
        uint32_t *found = is_late ? &notes->late : &notes->named;
        if ((!is_late && strcmp(section->name, STAPSDT_SECTION) != 0) || !section->data ||
            (section->header.sh_flags & SHF_ALLOC))
            continue;
        if (*found)
            return diag_error("%s: it has two sections %s; link it again", elf->path,
                              section->name);
        *found = i;
    }
    return 0;
}

/* Without any notes the file was stripped of them. */
static int check_promises(const struct list_elf *elf, const struct promises *promises,
                          const struct finalized_notes *notes)
{
    for (size_t i = 0; (notes->named || notes->late) && i < promises->count; i++) {
        const struct list_site *site = promises->all[i].site;
        if (promises->all[i].is_kept)
            continue;
        char *probe = probe_label(slice_of(site->provider), slice_of(site->name));
        diag_error("%s: the site of %s at 0x%" PRIx64 " has no note, though its record says so; "
                   "link again from objects that sdtlink has just processed",
                   elf->path, probe, site->address);
        free(probe);
        return -1;
    }
    return 0;
}

int finalize_sort_notes(struct list_elf *elf, const struct list *list, bool is_printed,
                        struct finalized_notes *notes)
{
    struct promises promises = {0};
    struct list_notes read;
    int result = find_sections(elf, notes);
    if (result != 0 || (list->count == 0 && !notes->late))
        return result; /* a program without any sites of ours is not our business */
    promises.all = memory_zeroed(list->count + 1, sizeof *promises.all);
    for (size_t i = 0; i < list->count; i++)
        if (list->sites[i].flags & SDT_SITE_NOTE)
            promises.all[promises.count++].site = &list->sites[i];
    qsort(promises.all, promises.count, sizeof *promises.all, by_address);
    list_notes_read(elf, &read);
    for (size_t i = 0; result == 0 && i < read.count; i++)
        if (read.items[i].section == notes->named || read.items[i].section == notes->late)
            result = sort_note(elf, &read.items[i], size_of(elf, &read, i), &promises, is_printed,
                               notes);
    if (result == 0)
        result = check_promises(elf, &promises, notes);
    list_notes_free(&read);
    free(promises.all);
    return result;
}

bool finalized_notes_differ(const struct finalized_notes *notes)
{
    return notes->late || notes->dropped_count;
}
