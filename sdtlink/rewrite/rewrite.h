/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef SDTLINK_REWRITE_REWRITE_H
#define SDTLINK_REWRITE_REWRITE_H

#include "plan.h"

/* Before reindex(): take what becomes superfluous out of the object, and make room. */
void rewrite_prepare(struct object *object, const struct plan *plan);
/* After reindex(): the bytes and relocations of the sites. */
void rewrite_sites(struct object *object, const struct plan *plan);
/* After writer_write() to FD: read the file again and hold every site against the plan. */
int rewrite_check(const struct object *object, const struct plan *plan, int fd);

#endif
