/* SPDX-License-Identifier: BSD-2-Clause */
/* What the site set is made of: records of sites and probes, and the registration. */
#ifndef SDTLINK_REWRITE_SET_BUILD_H
#define SDTLINK_REWRITE_SET_BUILD_H

#include "set.h"

/* Records of probes, with their stubs, for every probe that has none in this object yet. */
void set_add_probes(struct set *set);
/* Append SITE's record to SECTION. The site lies in symbol BASE + OFFSET; it leads to STUB. */
void set_add_record(struct set *set, uint32_t section, const struct planned_site *site,
                    uint32_t base, uint64_t offset, struct set_place stub);
/* One sdt_sites section per text section. */
void set_add_sites(struct set *set);
/* The registration group of an object with sites; one of all that are linked together remains. */
void set_add_registration(struct set *set);
/* The registration of a companion: its own set, all of section SITES. */
void set_add_companion_registration(struct set *set, uint32_t sites);

#endif
