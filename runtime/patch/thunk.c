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
    batch->n = 0;
}

void thunk_flush(struct thunk_batch *batch)
{
    if (batch->n == 0)
        return;
    int error = text_write_run(batch->writer, (uint8_t *)batch->begin, batch->bytes, batch->n);
    if (error)
        batch->object->thunks.error = error;
    batch->n = 0;
}

/* Have THUNK, for ADDRESS in the window of OBJECT, written with the others. */
static void add_thunk(struct thunk_batch *batch, struct object *object, uintptr_t address,
                      const uint8_t thunk[SITE_THUNK])
{
    uintptr_t end = batch->begin + batch->n;
    if (batch->n && (batch->object != object || address < end ||
                     address + SITE_THUNK - batch->begin > sizeof batch->bytes))
        thunk_flush(batch);
    if (batch->n == 0) {
        batch->object = object;
        batch->begin = end = address;
    }
    memcpy(batch->bytes + batch->n, (const void *)end, address - end);
    memcpy(batch->bytes + (address - batch->begin), thunk, SITE_THUNK);
    batch->n = address + SITE_THUNK - batch->begin;
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

/* ---- Sites. ---- */

/* Make the thunk of SITE. Returns where it is to be. */
static uintptr_t make_thunk(const struct site *site, uint8_t thunk[SITE_THUNK])
{
    const struct window *window = &site->probe->object->thunks.window;
    uintptr_t address = site->patch + (uintptr_t)machine_thunk_distance(window->mm);
    machine_encode_thunk(address, (uintptr_t)site_stub(site), thunk);
    return address;
}

bool thunk_prepare(struct thunk_batch *batch, struct site *site)
{
    struct object *object = site->probe->object;
    uint8_t thunk[SITE_THUNK];
    if (!wants_thunk(site) || !has_window(object) || thunk_is_ready(site))
        return false;
    uintptr_t address = make_thunk(site, thunk);
    add_thunk(batch, object, address, thunk);
    return true;
}

bool thunk_is_ready(const struct site *site)
{
    uint8_t thunk[SITE_THUNK];
    if (!wants_thunk(site) || !site->probe->object->thunks.window.size)
        return false;
    uintptr_t address = make_thunk(site, thunk);
    return memcmp((const void *)address, thunk, sizeof thunk) == 0;
}
