/* SPDX-License-Identifier: BSD-2-Clause */
/* Where a walk through the callers of a hit begins (unwind/stack.h). */
#ifndef SDT_HIT_WALK_H
#define SDT_HIT_WALK_H

#include "event.h"
#include "unwind/stack.h"

/* In a reader section, as hits are: begin at the site of EVENT, whose address is walk->pc then.
 * False: nothing is known. */
bool walk_begin(struct stack_walk *walk, const struct sdt_event *event, struct pages_way way);

#endif
