/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Links in which machine code is generated: by whom, and how we process it before it is linked.
 *
 *   GNU ld, gold, mold   by the compiler's plugin; our own plugin is called instead, and calls it:
 *                        plugin/shim.c
 *   lld                  by lld itself, which then links twice: lto_lld.c
 */
#ifndef SDTLINK_LAUNCH_LTO_H
#define SDTLINK_LAUNCH_LTO_H

#include "line.h"

/* Does the compiler's plugin make machine code anew from objects of gcc that hold some already? */
bool lto_takes_fat(const struct line *line);
/* Refuse objects that the linker cannot read, before it says something less helpful. 0 or -1. */
int lto_check(const struct line *line);
/* Put our plugin before the compiler's. The link's directory exists. 0 or -1. */
int lto_interpose(struct line *line);

/* lto_lld.c */

/* Must lld link twice? */
bool lto_needs_two_links(const struct line *line);
/* Add what the first link needs to its composed WORDS. */
void lto_add_options(struct words *words);
/*
 * Run the first link: ARGV, of LINKER. Then enter the processed objects into LINE in the place of
 * bitcode. If there are none, or more went wrong than symbols that are undefined, LINE stays as it
 * is, and a link of it says why. Returns 0, an exit status, or -signal.
 */
int lto_link_first(struct line *line, const char *linker, char **argv);

/* lto_members.c */

/* From what lld wrote to PATH: for which symbols bitcode had it take members that are none. */
void lto_read_extractions(const char *path, struct words *symbols);
/* Write an object with SYMBOLS (sorted) undefined, and nothing else. 0 or -1. */
int lto_write_references(const char *path, const struct tool_arch *arch,
                         const struct words *symbols);
/* If some archives are linked whole: let them hold empty objects in the place of bitcode. */
int lto_empty_archives(struct line *line);

#endif
