/* SPDX-License-Identifier: BSD-2-Clause */
/* The passes of `sdtlink finalize`. Each returns 0, or -1 after a message. */
#ifndef SDTLINK_FINALIZE_PASSES_H
#define SDTLINK_FINALIZE_PASSES_H

#include "base/memory.h"
#include "list/elf_file.h"
#include "list/site.h"

/* What becomes of the notes. */
struct finalized_notes {
    uint32_t named; /* .note.stapsdt; 0: there is none */
    uint32_t late;  /* NOTES_LATE_SECTION; 0: there is none, or it is empty */
    struct bytes kept;
    size_t kept_count, dropped_count;
};

/* Hold the records of LIST against the bytes that the linker has made. */
int finalize_check_records(struct list_elf *elf, const struct list *list);

/* Sort the notes into those that stay and those that go; each that goes is printed if IS_PRINTED.
 */
int finalize_sort_notes(struct list_elf *elf, const struct list *list, bool is_printed,
                        struct finalized_notes *notes);
/* Does the file have to be written? */
bool finalized_notes_differ(const struct finalized_notes *notes);

/* Bring the notes into the file; if IS_DRY_RUN, only see whether that can be done. */
int finalize_write(struct list_elf *elf, const struct finalized_notes *notes, bool is_dry_run);

#endif
