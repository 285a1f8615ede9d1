/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef SDTLINK_LAUNCH_SEARCH_H
#define SDTLINK_LAUNCH_SEARCH_H

#include "line.h"

/* Find the files of all -l inputs; path stays NULL where there is none (the linker will say so). */
void search_libraries(struct line *line);
/* The file that -lNAME would be at the end of LINE; NULL: none. To be freed. */
char *search_library(const struct line *line, const char *name, bool is_static);
/*
 * The file that NAME means in the linker script SCRIPT (NULL: on the line); NULL: there is none. To
 * be freed. *IS_MOVED: in a script in another directory it would not mean that.
 */
char *search_named(const struct line *line, const char *script, const char *name, bool is_static,
                   bool *is_moved);

#endif
