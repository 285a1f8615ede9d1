/* SPDX-License-Identifier: BSD-2-Clause */
/* Everything in a program that an argument's name could mean: see enums.h. */
#ifndef SDTLINK_DWARF_MEANINGS_H
#define SDTLINK_DWARF_MEANINGS_H

#include "dwarf.h"
#include "wishes.h"

#include <elfutils/libdw.h>

/* A member, a function or a variable outside functions; one in the function; its parameter. */
enum meaning_rank { MEANING_ANYWHERE, MEANING_LOCAL, MEANING_PARAMETER };

/* WISH may mean something whose type is that of ATTRIBUTE. */
typedef void meaning_visit(struct dwarf_wish *wish, Dwarf_Attribute attribute,
                           enum meaning_rank rank);

/* Call VISIT for all that WISHES could mean, whose order changes. A wish becomes doubtful, and is
 * not visited any more, where some of that is elsewhere or cannot be read. */
void meanings_find(const struct dwarf *dwarf, struct dwarf_wish *wishes, size_t count,
                   meaning_visit *visit);

#endif
