/* SPDX-License-Identifier: BSD-2-Clause */
/* The code of the site set: stubs, loaders, constructors, and what stays callable. */
#ifndef SDTLINK_REWRITE_STUBS_H
#define SDTLINK_REWRITE_STUBS_H

#include "set.h"

/* The stub of PROBE, which is MADE; unless it is a companion's, in a COMDAT group named after its
 * symbol. */
void stubs_add_stub(struct set *set, const struct probe *probe, struct set_probe *made);
/* Stubs beside each text section that has sites, where they must be near (is_own_code_near). */
void stubs_add_near(struct set *set);
/* What a companion defines is-enabled symbols as: returns 0. Returns its section. */
uint32_t stubs_add_enabled(struct set *set, uint32_t record);
/* One loader section per text section that needs one. Must be before set_add_sites(). */
void stubs_add_loaders(struct set *set);
/* Of a companion: SITE itself, for which BRANCH stands in the object; returns where it begins. */
struct set_place stubs_add_moved(struct set *set, const struct planned_site *site,
                                 struct set_place branch, struct set_place stub);
/* A function for a symbol whose address is taken: does nothing, or returns 0. */
void stubs_add_taken(struct set *set);
/* Constructor and destructor that hand DSO (a section) to the runtime. BOUNDS: the symbols that the
 * linker defines for the set; NULL: it defines none. */
void stubs_add_constructors(struct set *set, uint32_t dso, uint32_t group, const uint32_t *bounds);

#endif
