/* SPDX-License-Identifier: BSD-2-Clause */
/* See patch/companion.h: of the kinds of sites there, a kernel's companions have calls only. */
#include "patch/companion.h"

#include "patch/calls.h"

void companion_rewrite(struct object *object)
{
    calls_disarm(object);
}
