/* SPDX-License-Identifier: BSD-2-Clause */
/* Finding what an object holds; nothing in the object is changed by that. */
#ifndef SDTLINK_PROBES_SITES_FIND_H
#define SDTLINK_PROBES_SITES_FIND_H

#include "chosen.h"
#include "sites.h"

/* Those of <sys/sdt.h>'s notes as well, if WITH_STAPSDT. ASKED: the functions whose entries and
 * ends are sites (instrumented.h); NULL: none are. */
int sites_find(struct sites *sites, const struct object *object, bool with_stapsdt,
               const struct functions_asked *asked);

#endif
