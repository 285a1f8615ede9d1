/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Notes for tracers: a .note.stapsdt record at each site that fires, so that gdb, perf, bpftrace,
 * bcc, libbpf and SystemTap see what sdt_enable() sees.
 */
#ifndef SDTLINK_REWRITE_NOTES_H
#define SDTLINK_REWRITE_NOTES_H

#include "set.h"

/*
 * Where the notes go if the linker cannot drop those of dead code, until `sdtlink finalize` does.
 * For an address that is gone, gold writes some number if the section's name begins like one of
 * debug information, and otherwise refuses the link; .line is such a name, older than DWARF, and
 * one that no linker strips or compresses.
 */
#define NOTES_LATE_SECTION ".line.stapsdt"

/*
 * Without notes: have the code of <sys/sdt.h> refer no more to the section that notes need. Other
 * code cannot: the symbol is hidden, and has a name that is none of C. Before reindex().
 */
void notes_release(struct object *object);

/* Find what the object already has: the base section, semaphores. Before set_add_probes(). */
void notes_find(struct set *set);
/* One .note.stapsdt section per text section with such sites. Must be after set_add_sites(). */
void notes_add(struct set *set);

#endif
