/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The notes of <sys/sdt.h> in a file of unknown origin: its numbers are bounded before they are
 * used, and a note that does not end in its section is ignored.
 */
#ifndef SDT_STOCK_NOTES_H
#define SDT_STOCK_NOTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Addresses are those of the file as it was linked. The strings end with a NUL. */
struct stock_note {
    const char *provider, *name, *args;
    uint64_t pc, semaphore; /* semaphore 0: none */
};

struct stock_notes {
    struct stock_note *notes;
    size_t n;
    bool is_processed; /* by sdtlink: its sites register themselves; the notes are not read */
    char *text;        /* what the strings are in */
};

/* Read the file FD. 0; -EILSEQ: it is no such file, or damaged; -ENOMEM. To be freed in any case.*/
int stock_notes_read(int fd, struct stock_notes *notes);
void stock_notes_free(struct stock_notes *notes);

#endif
