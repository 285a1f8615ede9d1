/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The objects that the loader has mapped, of all its namespaces: those of dlmopen(3) as well.
 */
#ifndef SDT_LOADED_H
#define SDT_LOADED_H

#include <link.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct dl_phdr_info;

/* As dl_iterate_phdr(), with the loader's lock held; the program's own namespace comes first.
 * Objects may be visited twice. */
int loaded_visit(int (*visit)(struct dl_phdr_info *object, size_t size, void *data), void *data);

/* The segment of OBJECT that has the SIZE bytes at ADDRESS in memory, with FLAGS (PF_…) at least;
 * NULL: none. */
const ElfW(Phdr) * loaded_segment(const struct dl_phdr_info *object, uintptr_t address, size_t size,
                                  unsigned flags);
/* From the first to the last of those with FLAGS: [*LOW, *HIGH). */
void loaded_extent(const struct dl_phdr_info *object, unsigned flags, uintptr_t *low,
                   uintptr_t *high);

/* Whether ADDRESS is in the program itself, and not in a library. */
bool loaded_is_program(const void *address);

#endif
