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
 * gold writes any number in the place of an address that is gone if the section's name begins
 * like one of debug information, and refuses the link otherwise; .line is such a name, from times
 * before DWARF, and one that no linker strips or compresses.
 */
#define NOTES_LATE_SECTION ".line.stapsdt"

/* Find what the object has of it already: the base section, semaphores. Before set_add_probes(). */
void notes_find(struct set *set);
/* One .note.stapsdt section per text section with such sites. Must be after set_add_sites(). */
void notes_add(struct set *set);

#endif
