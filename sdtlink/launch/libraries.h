/* SPDX-License-Identifier: BSD-2-Clause */
/* The libraries that compilers bring along, and the runtime's place among them. */
#ifndef SDTLINK_LAUNCH_LIBRARIES_H
#define SDTLINK_LAUNCH_LIBRARIES_H

#include "line.h"

/* Whether WORD, of a line or a script, or a path, means such a library. */
bool libraries_is_compilers(const char *word);
/* Whether LINE, whose inputs have been scanned, names a C library: else the program is a
 * freestanding one. */
bool libraries_has_c(const struct line *line);
/* The word before which the runtime goes: before the inputs that drivers put at the end, else after
 * all inputs. */
size_t libraries_runtime_place(const struct line *line);
/* Add those of the compiler's libraries that a static runtime needs and that LINE names only before
 * that place: so that they follow it. */
void libraries_add_missing(const struct line *line, struct words *words);

#endif
