/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The code that an armed call site jumps to, because its own bytes have no room for more: its
 * thunk, in the window of its object. It is made when the site is first armed that way, and stays
 * as long as the object: a thread may be about to run it. Composes window, text, registry and arch.
 * Locked.
 */
#ifndef SDT_THUNK_H
#define SDT_THUNK_H

#include "registry/registry.h"
#include "text.h"

#define THUNK_RUN 4096

/* Bytes of one object's window that wait to be written with one system call; lives on the caller's
 * stack. */
struct thunk_batch {
    struct text_writer *writer;
    struct object *object;
    uintptr_t begin;
    size_t n;
    uint8_t bytes[THUNK_RUN];
};

void thunk_begin(struct thunk_batch *batch, struct text_writer *writer);
/*
 * Make what SITE lacks to be armed by a jump. It may be run after thunk_flush() and a barrier.
 * Returns whether there was anything to make; if it could not be made, object->thunks.error says
 * why.
 */
bool thunk_prepare(struct thunk_batch *batch, struct site *site);
void thunk_flush(struct thunk_batch *batch);

/* Whether SITE may be armed by a jump, once it holds the window's MM. */
bool thunk_is_ready(const struct site *site);

#endif
