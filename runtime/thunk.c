/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See thunk.h. Thunks and entries are written like the text (text.c), in runs: neighbours go with
 * one system call, and what lies between them is written again as it is. That is safe here as it
 * would not be in the text: nobody else writes to a window.
 *
 * A site has its thunk when its bytes are there, whatever the writing said: they are read back.
 */
#include "thunk.h"

#include <arch/vector.h>
#include <string.h>

/* In arch/entry_x86_64.S: what a site's entry calls. */
void entry_save(void);
void entry_save_flags(void); /* keeps the CPU's flags, too */

/* The arena begins with the two pointers that entries call through. */
enum { SLOT = 0, SLOT_FLAGS = 8, FIRST_ENTRY = SDT_ENTRY_SIZE };

static bool wants_thunk(const struct site *site)
{
    return site->form->mm != 0;
}

static bool wants_entry(const struct site *site)
{
    return site->kind == SDT_KIND_INLINE || site->kind == SDT_KIND_NOP1;
}

/* ---- Runs. ---- */

void thunk_begin(struct thunk_batch *batch, struct text_writer *writer)
{
    batch->writer = writer;
    batch->thunks.n = 0;
    batch->entries.n = 0;
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
    flush(batch->writer, &batch->entries);
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
    size_t entries = 0;
    for (size_t i = 0; i < object->n; i++) {
        const struct site *site = &object->sites[i];
        if (site->is_bad)
            continue;
        entries += wants_entry(site);
        if (!wants_thunk(site))
            continue;
        stretch(&need.reach_low, &need.reach_high, site->patch);
        stretch(&need.reach_low, &need.reach_high, (uintptr_t)site_stub(site));
        if (need.low == 0)
            need.mm = site_pc(site)[site->form->mm];
        stretch(&need.low, &need.high, site->patch);
    }
    if (entries)
        need.arena = FIRST_ENTRY + entries * SDT_ENTRY_SIZE;
    return need;
}

/* Map the window if there is none; what an object needs does not change. */
static bool has_window(struct thunk_batch *batch, struct object *object)
{
    struct thunks *thunks = &object->thunks;
    if (thunks->window.size)
        return true;
    struct window_need need = need_of(object);
    thunks->error = window_map(&need, &thunks->window);
    if (!thunks->window.size)
        return false;
    if (need.arena) {
        vector_prepare();
        const uintptr_t slots[] = {(uintptr_t)entry_save, (uintptr_t)entry_save_flags};
        add_bytes(batch->writer, &batch->entries, object, thunks->window.arena + SLOT, slots,
                  sizeof slots);
    }
    return true;
}

void thunk_free(struct object *object)
{
    window_unmap(&object->thunks.window);
}

/* ---- Sites. ---- */

static uintptr_t thunk_address(const struct object *object, const struct site *site)
{
    return site->patch + (uintptr_t)sdt_x86_64_thunk_distance(object->thunks.window.mm);
}

static uintptr_t entry_address(const struct object *object, const struct site *site)
{
    return object->thunks.window.arena + (uintptr_t)site->entry * SDT_ENTRY_SIZE;
}

static void encode_thunk(const struct object *object, const struct site *site,
                         uint8_t thunk[SDT_THUNK_SIZE])
{
    uintptr_t target = wants_entry(site) ? entry_address(object, site) : (uintptr_t)site_stub(site);
    sdt_x86_64_encode_jump(thunk_address(object, site), target, thunk);
}

static void encode_entry(const struct site *site, uintptr_t address, uint8_t code[SDT_ENTRY_SIZE])
{
    /* A nop1 site may be in anybody's assembly. */
    bool live_flags =
        site->record->flags & SDT_SITE_LIVE_FLAGS || site->record->kind == SDT_KIND_NOP1;
    struct sdt_entry entry = {
        .slot = site->probe->object->thunks.window.arena + (live_flags ? SLOT_FLAGS : SLOT),
        .probe = (uintptr_t)site->probe->record,
        .patch = site->patch,
        .resume = (uintptr_t)site_pc(site) + site->form->length,
        .site = (uintptr_t)site,
    };
    sdt_x86_64_encode_entry(address, &entry, code);
}

/* Whether the N bytes at ADDRESS are BYTES; the window is readable. */
static bool is_written(uintptr_t address, const uint8_t *bytes, size_t n)
{
    return memcmp((const void *)address, bytes, n) == 0;
}

static void make_entry(struct thunk_batch *batch, struct object *object, struct site *site)
{
    uint8_t code[SDT_ENTRY_SIZE];
    if (!site->entry)
        __atomic_store_n(&site->entry, ++object->thunks.entries, __ATOMIC_RELEASE);
    encode_entry(site, entry_address(object, site), code);
    add_bytes(batch->writer, &batch->entries, object, entry_address(object, site), code,
              sizeof code);
}

bool thunk_prepare(struct thunk_batch *batch, struct site *site, bool for_jump)
{
    struct object *object = site->probe->object;
    uint8_t thunk[SDT_THUNK_SIZE];
    bool entry = wants_entry(site);
    bool made = object->thunks.window.size == 0; /* a new window has slots to be written */
    for_jump = for_jump && wants_thunk(site);
    if ((!entry && !for_jump) || !has_window(batch, object))
        return false;
    if (entry && !thunk_has_entry(site)) {
        make_entry(batch, object, site);
        made = true;
    }
    if (for_jump && object->thunks.window.has_thunks && !thunk_is_ready(site)) {
        encode_thunk(object, site, thunk);
        add_bytes(batch->writer, &batch->thunks, object, thunk_address(object, site), thunk,
                  sizeof thunk);
        made = true;
    }
    return made;
}

bool thunk_needs_entry(const struct site *site)
{
    return wants_entry(site);
}

bool thunk_has_entry(const struct site *site)
{
    const struct object *object = site->probe->object;
    const uintptr_t *slots = (const uintptr_t *)object->thunks.window.arena;
    uint8_t code[SDT_ENTRY_SIZE];
    if (!site->entry || slots[0] != (uintptr_t)entry_save)
        return false;
    encode_entry(site, entry_address(object, site), code);
    return is_written(entry_address(object, site), code, sizeof code);
}

uintptr_t thunk_entry(const struct site *site)
{
    /* The window was there before the number. */
    bool has_entry = __atomic_load_n(&site->entry, __ATOMIC_ACQUIRE) != 0;
    return has_entry ? entry_address(site->probe->object, site) : 0;
}

bool thunk_is_ready(const struct site *site)
{
    const struct object *object = site->probe->object;
    uint8_t thunk[SDT_THUNK_SIZE];
    if (!wants_thunk(site) || !object->thunks.window.has_thunks ||
        (wants_entry(site) && !thunk_has_entry(site)))
        return false;
    encode_thunk(object, site, thunk);
    return is_written(thunk_address(object, site), thunk, sizeof thunk);
}
