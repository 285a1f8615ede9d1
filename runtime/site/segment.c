/* SPDX-License-Identifier: BSD-2-Clause */
/* See image.h: the questions to an image, whoever has made it. */
#include "image.h"

const struct segment *image_segment(const struct image *image, uintptr_t address, size_t size)
{
    for (size_t i = 0; i < image->n; i++) {
        const struct segment *segment = &image->segments[i];
        if (address >= segment->begin && address < segment->end && segment->end - address >= size)
            return segment;
    }
    return NULL;
}

bool image_holds(const struct image *image, uintptr_t address, size_t size)
{
    return image_segment(image, address, size) != NULL;
}

bool image_holds_text(const struct image *image, uintptr_t address, size_t size)
{
    const struct segment *segment = image_segment(image, address, size);
    return segment && segment->executable;
}

bool image_holds_data(const struct image *image, uintptr_t address, size_t size)
{
    const struct segment *segment = image_segment(image, address, size);
    return segment && segment->writable;
}
