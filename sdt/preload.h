/* SPDX-License-Identifier: BSD-2-Clause */
/* Programs with probes but without the runtime: it is preloaded. */
#ifndef SDT_PRELOAD_H
#define SDT_PRELOAD_H

/* Set LD_PRELOAD for PROGRAM, which is looked for as execvp(3) does, if it can use it. */
void preload_set(const char *program);
/* The same, only if PROGRAM itself has notes for tracers. */
void preload_for_notes(const char *program);
/* The file of an installation that is called INSTALLED beside this program, or, in the build, is at
 * BUILT from there; absolute, to be freed. NULL: it is not there. */
char *preload_beside(const char *installed, const char *built);

#endif
