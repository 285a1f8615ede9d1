/* SPDX-License-Identifier: BSD-2-Clause */
/* Companion mode: the calls are still in the text when the object registers. */
#ifndef SDT_COMPANION_H
#define SDT_COMPANION_H

#include "registry/registry.h"

/*
 * Replace the calls of OBJECT by their disabled form, and lead other branches to their sites. Where
 * that fails, the site is blocked, and goes on calling its stub, which returns while the probe is
 * off; while it is on, handlers are called by events that know no site. Locked.
 */
void companion_rewrite(struct object *object);

#endif
