/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Where the processed copies of a link lie, and how they are named.
 *
 * The linker names its inputs in messages, maps and dependency files, and people and make expect
 * the names they gave. So a copy's name is a prefix followed by the original name, letter for
 * letter, and whatever the linker writes passes a filter that removes the prefix.
 *
 *   /tmp/sdtlink.5Xh2kF/3.2/u/u/../../lib/a.o     for ../../lib/a.o
 *   --------------------------- the prefix: the link's directory, the number of a tree, how many
 *                               directories the original climbs, and that many to climb out of
 *   /tmp/sdtlink.5Xh2kF/4.a/usr/lib/libx.a        for /usr/lib/libx.a
 *
 * The number keeps copies apart whose names mean the same place, however they are spelled. mold
 * resolves the dots itself and would write the first as /tmp/sdtlink.5Xh2kF/3.2/lib/a.o, and the
 * original as ../../lib/a.o; the filter does the same.
 */
#ifndef SDTLINK_LAUNCH_TEMPORARY_H
#define SDTLINK_LAUNCH_TEMPORARY_H

#include "base/memory.h"

/*
 * Make the link's directory, for us alone, for copies of files of SIZE bytes in all: below $TMPDIR,
 * or in memory if it has room for much more, or below /tmp. It is removed by temporary_remove().
 */
int temporary_create(uint64_t size);
/* The directory; NULL: none was made. */
const char *temporary_directory(void);
/* A new path for a copy of ORIGINAL, its directories made; NULL: failed, and said so. To be freed.
 */
char *temporary_path(const char *original);
/* Remove it with all that is in it. */
void temporary_remove(void);
/* Remove all prefixes from TEXT, in place; returns the new size. */
size_t temporary_strip(char *text, size_t size);

#endif
