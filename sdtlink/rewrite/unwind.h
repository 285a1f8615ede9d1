/* SPDX-License-Identifier: BSD-2-Clause */
/* The unwind information of the code that is added. */
#ifndef SDTLINK_REWRITE_UNWIND_H
#define SDTLINK_REWRITE_UNWIND_H

#include "set.h"

/* Say that code in SECTION at OFFSET has its return address on top of the stack. */
void unwind_add(struct set *set, uint32_t section, uint64_t offset, uint32_t size);
/* Say that SECTION holds entries. */
void unwind_add_entries(struct set *set, uint32_t section, uint32_t size);

#endif
