/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Which enumeration an argument of a probe is of, by its name and the function that it is in.
 *
 * A file says of an argument what it is called, which comes from its spelling (fields.c): `state`
 * may have been `state`, `p->state`, `state(p)`, each perhaps with a cast or an index. Whatever
 * could be meant is looked at: variables of that name in the function, and in what is inlined
 * there; and of the unit, all variables out of functions, members of any structure, and functions.
 * What has no integers in it cannot be meant. If all others are of one enumeration, the argument
 * is; if there is one that is not, or that is described elsewhere, nothing is said. What
 * SDT_NAMED() has called so can be something else, and is taken by its name.
 */
#ifndef SDTLINK_DWARF_ENUMS_H
#define SDTLINK_DWARF_ENUMS_H

#include "dwarf.h"

enum { DWARF_MAX_LABELS = 256 }; /* of an enumeration: as in descriptions */

struct dwarf_label {
    int64_t value;
    const char *name; /* in the file, until dwarf_close() */
};

struct dwarf_wish {
    const char *function; /* its symbol */
    const char *name;
    void *of; /* the caller's */
    bool is_doubtful;
    struct dwarf_label *labels; /* the answer, to be freed; NULL: none */
    size_t label_count;
};

/* Answer all WISHES, whose order changes. */
void dwarf_find_enums(struct dwarf *dwarf, struct dwarf_wish *wishes, size_t count);
void dwarf_free_wishes(struct dwarf_wish *wishes, size_t count);

#endif
