/* SPDX-License-Identifier: BSD-2-Clause */
/* For against.c: what `sdtlink --functions` changes beside the sites (<sdt/format.h>: function). */
#ifndef SDT_VERIFY_SILENCED_H
#define SDT_VERIFY_SILENCED_H

#include "image.h"
#include "records.h"

struct silenced {
    struct span *all; /* of the original, by place */
    size_t count;
};

/* Sound records, by record_place(). */
struct sited {
    const struct record **all;
    size_t count;
};

/* What compilers call at the entry (fn:entry) and the end of a function (fn:return): whether NAME
 * is that of PROBE; NULL: of one of them. */
bool silenced_is_call(const char *name, const char *probe);
/* Whether a section called NAME says where sleds are: with the sleds, what it holds goes. */
bool silenced_is_map(const char *name);
/* Find the calls for which there is no record, and the sleds for which there is one; what stands
 * there now is checked. MAP: as in against.c. -1: memory. */
int silenced_read(struct silenced *silenced, struct image *image, const struct image *original,
                  const uint32_t *map, const struct sited *sited);
void silenced_free(struct silenced *silenced);
/* Where the span ends that PLACE of the original is in; 0: it is in none. */
uint64_t silenced_end(const struct silenced *silenced, struct place place);
/* Where the first span at or after PLACE begins, in its section; UINT64_MAX: nowhere. */
uint64_t silenced_next(const struct silenced *silenced, struct place place);

#endif
