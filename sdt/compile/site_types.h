/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The types of what the arguments of a site point to, from the debug information of the file that
 * the process has mapped there, or of the one that is installed for its build ID.
 */
#ifndef SDT_SITE_TYPES_H
#define SDT_SITE_TYPES_H

#include "dwarf/members.h"
#include "target/live_sites.h"

struct site_types {
    struct attached *process;
    const struct live_site *site;
};

/* The debug information of the site's file, until the tool ends; never NULL, but it may have
 * none. */
const struct dwarf *site_types_file(const struct site_types *types);
/* The type of argument NAME. */
enum dwarf_answer site_types_find(const struct site_types *types, const char *name,
                                  struct dwarf_type *type);

#endif
