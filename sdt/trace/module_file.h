/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The files of the programs and libraries that a recording names: where it says, or kept in the
 * recording itself, since only their process saw them there (record/keep.c).
 */
#ifndef SDT_MODULE_FILE_H
#define SDT_MODULE_FILE_H

#include "base/elf_view.h"

/* Whether FILE has build ID, in hexadecimal; "" has each. */
bool module_file_has_id(const struct elf_view *file, const char *id);
/* Where the file with build ID is kept, of the recording of which TRACE is a directory; NULL:
 * nowhere, it is no build ID. To be freed. */
char *module_file_kept(const char *trace, const char *id);
/* Map what is at PATH, or else what is kept. False: neither has build ID; FILE is empty. */
bool module_file_map(struct elf_view *file, const char *path, const char *trace, const char *id);

#endif
