/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Which parts of a big input are not copied before their place is known.
 */
#ifndef SDTLINK_ELF_POSTPONED_H
#define SDTLINK_ELF_POSTPONED_H

#include "base/copier.h"

struct postponed {
    uint32_t section; /* 0: the section table */
    struct byte_range bytes;
};

enum { MAX_POSTPONED = 7 };

/*
 * Fill in LIST, in the order of the file; returns how many. Of the SIZE bytes at IMAGE, the headers
 * have been found to say how many sections there are; nothing else that they say is believed.
 * UNWIND_TYPE is what the machine calls sections of unwind information.
 */
size_t postponed_find(const uint8_t *image, uint64_t size, uint32_t unwind_type,
                      struct postponed list[MAX_POSTPONED]);

#endif
