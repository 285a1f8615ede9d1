/* SPDX-License-Identifier: BSD-2-Clause */
#include "companion.h"

#include "diag.h"

int companion_check(const struct plan *plan)
{
    return diag_error("%s: not yet", plan->object->path);
}

void companion_build(struct object *companion, const struct plan *plan)
{
    (void)companion, (void)plan;
}
