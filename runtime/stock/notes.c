/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See notes.h. Sections of notes for tracers are not loaded, so they are read from the file.
 */
#include "notes.h"

#include "sections.h"

#include <elf.h>
#include <errno.h>
#include <shared/note_head.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_NOTES = 16 << 20 }; /* bytes */
enum { NOTE_TYPE = 3 };
static const char note_name[8] = "stapsdt";

static bool has_sites(const struct stock_sections *file, const Elf64_Shdr *section)
{
    return stock_section_is(file, section, "sdt_sites") ||
           stock_section_is(file, section, ".sdt_sites") ||
           stock_section_is(file, section, "sdt_companion");
}

/* The string at *AT, which must end before END; *AT moves after it. */
static const char *take_string(const char **at, const char *end)
{
    const char *text = *at;
    const char *nul = text < end ? memchr(text, 0, (size_t)(end - text)) : NULL;
    if (!nul)
        return NULL;
    *at = nul + 1;
    return text;
}

/* The description at TEXT, SIZE bytes. BASE is the address of .stapsdt.base; 0: there is none. */
static bool read_description(const char *text, size_t size, uint64_t base, struct stock_note *note)
{
    uint64_t words[3] = {0};
    size_t head = note_head_size((const uint8_t *)text, size, sizeof *words, false);
    const char *at = text + head, *end = text + size;
    if (size < head)
        return false;
    memcpy(words, text, head);
    uint64_t shift = base && words[1] ? base - words[1] : 0; /* moved after it was linked */
    note->pc = words[0] + shift;
    note->semaphore = words[2] ? words[2] + shift : 0;
    note->provider = take_string(&at, end);
    note->name = note->provider ? take_string(&at, end) : NULL;
    note->args = note->name ? take_string(&at, end) : NULL;
    return note->args != NULL;
}

static uint64_t align4(uint64_t size)
{
    return (size + 3) & ~UINT64_C(3);
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

static int parse(struct stock_notes *notes, uint64_t size, uint64_t base)
{
    Elf64_Nhdr header;
    for (uint64_t at = 0; at < size && size - at >= sizeof header;) {
        struct stock_note note;
        memcpy(&header, notes->text + at, sizeof header);
        uint64_t name = at + sizeof header, words = name + align4(header.n_namesz);
        if (words > size || header.n_descsz > size - words)
            return 0; /* cut off: those before are good */
        if (header.n_type == NOTE_TYPE && header.n_namesz == sizeof note_name &&
            memcmp(notes->text + name, note_name, sizeof note_name) == 0 &&
            read_description(notes->text + words, header.n_descsz, base, &note) &&
            !add_note(notes, &note))
            return -ENOMEM;
        at = words + align4(header.n_descsz);
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
