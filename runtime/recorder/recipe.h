/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Recipes: how a hit of one site is recorded, worked out beforehand. Hits find a site's at its
 * record's place in the object. One of an earlier recorder is of no use, but may still be read: it
 * stays until the object goes.
 */
#ifndef SDT_RECORDER_RECIPE_H
#define SDT_RECORDER_RECIPE_H

#include "metadata.h"

#include <registry.h>

/* Locked, all. GENERATION is the recorder's. */
bool recipe_is_there(const struct site *site, uint32_t generation);
/* From now on hits of SITE are events of CLASS, with at most so many CALLERS. 0 or -ENOMEM. */
int recipe_make(struct site *site, const struct event_class *class, unsigned callers,
                uint32_t generation);
/* OBJECT is gone, and a grace period is over. */
void recipe_forget(struct object *object);

#endif
