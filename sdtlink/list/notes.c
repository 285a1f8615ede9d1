/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Reading notes: first as they are, errors included (for `--check`), then the correct ones as
 * sites.
 */
#include "notes.h"

#include "base/diag.h"
#include "base/memory.h"
#include "elf_follow.h"
#include "site.h"

#include <inttypes.h>
#include <shared/note.h>
#include <stdlib.h>
#include <string.h>

uint64_t list_notes_shift(const struct list_elf *elf, uint64_t recorded_base)
{
    if (!elf->stapsdt_base || recorded_base == 0 || elf->type == ET_REL)
        return 0;
    return elf->sections[elf->stapsdt_base].header.sh_addr - recorded_base;
}

/* Numbers wrap as the file's own do. */
static uint64_t as_address(const struct list_elf *elf, uint64_t number)
{
    return elf->is_64 ? number : (uint32_t)number;
}

/* Whether the third word is an address for certain: it is relocated, or leads into the file. */
static bool has_third_address(struct list_elf *elf, const struct list_note *note)
{
    uint64_t offset = note->description + (uint64_t)NOTE_SEMAPHORE * elf->word;
    const uint8_t *data = elf->sections[note->section].data + offset;
    if (note->size < (size_t)NOTE_WORDS * elf->word)
        return false;
    return list_elf_rela(elf, note->section, offset) ||
           (elf->type != ET_REL && list_elf_segment(elf, list_elf_number(elf, data, elf->word)));
}

static void read_words(struct list_elf *elf, struct list_note *note)
{
    const uint8_t *data = elf->sections[note->section].data + note->description;
    for (unsigned i = 0; i < note->words; i++) {
        uint64_t offset = note->description + (uint64_t)i * elf->word;
        const Elf64_Rela *rela = list_elf_rela(elf, note->section, offset);
        note->recorded[i] = list_elf_number(elf, data + (size_t)i * elf->word, elf->word);
        note->is_relocated[i] = rela != NULL;
        if (rela)
            list_elf_target(elf, rela, &note->place[i]);
    }
    uint64_t shift = list_notes_shift(elf, note->recorded[NOTE_BASE]);
    note->pc = as_address(elf, note->recorded[NOTE_PC] + shift);
    if (note->recorded[NOTE_SEMAPHORE])
        note->semaphore = as_address(elf, note->recorded[NOTE_SEMAPHORE] + shift);
}

static void read_description(struct list_elf *elf, struct list_note *note)
{
    const uint8_t *data = elf->sections[note->section].data + note->description;
    size_t head = note_head_size(data, note->size, elf->word, has_third_address(elf, note));
    struct note_strings strings;
    note->state = NOTE_SHORT;
    note->words = (unsigned)(head / elf->word);
    if (note->size < head)
        return;
    read_words(elf, note);
    if (!note_read_strings(data, note->size, head, &strings))
        return;
    note->provider = strings.provider;
    note->name = strings.name;
    note->args = strings.args;
    note->trailing = strings.left;
    note->state = NOTE_PROBE;
}

/* Read the next note of section INDEX; of one that is cut off, the walk is at its end. */
static void read_note(struct list_elf *elf, uint32_t index, struct note_walk *walk,
                      struct list_note *note)
{
    *note = (struct list_note){.state = NOTE_CUT, .section = index, .offset = walk->at};
    struct note found = {0};
    Elf64_Nhdr head = {0};
    bool has_head = note_has_head(walk);
    if (has_head) {
        /* What the head of the note says: in the order of the file's bytes, and relocated. */
        head = (Elf64_Nhdr){
            .n_namesz = list_elf_distance(elf, index, walk->at),
            .n_descsz = list_elf_distance(elf, index, walk->at + 4),
            .n_type = (uint32_t)list_elf_number(elf, elf->sections[index].data + walk->at + 8, 4)};
    }
    bool is_whole = has_head && note_next_as(walk, &head, &found);
    note->size = found.size;
    note->type = found.type;
    note->description = found.description;
    note->vendor = found.owner;
    if (!is_whole)
        walk->at = walk->size;
    else if (!note_is_stapsdt(note->vendor))
        note->state = NOTE_FOREIGN;
    else if (note->type != NOTE_STAPSDT)
        note->state = NOTE_OTHER_TYPE;
    else
        read_description(elf, note);
}

static void read_section(struct list_elf *elf, uint32_t index, struct list_notes *notes)
{
    const struct list_section *section = &elf->sections[index];
    size_t before = notes->count;
    bool is_ours = strcmp(section->name, STAPSDT_SECTION) == 0;
    for (struct note_walk walk = {section->data, section->size, 0}; walk.at < walk.size;) {
        notes->items =
            memory_with_room(notes->items, notes->count, &notes->capacity, sizeof *notes->items);
        struct list_note *note = &notes->items[notes->count++];
        read_note(elf, index, &walk, note);
        is_ours = is_ours || note_is_stapsdt(note->vendor);
    }
    if (!is_ours)
        notes->count = before;
}

void list_notes_read(struct list_elf *elf, struct list_notes *notes)
{
    *notes = (struct list_notes){0};
    for (uint32_t i = 1; i < elf->count; i++) {
        const struct list_section *section = &elf->sections[i];
        bool is_named = strcmp(section->name, STAPSDT_SECTION) == 0;
        if (section->data && (section->header.sh_type == SHT_NOTE || is_named))
            read_section(elf, i, notes);
    }
}

void list_notes_free(struct list_notes *notes)
{
    free(notes->items);
    *notes = (struct list_notes){0};
}

static void add_site(const struct list_elf *elf, const struct list_note *note, struct list *list)
{
    const struct list_place *semaphore = &note->place[NOTE_SEMAPHORE];
    struct list_site *site = list_add(list, elf->path);
    site->kind = "stapsdt";
    site->has_note = true;
    site->provider = list_string(list, note->provider.text);
    site->name = list_string(list, note->name.text);
    site->args = site->note_args = list_string(list, note->args.text);
    site->module = list_string(list, basename(elf->path));
    site->semaphore = note->semaphore;
    if (note->is_relocated[NOTE_SEMAPHORE])
        site->semaphore_place =
            semaphore->section
                ? list_strings_keep(&list->strings,
                                    memory_format("%.*s+0x%" PRIx64, MAX_NAME_BYTES,
                                                  elf->sections[semaphore->section].name,
                                                  semaphore->offset))
                : list_string(list, semaphore->symbol ? semaphore->symbol : "?");
    struct list_place place = note->place[NOTE_PC];
    if (!note->is_relocated[NOTE_PC] && elf->type != ET_REL)
        place = list_at_address(elf, note->pc, site);
    list_at_place(list, elf, place, site);
}

/* A note that cannot be read is its producer's mistake; the others are what they are. */
static void warn(const struct list_elf *elf, const struct list_note *note)
{
    const struct diag_place place = {
        .file = elf->path, .section = elf->sections[note->section].name, .offset = note->offset};
    if (note->state == NOTE_CUT)
        diag_warn(&place, "the note does not end in its section",
                  "it is not listed, nor is what follows it there");
    else
        diag_warn(&place, "the note's strings do not end in it",
                  "it is not listed; --check says what tracers make of it");
}

void list_read_notes(struct list_elf *elf, struct list *list)
{
    enum { MOST_WARNINGS = 10 };
    struct list_notes notes;
    size_t unread = 0;
    list_notes_read(elf, &notes);
    for (size_t i = 0; i < notes.count; i++) {
        const struct list_note *note = &notes.items[i];
        if (note->state == NOTE_PROBE)
            add_site(elf, note, list);
        else if ((note->state == NOTE_CUT || note->state == NOTE_SHORT) && unread++ < MOST_WARNINGS)
            warn(elf, note);
    }
    if (unread > MOST_WARNINGS) {
        char *text = memory_format("%zu more notes cannot be read", unread - MOST_WARNINGS);
        diag_warn(&(struct diag_place){.file = elf->path}, text, NULL);
        free(text);
    }
    list_notes_free(&notes);
}
