/* SPDX-License-Identifier: BSD-2-Clause */
/* From a file to an image of it. */
#ifndef SDT_VERIFY_OPEN_H
#define SDT_VERIFY_OPEN_H

#include "image.h"

/* Open PATH. On failure says why on standard error and returns -1; to be closed in any case. */
int image_open(struct image *image, const char *path);
void image_close(struct image *image);

#endif
