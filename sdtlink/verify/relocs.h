/* SPDX-License-Identifier: BSD-2-Clause */
/* The relocations of an object. */
#ifndef SDT_VERIFY_RELOCS_H
#define SDT_VERIFY_RELOCS_H

#include "image.h"

/* Those of notes and of what occupies memory. -1: malformed (reported). */
int relocs_read(struct image *image);

#endif
