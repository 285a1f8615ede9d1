/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See notes.h. Sections of notes for tracers are not loaded, so they are read from the file.
 */
#include "notes.h"

#include "sections.h"

#include <elf.h>
#include <errno.h>
#include <shared/note.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_NOTES = 16 << 20 }; /* bytes */

static bool has_sites(const struct stock_sections *file, const Elf64_Shdr *section)
{
    return stock_section_is(file, section, "sdt_sites") ||
           stock_section_is(file, section, ".sdt_sites") ||
           stock_section_is(file, section, "sdt_companion");
}

/* The description at TEXT, SIZE bytes. BASE is the address of .stapsdt.base; 0: there is none. */
static bool read_description(const uint8_t *text, size_t size, uint64_t base,
                             struct stock_note *note)
{
    uint64_t words[3] = {0};
    size_t head = note_head_size(text, size, sizeof *words, false);
    struct note_strings strings;
    if (size < head || !note_read_strings(text, size, head, &strings))
        return false;
    memcpy(words, text, head);
    uint64_t shift = base && words[1] ? base - words[1] : 0; /* moved after it was linked */
    *note = (struct stock_note){.provider = strings.provider.text,
                                .name = strings.name.text,
                                .args = strings.args.text,
                                .pc = words[0] + shift,
                                .semaphore = words[2] ? words[2] + shift : 0};
    return true;
}

static bool add_note(struct stock_notes *notes, const struct stock_note *note)
{
    if ((notes->n & (notes->n - 1)) == 0) { /* a power of two: it is full */
        size_t capacity = notes->n ? notes->n * 2 : 1;
        struct stock_note *all = realloc(notes->notes, capacity * sizeof *all);
        if (!all)
            return false;
        notes->notes = all;
    }
    notes->notes[notes->n++] = *note;
    return true;
}

/* If one is cut off, those before it are good. */
static int parse(struct stock_notes *notes, uint64_t size, uint64_t base)
{
    struct note_walk walk = {(const uint8_t *)notes->text, size, 0};
    for (struct note found; note_next(&walk, &found);) {
        struct stock_note note;
        if (found.type == NOTE_STAPSDT && note_is_stapsdt(found.owner) &&
            read_description(walk.notes + found.description, found.size, base, &note) &&
            !add_note(notes, &note))
            return -ENOMEM;
    }
    return 0;
}

/* A file has one such section. If there are several, which no linker makes, the first is read. */
static int read_notes(const struct stock_sections *file, struct stock_notes *notes)
{
    const Elf64_Shdr *found = NULL;
    uint64_t base = 0;
    for (size_t i = 1; i < file->n; i++) {
        const Elf64_Shdr *section = &file->all[i];
        notes->is_processed |= has_sites(file, section);
        if (stock_section_is(file, section, ".stapsdt.base"))
            base = section->sh_addr;
        if (!found && section->sh_type == SHT_NOTE && !(section->sh_flags & SHF_COMPRESSED) &&
            stock_section_is(file, section, ".note.stapsdt"))
            found = section;
    }
    if (!found || notes->is_processed)
        return 0;
    if (found->sh_size > MAX_NOTES)
        return -EILSEQ;
    notes->text = stock_section_read(file, found);
    return notes->text ? parse(notes, found->sh_size, base) : -EILSEQ;
}

int stock_notes_read(int fd, struct stock_notes *notes)
{
    struct stock_sections file;
    *notes = (struct stock_notes){0};
    int error = stock_sections_read(fd, &file);
    if (!error)
        error = read_notes(&file, notes);
    stock_sections_free(&file);
    return error;
}

void stock_notes_free(struct stock_notes *notes)
{
    free(notes->notes);
    free(notes->text);
    *notes = (struct stock_notes){0};
}
