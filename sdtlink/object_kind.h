/* SPDX-License-Identifier: BSD-2-Clause */
/* Is this a file that sdtlink processes? What its first bytes say. */
#ifndef SDTLINK_OBJECT_KIND_H
#define SDTLINK_OBJECT_KIND_H

#include "object.h"

/* Judge the first SIZE bytes of the file; libelf is not asked yet, it would only say "invalid". 0,
 * or -1 after a message. */
int object_check_magic(const struct object *o, const uint8_t *head, size_t size);

/* The same of a whole ELF header: for which machine, and which type of file. Sets o->arch. */
int object_check_header(struct object *o, const uint8_t *head);

#endif
