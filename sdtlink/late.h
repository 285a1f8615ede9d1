/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Which parts of a big input are not copied until their final place is known.
 */
#ifndef SDTLINK_LATE_H
#define SDTLINK_LATE_H

#include "copier.h"

struct object;

struct late {
    uint32_t section; /* 0: the section table */
    struct byte_range bytes;
};

enum { LATE_MOST = 7 };

/*
 * Fill in LATE, in the order of the file; returns how many. OBJECT needs no more than its image and
 * how many sections there are, and nothing that they say is believed.
 */
size_t late_find(const struct object *object, struct late late[LATE_MOST]);

#endif
