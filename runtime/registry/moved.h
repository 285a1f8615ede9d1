/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Code that is somewhere else by now. llvm-bolt writes functions anew and leaves the old ones in
 * the file, where they are not executed; it does not know our records, so they lead to the old
 * ones. A site there can be armed, and would never be hit.
 */
#ifndef SDT_MOVED_H
#define SDT_MOVED_H

#include "site/image.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct moved {
    bool is_any; /* of this object's functions; else the rest is not set */
    uintptr_t base;
    struct moved_range {
        uint64_t begin, end;
    } * stayed; /* in ascending order */
    size_t count;
};

/* What became of the object that IMAGE is of: 0, or -ENOMEM. Where that is not known, nothing has
 * moved. What has stayed is the caller's to free(), in any case. */
int moved_open(struct moved *moved, const struct image *image);
/* Whether ADDRESS is in an old copy. */
bool moved_from(const struct moved *moved, uintptr_t address);

#endif
