/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The notes of <sys/sdt.h>: a walk over a section of notes, and the parts of one. All who read them
 * do it here: the tool in objects (probes/stapsdt.c, launch/unprocessed_notes.c), `sdtlink list` in
 * any file, the runtime in stock binaries (stock/notes.c). Only verify has a reader of its own.
 *
 *     n_namesz 8, n_descsz, n_type 3, "stapsdt\0"
 *     addresses of the probe, of .stapsdt.base, and of the semaphore or 0
 *     provider\0 name\0 arguments\0       (note_args.h)
 *
 * Each part is padded to four bytes. The first draft of the format ("revamp sdt.h", SystemTap's
 * list) had no semaphores, and two addresses, and its notes have the same owner and type.
 *
 * Pure; all numbers may be wrong.
 */
#ifndef SDT_NOTE_H
#define SDT_NOTE_H

#include "slice.h"

#include <elf.h>
#include <stdint.h>

/* A section of SIZE bytes; the next note begins AT. */
struct note_walk {
    const uint8_t *notes; /* NULL: the section is not in the file */
    uint64_t size, at;
};

/* All but the owner are numbers from the head, or offsets in the section. */
struct note {
    uint64_t at, description;
    uint32_t size, type; /* the size is the description's */
    struct slice owner;  /* with its NUL */
};

enum { NOTE_STAPSDT = 3 }; /* the type */

/*
 * Take the next note. False: there is none, or, if note_has_head() still holds, it does not end in
 * its section; then it has no owner, and nothing after it can be read.
 */
bool note_next(struct note_walk *walk, struct note *note);
/* The same where the head is not to be read as it stands: HEAD is what it says. */
bool note_next_as(struct note_walk *walk, const Elf64_Nhdr *head, struct note *note);
/* Whether there are bytes for the head of another one. */
bool note_has_head(const struct note_walk *walk);

/* Whether a note of this owner is of <sys/sdt.h>, if its type is NOTE_STAPSDT as well. */
bool note_is_stapsdt(struct slice owner);

/*
 * How many bytes of the description TEXT, SIZE bytes, the addresses are, each of WORD. HAS_THIRD:
 * the third word is known to be an address.
 */
size_t note_head_size(const uint8_t *text, size_t size, size_t word, bool has_third);

struct note_strings {
    struct slice provider, name, args; /* each with a NUL after it */
    size_t left;                       /* bytes after the last NUL */
};

/* The strings after the HEAD bytes of addresses; false: they do not end in the description. */
bool note_read_strings(const uint8_t *text, size_t size, size_t head, struct note_strings *strings);

#endif
