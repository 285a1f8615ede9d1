/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The notes of <sys/sdt.h> in an ELF file, from any producer.
 *
 * A note's description is three addresses (of the probe, of .stapsdt.base when the note was
 * written, of the semaphore or 0) and three strings (provider, name, arguments). In a linked file
 * the addresses are link-time addresses; prelink and the like move sections without adjusting
 * notes, so the difference between the recorded base and the section's address is added to the
 * probe's and the semaphore's address. In an object the words are relocations. Notes of the
 * format's first draft have no semaphore (<shared/note.h>).
 */
#ifndef SDTLINK_LIST_NOTES_H
#define SDTLINK_LIST_NOTES_H

#include "base/slice.h"
#include "elf_file.h"

#define STAPSDT_SECTION ".note.stapsdt"

enum list_note_state {
    NOTE_PROBE,
    NOTE_OTHER_TYPE, /* "stapsdt", but of an undefined type */
    NOTE_FOREIGN,    /* of another vendor */
    NOTE_SHORT,      /* its strings do not end in it */
    NOTE_CUT         /* it does not end in its section: nothing after it can be read */
};

enum { NOTE_PC, NOTE_BASE, NOTE_SEMAPHORE, NOTE_WORDS };

struct list_note {
    enum list_note_state state;
    uint32_t section, type;
    unsigned words;                      /* the addresses that it has, 2 or NOTE_WORDS */
    uint64_t offset;                     /* of the note in its section */
    uint64_t description, size;          /* of the description: offset in the section */
    uint64_t recorded[NOTE_WORDS];       /* as they are in the file */
    uint64_t pc, semaphore;              /* adjusted; linked files */
    struct list_place place[NOTE_WORDS]; /* objects: what the relocations say */
    bool is_relocated[NOTE_WORDS];
    struct slice vendor, provider, name, args; /* in the file */
    uint64_t trailing;                         /* bytes after the NUL of the arguments */
};

struct list_notes {
    struct list_note *items;
    size_t count, capacity;
};

/* All notes in sections that hold at least one of ours or are named as ours are, in file order. */
void list_notes_read(struct list_elf *elf, struct list_notes *notes);
void list_notes_free(struct list_notes *notes);
/* The distance that the notes' addresses have to be moved by. */
uint64_t list_notes_shift(const struct list_elf *elf, uint64_t recorded_base);

#endif
