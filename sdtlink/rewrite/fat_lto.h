/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef SDTLINK_REWRITE_FAT_LTO_H
#define SDTLINK_REWRITE_FAT_LTO_H

#include "elf/object.h"

/* Refuse an object with intermediate code that is not complete without it. Changes nothing. */
int fat_lto_check(const struct object *object);
/* Take the intermediate code out, so that the machine code is all there is. */
void fat_lto_remove(struct object *object);

#endif
