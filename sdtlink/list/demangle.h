/* SPDX-License-Identifier: BSD-2-Clause */
/* C++ names as people write them, for `sdtlink list`. */
#ifndef SDTLINK_LIST_DEMANGLE_H
#define SDTLINK_LIST_DEMANGLE_H

#include "site.h"

/* Set `demangled` of each site from number FIRST on whose function is a C++ name. If it cannot be
 * done: -1 after a message, or, unless it MUST, 0 with names as they are. */
int list_demangle(struct list *list, size_t first, bool must);

#endif
