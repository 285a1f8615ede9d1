/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Which global symbol of an object a companion counts a place from: the last one before the place,
 * so that a person who reads the companion finds the call, and the distance is short. Where none is
 * before it, the first one of the section.
 *
 * A symbol that is hidden or protected is better than one that another file may replace: a shared
 * library's linker refuses references to the latter. So those serve only in sections that have no
 * other.
 */
#ifndef SDTLINK_REWRITE_COMPANION_BASE_H
#define SDTLINK_REWRITE_COMPANION_BASE_H

#include "elf/object.h"

struct companion_base {
    uint32_t section, symbol;
    uint64_t offset; /* of the symbol, in its section */
};
struct companion_bases {
    struct companion_base *items; /* by section, offset and symbol */
    size_t count;
};

struct companion_bases companion_bases(const struct object *object);
void companion_bases_free(struct companion_bases *bases);
/* The symbol for OFFSET in SECTION; 0: the section has none that can serve. */
uint32_t companion_base(const struct companion_bases *bases, uint32_t section, uint64_t offset);

#endif
