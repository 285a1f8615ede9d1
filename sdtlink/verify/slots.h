/* SPDX-License-Identifier: BSD-2-Clause */
/* The words of a linked file that the dynamic linker fills in: where an indirect call leads. */
#ifndef SDT_VERIFY_SLOTS_H
#define SDT_VERIFY_SLOTS_H

#include "image.h"

struct slot {
    uint64_t address;
    const char *name; /* of another file's symbol; NULL: in this file, at … */
    uint64_t target;  /* … which is 0 if it is chosen at start-up (an ifunc) */
};

struct slots {
    struct slot *all; /* sorted by address */
    size_t count;
};

/* -1: out of memory (reported). What is malformed is left out: then nothing leads anywhere. */
int slots_read(struct image *image, struct slots *slots);
const struct slot *slots_find(const struct slots *slots, uint64_t address);

#endif
