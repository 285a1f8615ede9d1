/* SPDX-License-Identifier: BSD-2-Clause */
#include "batch.h"

#include "hit/sync.h"
#include "process/environment.h"

void batch_begin(struct batch *batch)
{
    text_begin(&batch->writer);
    batch->writer.may_unlock = environment_allows_unlocking();
    batch->n = 0;
    batch->wrote = false;
}

static void batch_write(struct batch *batch)
{
    text_write(&batch->writer, batch->edits, batch->n);
    for (size_t i = 0; i < batch->n; i++) {
        struct site *site = batch->edits[i].owner;
        if (batch->edits[i].error) {
            site->error = batch->edits[i].error;
            site->is_bad = true;
        }
    }
    batch->wrote = batch->wrote || batch->n > 0;
    batch->n = 0;
}

void batch_add(struct batch *batch, const struct text_edit *edit)
{
    bool is_full = batch->n == sizeof batch->edits / sizeof batch->edits[0];
    if (is_full || (batch->n > 0 && edit->address <= batch->edits[batch->n - 1].address))
        batch_write(batch); /* text_write() wants them sorted */
    batch->edits[batch->n++] = *edit;
}

void batch_end(struct batch *batch)
{
    batch_write(batch);
    text_end(&batch->writer);
    if (batch->wrote)
        sync_text();
}
