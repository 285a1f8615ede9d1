/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Recipes: how a hit of one site is recorded, computed beforehand. Hits find a site's recipe by the
 * index of its record in the object. A recipe of an earlier recorder is useless, but may still be
 * read: it stays until the object is unloaded.
 */
#ifndef SDT_RECORDER_RECIPE_H
#define SDT_RECORDER_RECIPE_H

#include "metadata.h"

#include <site/site.h>

/* Locked, all. GENERATION is the recorder's. */
bool recipe_is_there(const struct site *site, uint32_t generation);
/* From now on hits of SITE are events of CLASS, with at most so many CALLERS. 0 or -ENOMEM. */
int recipe_make(struct site *site, const struct event_class *class, unsigned callers,
                uint32_t generation);
/* OBJECT is gone, and a grace period is over. */
void recipe_forget(struct object *object);

#endif
