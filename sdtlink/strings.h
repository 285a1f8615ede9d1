/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The string section of the site set, .rodata.sdt_str, in the making: every distinct string once.
 */
#ifndef SDTLINK_STRINGS_H
#define SDTLINK_STRINGS_H

#include "memory.h"
#include "names.h"

struct strings {
    struct bytes text;
    uint32_t *slots; /* offset + 1 of a string in text; 0: free. Open addressing. */
    size_t slot_count, used;
};

/* The offset of STRING, added if it is new. */
uint32_t strings_add(struct strings *strings, struct slice string);
void strings_free(struct strings *strings);

#endif
