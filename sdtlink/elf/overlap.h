/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef SDTLINK_ELF_OVERLAP_H
#define SDTLINK_ELF_OVERLAP_H

#include "object.h"

/* Refuse an object whose sections share bytes of the file. Must be before anything is changed. */
int overlap_check(const struct object *object);

#endif
