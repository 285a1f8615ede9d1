/* SPDX-License-Identifier: BSD-2-Clause */
/* For against.c: bytes of the original that may be zeros in what was made from it. */
#ifndef SDT_VERIFY_SPELLINGS_H
#define SDT_VERIFY_SPELLINGS_H

#include "image.h"

struct spellings {
    struct spelling *all; /* by place */
    size_t count;
};

/* -1: memory. */
int spellings_read(struct spellings *spellings, const struct image *original);
void spellings_free(struct spellings *spellings);
/* Whether PLACE of the original is in one. */
bool spellings_hold(const struct spellings *spellings, struct place place);
/* None that is zeros now is used by anything else that is loaded. MAP: as in against.c. */
void spellings_check(const struct spellings *spellings, struct image *image,
                     const struct image *original, const uint32_t *map);

#endif
