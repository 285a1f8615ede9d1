/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See thunk.h. Thunks are written like the text (text.c), in runs: neighbours take one system call,
 * which rewrites the bytes between them unchanged. That is safe here, unlike in the text, because
 * only we write to a window.
 *
 * A site has its thunk if its bytes are there, whatever the write returned: they are read back.
 */
#include "thunk.h"

#include <arch/machine.h>
#include <string.h>

static bool wants_thunk(const struct site *site)
{
    return site->form->mm != 0;
}

/* ---- Runs. ---- */

void thunk_begin(struct thunk_batch *batch, struct text_writer *writer)
{
    batch->writer = writer;
    batch->thunks.n = 0;
}

static void flush(struct text_writer *writer, struct thunk_run *run)
{
    if (run->n == 0)
        return;
    int error = text_write_run(writer, (uint8_t *)run->begin, run->bytes, run->n);
    if (error)
        run->object->thunks.error = error;
    run->n = 0;
}

void thunk_flush(struct thunk_batch *batch)
{
    flush(batch->writer, &batch->thunks);
}

/* Have the N bytes at ADDRESS, in the window of OBJECT, written with the others of RUN. */
static void add_bytes(struct text_writer *writer, struct thunk_run *run, struct object *object,
                      uintptr_t address, const void *bytes, size_t n)
{
    uintptr_t end = run->begin + run->n;
    if (run->n &&
        (run->object != object || address < end || address + n - run->begin > sizeof run->bytes))
        flush(writer, run);
    if (run->n == 0) {
        run->object = object;
        run->begin = end = address;
    }
    memcpy(run->bytes + run->n, (const void *)end, address - end);
    memcpy(run->bytes + (address - run->begin), bytes, n);
    run->n = address + n - run->begin;
}

/* ---- Windows. ---- */

static void stretch(uintptr_t *low, uintptr_t *high, uintptr_t address)
{
    if (*low == 0 || address < *low)
        *low = address;
    if (address > *high)
        *high = address;
}

static struct window_need need_of(const struct object *object)
{
    struct window_need need = {0};
    for (size_t i = 0; i < object->n; i++) {
        const struct site *site = &object->sites[i];
        if (site->is_bad || !wants_thunk(site))
            continue;
        stretch(&need.reach_low, &need.reach_high, site->patch);
        stretch(&need.reach_low, &need.reach_high, (uintptr_t)site_stub(site));
        if (need.low == 0)
            need.mm = site_pc(site)[site->form->mm];
        stretch(&need.low, &need.high, site->patch);
    }
    return need;
}

/* Map the window if there is none; what an object needs does not change. */
static bool has_window(struct object *object)
{
    struct thunks *thunks = &object->thunks;
    if (thunks->window.size)
        return true;
    struct window_need need = need_of(object);
    thunks->error = window_map(&need, &thunks->window);
    return thunks->window.size != 0;
}

void thunk_free(struct object *object)
{
    window_unmap(&object->thunks.window);
}

/* ---- Sites. ---- */

static uintptr_t thunk_address(const struct object *object, const struct site *site)
{
    return site->patch + (uintptr_t)machine_thunk_distance(object->thunks.window.mm);
}

static void encode_thunk(const struct object *object, const struct site *site,
                         uint8_t thunk[SITE_THUNK])
{
    machine_encode_thunk(thunk_address(object, site), (uintptr_t)site_stub(site), thunk);
}

/* Whether the N bytes at ADDRESS are BYTES; the window is readable. */
static bool is_written(uintptr_t address, const uint8_t *bytes, size_t n)
{
    return memcmp((const void *)address, bytes, n) == 0;
}

bool thunk_prepare(struct thunk_batch *batch, struct site *site)
{
    struct object *object = site->probe->object;
    uint8_t thunk[SITE_THUNK];
    if (!wants_thunk(site) || !has_window(object) || thunk_is_ready(site))
        return false;
    encode_thunk(object, site, thunk);
    add_bytes(batch->writer, &batch->thunks, object, thunk_address(object, site), thunk,
              sizeof thunk);
    return true;
}

bool thunk_is_ready(const struct site *site)
{
    const struct object *object = site->probe->object;
    uint8_t thunk[SITE_THUNK];
    if (!wants_thunk(site) || !object->thunks.window.size)
        return false;
    encode_thunk(object, site, thunk);
    return is_written(thunk_address(object, site), thunk, sizeof thunk);
}
