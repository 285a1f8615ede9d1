/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See notes.h. Sections of notes for tracers are not loaded, so they are read from the file. It is
 * read, not mapped: a mapped file that somebody shortens would end the program by SIGBUS.
 */
#include "notes.h"

#include <elf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_NAMES = 1 << 20, MOST_NOTES = 16 << 20 }; /* bytes */
enum { NOTE_TYPE = 3, WORDS = 24 };
static const char note_name[8] = "stapsdt";

struct reader {
    int fd;
    Elf64_Shdr *sections;
    size_t count;
    char *names; /* of the sections, with a NUL behind */
    size_t names_size;
};

/* The SIZE bytes at OFFSET of the file and a NUL, to be freed; NULL: they are not there. */
static void *read_at(int fd, uint64_t offset, uint64_t size)
{
    char *bytes = offset > INT64_MAX ? NULL : calloc(1, size + 1);
    size_t done = 0;
    while (bytes && done < size) {
        ssize_t n = pread(fd, bytes + done, size - done, (off_t)(offset + done));
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0) {
            free(bytes);
            return NULL;
        }
        done += (size_t)n;
    }
    return bytes;
}

static bool is_header_right(const Elf64_Ehdr *header)
{
    return memcmp(header->e_ident, ELFMAG, SELFMAG) == 0 &&
           header->e_ident[EI_CLASS] == ELFCLASS64 && header->e_ident[EI_DATA] == ELFDATA2LSB &&
           header->e_machine == EM_X86_64 && header->e_shentsize == sizeof(Elf64_Shdr) &&
           header->e_shnum > 0 && header->e_shstrndx < header->e_shnum;
}

static int read_sections(struct reader *reader)
{
    Elf64_Ehdr header;
    if (pread(reader->fd, &header, sizeof header, 0) != sizeof header || !is_header_right(&header))
        return -EILSEQ;
    reader->count = header.e_shnum;
    reader->sections =
        read_at(reader->fd, header.e_shoff, reader->count * sizeof *reader->sections);
    if (!reader->sections)
        return -EILSEQ;
    const Elf64_Shdr *names = &reader->sections[header.e_shstrndx];
    if (names->sh_type != SHT_STRTAB || names->sh_size > MOST_NAMES)
        return -EILSEQ;
    reader->names_size = names->sh_size;
    reader->names = read_at(reader->fd, names->sh_offset, names->sh_size);
    return reader->names ? 0 : -EILSEQ;
}

static bool is_named(const struct reader *reader, const Elf64_Shdr *section, const char *name)
{
    return section->sh_name < reader->names_size &&
           strcmp(reader->names + section->sh_name, name) == 0;
}

static bool has_sites(const struct reader *reader, const Elf64_Shdr *section)
{
    return is_named(reader, section, "sdt_sites") || is_named(reader, section, ".sdt_sites") ||
           is_named(reader, section, "sdt_companion");
}

/* The string at *AT, which must end before END; *AT moves behind it. */
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
    uint64_t words[3];
    const char *at = text + WORDS, *end = text + size;
    if (size < WORDS)
        return false;
    memcpy(words, text, sizeof words);
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
        size_t room = notes->n ? notes->n * 2 : 1;
        struct stock_note *all = realloc(notes->notes, room * sizeof *all);
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

/* A file has one such section; of several, which no linker leaves, the first is read. */
static int read_notes(const struct reader *reader, struct stock_notes *notes)
{
    const Elf64_Shdr *found = NULL;
    uint64_t base = 0;
    for (size_t i = 1; i < reader->count; i++) {
        const Elf64_Shdr *section = &reader->sections[i];
        notes->is_processed |= has_sites(reader, section);
        if (is_named(reader, section, ".stapsdt.base"))
            base = section->sh_addr;
        if (!found && section->sh_type == SHT_NOTE && !(section->sh_flags & SHF_COMPRESSED) &&
            is_named(reader, section, ".note.stapsdt"))
            found = section;
    }
    if (!found || notes->is_processed)
        return 0;
    if (found->sh_size > MOST_NOTES)
        return -EILSEQ;
    notes->text = read_at(reader->fd, found->sh_offset, found->sh_size);
    return notes->text ? parse(notes, found->sh_size, base) : -EILSEQ;
}

int stock_notes_read(int fd, struct stock_notes *notes)
{
    struct reader reader = {.fd = fd};
    *notes = (struct stock_notes){0};
    int error = read_sections(&reader);
    if (!error)
        error = read_notes(&reader, notes);
    free(reader.sections);
    free(reader.names);
    return error;
}

void stock_notes_free(struct stock_notes *notes)
{
    free(notes->notes);
    free(notes->text);
    *notes = (struct stock_notes){0};
}
