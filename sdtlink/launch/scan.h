/* SPDX-License-Identifier: BSD-2-Clause */
/* What does a file of the link hold? Done for every file of every link, so it has to be cheap. */
#ifndef SDTLINK_LAUNCH_SCAN_H
#define SDTLINK_LAUNCH_SCAN_H

#include "scan_object.h"

/*
 * The bits for file PATH; 0: it holds nothing of interest, or the linker will refuse it. Returns 0,
 * or the errno that kept us from reading what the linker may be able to read. Prints nothing; may
 * be called by several threads.
 */
int scan_file(const struct scan_rules *rules, const char *path, unsigned *found);
/* The bits for one object, of SIZE bytes at IMAGE, a member of the archive ARCHIVE. */
unsigned scan_member(const struct scan_rules *rules, const char *archive, const uint8_t *image,
                     size_t size);
/* A relocatable object, an archive or bitcode? */
bool scan_is_input(const char *path);
/* Does shared library PATH need libsdt.so? Returns 0 or an errno, as scan_file(). */
int scan_needs_runtime(const char *path, bool *answer);
/* A file in a directory of the system's, or a library that every compiler brings along? */
bool scan_is_systems(const char *path);
/* An ELF file for another machine than ARCH? */
bool scan_is_foreign(const struct tool_arch *arch, const char *path);

#endif
