/* SPDX-License-Identifier: BSD-2-Clause */
/* C++ names as people write them, for `sdtlink list --demangle`. */
#ifndef SDTLINK_LIST_DEMANGLE_H
#define SDTLINK_LIST_DEMANGLE_H

#include "site.h"

/* Set `demangled` of each site from number FIRST on whose function is a C++ name. -1 after a
 * message: it could not be done. */
int list_demangle(struct list *list, size_t first);

#endif
