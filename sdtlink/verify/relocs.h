/* SPDX-License-Identifier: BSD-2-Clause */
/* The relocations of an object. */
#ifndef SDT_VERIFY_RELOCS_H
#define SDT_VERIFY_RELOCS_H

#include "image.h"

/* Number INDEX of TABLE, in the order of the file; false: there are not as many. Nothing is
 * checked.
 */
bool relocs_at(const struct section *table, uint64_t index, struct rela *rela);

/* Those of notes and of what occupies memory. -1: malformed (reported). */
int relocs_read(struct image *image);

#endif
