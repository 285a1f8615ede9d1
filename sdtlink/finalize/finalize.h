/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * `sdtlink finalize`: what is left to do after a linker.
 *
 * Every record of a linked file's set is checked against the bytes that it describes, and the notes
 * for tracers against the set. Notes of code that the linker has dropped are removed: gold and mold
 * cannot do that themselves (docs/decisions/0020). Nothing is written before all checks have
 * passed.
 *
 *   finalize.c   the command, and the order of its passes
 *   records.c    checks records against bytes
 *   notes.c      notes and records: which notes are kept
 *   write.c      writes to the file, which is valid at every moment
 */
#ifndef SDTLINK_FINALIZE_FINALIZE_H
#define SDTLINK_FINALIZE_FINALIZE_H

#include <stdbool.h>

int finalize_main(int argc, char **argv);
/* Finalize the linked file PATH, or with IS_DRY_RUN print what would be done. 0 or -1. */
int finalize_file(const char *path, bool is_dry_run);

#endif
