/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What the module of a probe is called.
 */
#ifndef SDT_MODULE_H
#define SDT_MODULE_H

#include "site/image.h"
#include "site/site.h"

/* Fill in what OBJECT says of its file, which IMAGE is of. Locked. 0 or -ENOMEM. */
int module_name(struct object *object, const struct image *image);

#endif
