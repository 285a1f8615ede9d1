/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Linker scripts that name inputs: `INPUT(a.o libx.a)`, `GROUP(-lfoo AS_NEEDED(libbar.so))`,
 * STARTUP; and what they INCLUDE.
 *
 * A text file where a linker expects an object is a script: libc.so is one, projects use one to
 * give a list of archives one name, and embedded projects name their first object in the script of
 * -T. The files that it names are inputs of the link like any others. If some of them hold probes,
 * the linker gets a copy of the script that names the processed files.
 *
 * And scripts that discard sections. GNU ld refuses a link in which what it keeps refers to what a
 * script discards. So a link without notes must have no reference to what notes need either.
 */
#ifndef SDTLINK_LAUNCH_SCRIPT_H
#define SDTLINK_LAUNCH_SCRIPT_H

#include "line.h"

/*
 * Read the script at INPUT's path, and scan all that it names: what they hold is entered into
 * INPUT's found bits, as far as it matters wherever it is. Returns 0 or -1.
 */
int script_scan(const struct line *line, struct line_input *input);
/* Write the script anew, to OUTPUT, with the replacements of its files. 0 or -1. */
int script_write(const struct script *script, const char *output);

#endif
