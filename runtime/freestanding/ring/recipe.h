/* SPDX-License-Identifier: BSD-2-Clause */
/* Recipes of a recorder (runtime/ring/recipe.h), which there is none here. */
#ifndef SDT_RECORDER_RECIPE_H
#define SDT_RECORDER_RECIPE_H

#include "site/site.h"

static inline void recipe_forget(struct object *object)
{
    (void)object;
}

#endif
