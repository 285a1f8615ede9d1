/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The objects that the loader has mapped, of all its namespaces: those of dlmopen(3) as well.
 */
#ifndef SDT_LOADED_H
#define SDT_LOADED_H

#include <stdbool.h>
#include <stddef.h>

struct dl_phdr_info;

/* As dl_iterate_phdr(), with the loader's lock held; the program's own namespace comes first.
 * Objects may be visited twice. */
int loaded_visit(int (*visit)(struct dl_phdr_info *object, size_t size, void *data), void *data);

/* Whether ADDRESS is in the program itself, and not in a library. */
bool loaded_is_program(const void *address);

#endif
