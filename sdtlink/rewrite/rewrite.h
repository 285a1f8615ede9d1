/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef SDTLINK_REWRITE_REWRITE_H
#define SDTLINK_REWRITE_REWRITE_H

#include "set.h"

/* Before reindex(): remove from the object what becomes superfluous, and make room. */
void rewrite_prepare(const struct set *set);
/* After reindex(): the bytes and relocations of the sites. */
void rewrite_sites(const struct set *set);
/* After writer_write() to FD: read the file again and hold every site against the plan. */
int rewrite_check(const struct set *set, int fd);

#endif
