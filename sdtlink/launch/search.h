/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef SDTLINK_LAUNCH_SEARCH_H
#define SDTLINK_LAUNCH_SEARCH_H

#include "line.h"

/* Find the files of all -l inputs; path stays NULL where there is none (the linker will say so). */
void search_libraries(struct line *line);
/* The file that -lNAME would be at the end of LINE; NULL: none. To be freed. */
char *search_library(const struct line *line, const char *name, bool is_static);

#endif
