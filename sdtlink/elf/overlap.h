/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef SDTLINK_ELF_OVERLAP_H
#define SDTLINK_ELF_OVERLAP_H

#include "object.h"

/* Refuse an object whose sections share bytes of the file. To be called before any change. */
int overlap_check(const struct object *object);

#endif
