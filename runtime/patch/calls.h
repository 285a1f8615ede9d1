/* SPDX-License-Identifier: BSD-2-Clause */
/* A companion's calls that are as the compiler made them, and so are sites that are armed. */
#ifndef SDT_CALLS_H
#define SDT_CALLS_H

#include "registry/registry.h"

/* Whether SITE still is the branch to its stub; the record was checked when it was indexed. */
bool calls_is_one(const struct site *site);

/* Turn those of OBJECT off, each by one word. Where a form allows that: of call sites on aarch64
 * and riscv64, and of those of freestanding sets. Locked. */
void calls_disarm(struct object *object);

#endif
