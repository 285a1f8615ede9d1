/* SPDX-License-Identifier: BSD-2-Clause */
/* How many processes follow a target: children that do have its page mapped. */
#ifndef SDT_FOLLOWERS_H
#define SDT_FOLLOWERS_H

#include "target.h"

/* Those of TARGET and their children; it searches /proc. */
size_t followers_count(struct target *target);

#endif
