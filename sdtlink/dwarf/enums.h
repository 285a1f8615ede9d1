/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Which enumeration an argument of a probe belongs to, by the argument's name and function.
 *
 * A file has an argument's name, which comes from its spelling (fields.c): `state` may have been
 * `state`, `p->state`, `state(p)`, each perhaps with a cast or an index. Everything that could be
 * meant is examined: variables of that name in the function and in functions inlined there; and in
 * the unit all variables outside functions, members of any structure, and functions. Candidates
 * without integers are ignored. If all others have the same enumeration, so has the argument; if
 * one has not, or is described elsewhere, the answer is none. A name given by SDT_NAMED() may stand
 * for something else; it is taken literally.
 */
#ifndef SDTLINK_DWARF_ENUMS_H
#define SDTLINK_DWARF_ENUMS_H

#include "dwarf.h"
#include "wishes.h"

/* Answer all WISHES, whose order changes. */
void dwarf_find_enums(struct dwarf *dwarf, struct dwarf_wish *wishes, size_t count);

#endif
