/* SPDX-License-Identifier: BSD-2-Clause */
/* Thunks (runtime/patch/thunk.h), of which no site of a freestanding set has one. */
#ifndef SDT_THUNK_H
#define SDT_THUNK_H

#include "patch/text.h"
#include "registry/registry.h"

struct thunk_batch {
    struct text_writer *writer;
};

static inline void thunk_begin(struct thunk_batch *batch, struct text_writer *writer)
{
    batch->writer = writer;
}

static inline bool thunk_prepare(struct thunk_batch *batch, struct site *site)
{
    (void)batch;
    (void)site;
    return false;
}

static inline void thunk_flush(struct thunk_batch *batch)
{
    (void)batch;
}

static inline bool thunk_is_ready(const struct site *site)
{
    (void)site;
    return false;
}

#endif
