/* SPDX-License-Identifier: BSD-2-Clause */
/* Words of many sites, written together. */
#ifndef SDT_BATCH_H
#define SDT_BATCH_H

#include "patch.h"
#include "text.h"

struct batch {
    struct text_writer writer;
    struct text_edit edits[PATCH_CHUNK];
    size_t n;
    bool wrote;
};

/* One batch: begin, any number of edits whose owners are sites, end. A site whose edit fails is bad
 * from then on. */
void batch_begin(struct batch *batch);
void batch_add(struct batch *batch, const struct text_edit *edit);
/* And every thread sees what was written. */
void batch_end(struct batch *batch);

#endif
