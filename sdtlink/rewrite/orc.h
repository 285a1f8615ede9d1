/* SPDX-License-Identifier: BSD-2-Clause */
/* Linux's unwind tables, of an object that objtool has processed, for the code that the tool adds.
 */
#ifndef SDTLINK_REWRITE_ORC_H
#define SDTLINK_REWRITE_ORC_H

#include "set.h"

/* Refuse tables that are not understood. */
int orc_check(const struct object *object);

/* Read the tables, if the object has some, before they grow. */
void orc_begin(struct set *set);
/* Say what holds from OFFSET of SECTION on, code for sites of TEXT that is entered by a call. */
void orc_add(struct set *set, const struct planned_text *text, uint32_t section, uint64_t offset);
/* The same of the entry of SITE, at OFFSET of SECTION. */
void orc_add_entry(struct set *set, const struct planned_site *site, uint32_t section,
                   uint64_t offset);
void orc_end(struct set *set);

#endif
