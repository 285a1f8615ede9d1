/* SPDX-License-Identifier: BSD-2-Clause */
/* Programs with probes but without the runtime: it is preloaded. */
#ifndef SDT_PRELOAD_H
#define SDT_PRELOAD_H

#include <stdbool.h>

/* Set LD_PRELOAD for PROGRAM, which is looked for as execvp(3) does, if it can use it. */
void preload_set(const char *program);
/* The same, only if PROGRAM itself has notes for tracers. */
void preload_for_notes(const char *program);
/* Whether the program in FD has a copy of the runtime. */
bool preload_has_copy(int fd);
/* The file that is INSTALLED, relative to this program's directory, or, in the build tree, BUILT;
 * an absolute path, to be freed. NULL: it does not exist. */
char *preload_beside(const char *installed, const char *built);

#endif
