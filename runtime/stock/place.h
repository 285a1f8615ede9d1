/* SPDX-License-Identifier: BSD-2-Clause */
/* Address space for code that is made for an object, where branches reach both. */
#ifndef SDT_STOCK_PLACE_H
#define SDT_STOCK_PLACE_H

#include <link.h>
#include <stddef.h>
#include <stdint.h>

struct stock_place {
    const struct dl_phdr_info *object;
    uintptr_t first, last; /* the instructions there that branch to it, and that it branches to */
    size_t code, data;     /* bytes that are wanted, in whole pages; the data come after the code */
    uintptr_t at;          /* out */
};

size_t stock_whole_pages(size_t size);

/*
 * Map it: the code may be run and read, the data read and written. All of it is within 2 GiB of all
 * of the object. 0 or -EADDRINUSE.
 */
int stock_place_map(struct stock_place *place);
void stock_place_unmap(const struct stock_place *place);

#endif
