/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What the words of a record lead to.
 */
#ifndef SDT_TARGET_H
#define SDT_TARGET_H

#include <stdint.h>

/* The address that a 32-bit distance names; 0 for "none". */
static inline uintptr_t record_target(const int32_t *field)
{
    return *field ? (uintptr_t)field + (uintptr_t)(intptr_t)*field : 0;
}

#endif
