/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The records of an object that sdtlink has not seen, made from its notes: what <sdt/format.h>
 * describes, in memory near the object. So all further processing is as for other objects.
 */
#ifndef SDT_STOCK_BUILD_H
#define SDT_STOCK_BUILD_H

#include "notes.h"

#include <link.h>

struct annex;
struct sdt_dso;

struct stock_build {
    const struct dl_phdr_info *object; /* that is mapped */
    int file;                          /* what it was mapped from */
    const struct stock_notes *notes;
    size_t sites, skipped; /* out: notes that became sites, and that did not */
};

/* Make them. *DSO is NULL if no note can be a site. 0 or -errno. */
int stock_build(struct stock_build *build, struct sdt_dso **dso, struct annex **annex);
/* Unmap it. No thread may be in it. */
void stock_unbuild(struct annex *annex);

#endif
