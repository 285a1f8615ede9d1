/* SPDX-License-Identifier: BSD-2-Clause */
/* One piece of code of the site set: a stub, a loader, an entry, … */
#ifndef SDTLINK_REWRITE_ADD_CODE_H
#define SDTLINK_REWRITE_ADD_CODE_H

#include "set.h"

/* Append CODE to SECTION, relocated against those of PLACES that it names; returns where it is. */
uint64_t add_code(struct set *set, uint32_t section, const struct arch_code *code,
                  const struct set_place places[ARCH_PLACES]);
/* One such relocation of the code at AT. */
void add_code_fixup(struct set *set, uint32_t section, uint64_t at, const struct arch_fixup *fixup,
                    const struct set_place *place);

#endif
