/* SPDX-License-Identifier: BSD-2-Clause */
/* See module.h: what an object is called, and where its parts are, the kernel has said. */
#include "freestanding/module.h"

#include "registry/module.h"
#include "site/image.h"

#include <errno.h>
#include <stdlib.h>

int image_of(const struct sdt_dso *dso, struct image *image)
{
    const struct sdt_kernel_module *module = ((const struct added *)dso)->module;
    image->segments = calloc(module->range_count + 1, sizeof *image->segments);
    if (!image->segments)
        return -ENOMEM;
    image->sites_begin = module->sites_begin;
    image->sites_end = module->sites_end;
    for (; image->n < module->range_count; image->n++) {
        const struct sdt_range *range = &module->ranges[image->n];
        image->segments[image->n] =
            (struct segment){range->begin, range->end, (range->kind & SDT_RANGE_DATA) != 0,
                             (range->kind & SDT_RANGE_TEXT) != 0};
    }
    return 0;
}

void image_free(struct image *image)
{
    free(image->segments);
    *image = (struct image){0};
}

int module_name(struct object *object, const struct image *image)
{
    (void)image;
    object->module = ((const struct added *)object->dso)->module->name;
    return 0;
}
