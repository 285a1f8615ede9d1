/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See patch.h. Every transition is one word of the machine's (<machine/site.h>), stored once. On
 * x86-64, where that is a byte:
 *
 *                     off                    breakpoint               jump
 *     call            90 66 0f 1f MM         90 cc 0f 1f MM           e8 66 0f 1f MM  -> thunk
 *     call6           90 3e 66 0f 1f MM      90 cc 66 0f 1f MM        90 e8 66 0f 1f MM  -> thunk
 *     inline          90 66 0f 1f 84 e9 …    90 cc 0f 1f 84 e9 …      90 66 0f 1f 00 e9 … -> entry
 *     tail, tail6     c3 rel32               cc rel32                 e9 rel32  -> loader
 *     jcc's loader    c3 rel32               cc rel32                 e9 rel32  -> loader
 *     is-enabled      b8 00 00 00 00                                  b8 01 00 00 00
 *     nop1            90                       cc                       (no room)
 *     nop11           90 66 2e 0f 1f 84 …      90 cc 2e 0f 1f 84 …      90 66 2e 0f 1f 00 e9 …
 *
 * A thread that is stopped anywhere inside a site when the byte changes resumes at an instruction
 * of both forms; at the jump of an inline site it continues at the entry, which calls what
 * sdt_probe.way then holds. Order of a change:
 *
 *     arm:     site->mode := the new mode     or the signal handler would not know the trap
 *              write the byte, read it back
 *              one membarrier for all sites   every thread sees the new text
 *     disarm:  write the byte, read it back
 *              site->mode := off              late traps find the byte restored and retry
 *              one membarrier for all sites
 *
 * Where a thunk is needed (thunk.h), it is written first, and the MM that leads to it if the site
 * holds another one; then comes one membarrier, for all sites of the batch. The same for the jump
 * of a nop11 site, which is written into the operand of its NOP, where it stays.
 *
 * The bytes are checked before each change. A foreign breakpoint (uprobe, debugger) at the first
 * byte of a call site does not disturb our breakpoint, which is at another byte; where we need that
 * very byte (jumps at call sites, everything at tail sites), the tracer wins: -EBUSY, or with
 * SDT_MODE_AUTO the breakpoint instead. If it appears over our branch, it stays, and nothing after
 * it is written until it is gone.
 */
#include "patch.h"

#include "hit/sync.h"
#include "process/environment.h"
#include "resolve.h"
#include "trap.h"

#include <arch/machine.h>
#include <errno.h>
#include <sdt/runtime.h>
#include <stdlib.h>
#include <string.h>

/* Sites in a mode that needs the signal: patch_end() gives it back at none; but not where a hit
 * that has begun will need it once more. */
static size_t traps;
static bool keeps_signal;

/* Byte 0 of a good SITE: what its record says as well, which so need not be read. */
static uint8_t *text_of(const struct site *site)
{
    return (uint8_t *)site->patch - site->form->patch;
}

static enum site_mode mode_of(const struct site *site)
{
    return atomic_load_explicit(&site->mode, memory_order_relaxed);
}

static bool is_trapping(enum site_mode mode)
{
    return mode == SITE_TRAP || mode == SITE_REWRITING;
}

void patch_keep_signal(void)
{
    keeps_signal = true;
}

void patch_set_mode(struct site *site, enum site_mode mode)
{
    traps += (size_t)is_trapping(mode) - (size_t)is_trapping(mode_of(site));
    if (SITE_LEAVES_BY_TRAP && mode == SITE_TRAP && kind_is_of_note(site->kind))
        patch_keep_signal();
    atomic_store_explicit(&site->mode, (uint8_t)mode, memory_order_release);
}

/* What the word of SITE is that arming by a breakpoint, or by a jump, changes, before and after. */
static site_word off_word(const struct site *site, bool trap)
{
    return trap ? machine_off_word(site->form) : site_off(site->form);
}

static site_word armed_word(const struct site *site, bool trap)
{
    return trap ? SITE_BREAKPOINT
                : site_on(site->form, (uintptr_t)text_of(site), (uintptr_t)site_stub(site));
}

/* The byte of SITE that says which window it leads to; NULL: it has none. */
static uint8_t *mm_of(const struct site *site)
{
    return site->form->mm ? text_of(site) + site->form->mm : NULL;
}

/* Why a site that needs a thunk cannot be armed by a jump now, or 0. */
static int jump_error(const struct patch *patch, struct site *site, enum sdt_state state)
{
    const struct thunks *thunks = &site->probe->object->thunks;
    if (patch->mode == SDT_MODE_TRAP || site->is_companion)
        return -ENOTSUP;
    if (!site->form->mm)
        return form_gets_branch(site->form) ? -EIO : -ENOTSUP;
    if (state == SDT_STATE_TRACED && site->form->patch == 0)
        return -EBUSY;
    if (!site->of_patch.is_prepared && !thunk_is_ready(site))
        return thunks->error ? thunks->error : -EIO;
    site->of_patch.is_prepared = text_word(mm_of(site)) == thunks->window.mm;
    return site->of_patch.is_prepared ? 0 : -EIO;
}

/* The same for any site. */
static int jump_refused(const struct patch *patch, struct site *site, enum sdt_state state)
{
    const struct sdt_form *form = site->form;
    if (form->is_enabled_test)
        return 0; /* it has no breakpoint form, and serves every mode */
    if (!site_has_branch(form, (uintptr_t)text_of(site), (uintptr_t)site_stub(site)))
        return jump_error(patch, site, state);
    /* The branch is in place, or reaches its target; only its first word is not. */
    bool was_call = site->is_companion && !SITE_IS_CALL && site->kind != SDT_KIND_DIRECT_CALL;
    return patch->mode != SDT_MODE_TRAP && !was_call ? 0 : -ENOTSUP;
}

/*
 * Which mode arms SITE best, within what the caller wants; or a negative error. *REFUSED: why it is
 * not a jump, where it could have been one.
 */
static int choose_mode(const struct patch *patch, struct site *site, enum sdt_state state,
                       int *refused)
{
    int error = jump_refused(patch, site, state);
    if (!error)
        return SITE_JUMP;
    if (patch->mode == SDT_MODE_JUMP)
        return error;
    if (!kind_has_entry(site->kind) && !site->form->returns && trap_forbids_calls())
        return -ENOTSUP;
    *refused = patch->mode == SDT_MODE_AUTO && error != -ENOTSUP ? error : 0;
    return SITE_TRAP;
}

/* What came of EDIT: a site that could not be armed is off, one not disarmed is still armed. */
static void settle(const struct text_edit *edit, bool disarming)
{
    struct site *site = edit->owner;
    site->error = edit->error;
    if (disarming == !edit->error)
        patch_set_mode(site, SITE_OFF);
}

static void commit(struct patch *patch)
{
    bool disarming = patch->mode == SDT_MODE_OFF;
    text_write(&patch->writer, patch->edits, patch->n);
    patch->wrote = patch->wrote || patch->n > 0;
    for (size_t i = 0; i < patch->n; i++)
        if (disarming || patch->edits[i].error)
            settle(&patch->edits[i], disarming);
    patch->n = 0;
}

/*
 * Make room for more edits, if writing them all at once is worth it: an
 * mprotect window costs more than a thousand stores through it.
 */
static bool grow(struct patch *patch)
{
    bool is_first = patch->edits == patch->first;
    size_t capacity = patch->capacity * 4;
    if (!patch->writer.may_unlock)
        return false;
    struct text_edit *edits = realloc(is_first ? NULL : patch->edits, capacity * sizeof *edits);
    if (!edits)
        return false;
    if (is_first)
        memcpy(edits, patch->first, sizeof patch->first);
    patch->edits = edits;
    patch->capacity = capacity;
    return true;
}

/* Out of line, as few edits come to it. */
static __attribute__((noinline)) void make_room(struct patch *patch, const uint8_t *address)
{
    if (address <= patch->edits[patch->n - 1].address || !grow(patch))
        commit(patch);
}

static inline void add_edit(struct patch *patch, struct site *site, size_t offset, site_word expect,
                            site_word value)
{
    uint8_t *address = text_of(site) + offset;
    /* They are sorted. */
    if (patch->n > 0 &&
        (patch->n == patch->capacity || address <= patch->edits[patch->n - 1].address))
        make_room(patch, address);
    patch->edits[patch->n++] = (struct text_edit){address, expect, value, 0, site};
}

/*
 * Whether SITE, which was left with a foreign breakpoint over its branch, cannot be used yet. Who
 * set the breakpoint may restore the branch, so what is after it must stay: it is the branch's
 * displacement. Restored, it is armed as it stands.
 */
static bool is_frozen(struct site *site, enum sdt_state state)
{
    if (!site->of_patch.is_frozen)
        return false;
    site->of_patch.is_frozen = state != SDT_STATE_OFF && state != SDT_STATE_ON;
    if (state == SDT_STATE_ON)
        patch_set_mode(site, SITE_JUMP);
    site->error = site->of_patch.is_frozen ? -EBUSY : 0;
    return state != SDT_STATE_OFF;
}

static void arm(struct patch *patch, struct site *site)
{
    const struct sdt_form *form = site->form;
    enum sdt_state state = machine_state(site->kind, text_of(site));
    if (is_frozen(site, state))
        return;
    int refused = 0;
    int mode = choose_mode(patch, site, state, &refused);
    if (mode == SITE_TRAP && patch->trap_error > 0)
        patch->trap_error = trap_acquire(resolve_trap, patch->is_careful);
    if (mode == SITE_TRAP && patch->trap_error < 0)
        mode = patch->trap_error;
    bool own_byte = mode > 0 && (mode == SITE_TRAP ? form->trap : form->patch) != 0;
    bool is_traced = state == SDT_STATE_TRACED && !own_byte;
    bool is_foreign = state == SDT_STATE_TRAP; /* a breakpoint at our byte that we did not set */
    if (mode > 0 && (is_traced || is_foreign))
        mode = -EBUSY;
    else if (mode > 0 && state != SDT_STATE_OFF && state != SDT_STATE_TRACED)
        mode = -EILSEQ;
    site->error = mode < 0 ? mode : refused;
    if (mode < 0)
        return;
    bool trap = mode == SITE_TRAP;
    add_edit(patch, site, trap ? form->trap : form->patch, off_word(site, trap),
             armed_word(site, trap));
    patch_set_mode(site, mode);
}

static void disarm(struct patch *patch, struct site *site)
{
    const struct sdt_form *form = site->form;
    bool trap = mode_of(site) == SITE_TRAP;
    size_t offset = trap ? form->trap : form->patch;
    site_word armed = armed_word(site, trap), off = off_word(site, trap);
    site_word now = text_word(text_of(site) + offset);
    /* By a tracer, who wins. */
    bool is_covered = !trap && !form->is_enabled_test && site_is_breakpoint(now);
    if (!trap && !is_covered && machine_state(site->kind, text_of(site)) == SDT_STATE_UNKNOWN) {
        site->error = -EILSEQ; /* somebody's jump, of which our byte may be a part */
        return;
    }
    if (now != off && !is_covered) {
        add_edit(patch, site, offset, armed, off);
        return;
    }
    site->of_patch.is_frozen =
        is_covered; /* else: a tracer that came and went took our byte along */
    site->error = 0;
    patch_set_mode(site, SITE_OFF);
}

void patch_begin(struct patch *patch, int mode)
{
    if (mode != SDT_MODE_OFF) {
        sync_start();
        machine_prepare();
    }
    patch->mode = mode;
    patch->trap_error = 1;
    patch->is_careful = false;
    patch->wrote = false;
    patch->n = 0;
    patch->capacity = PATCH_CHUNK;
    patch->edits = patch->first;
    text_begin(&patch->writer);
    patch->writer.may_unlock = environment_allows_unlocking();
    thunk_begin(&patch->thunks, &patch->writer);
}

/* Make SITE, which is off, lead to its window: one byte inside a NOP. Whether it was written. */
static bool choose_window(struct patch *patch, const struct site *site, uint8_t mm)
{
    uint8_t *byte = mm_of(site);
    struct text_edit edit = {byte, text_word(byte), mm, 0, NULL};
    if (edit.expect == mm)
        return false;
    enum sdt_state state = machine_state(site->kind, text_of(site));
    if (state != SDT_STATE_OFF && state != SDT_STATE_TRACED)
        return false;
    text_write(&patch->writer, &edit, 1); /* if that fails, jump_error() sees it */
    return true;
}

/* Write the jump of SITE, which is off, into the operand of its NOP. Whether it was written. */
static bool write_branch(struct patch *patch, const struct site *site)
{
    uintptr_t pc = (uintptr_t)text_of(site), stub = (uintptr_t)site_stub(site);
    uintptr_t place = pc + site->form->branch_at - 1; /* its opcode */
    uint8_t branch[SITE_THUNK];
    enum sdt_state state = machine_state(site->kind, text_of(site));
    if (site_has_branch(site->form, pc, stub) || !machine_can_reach(place + 1, stub) ||
        (state != SDT_STATE_OFF && state != SDT_STATE_TRACED))
        return false;
    machine_encode_thunk(place, stub, branch);
    text_write_run(&patch->writer, (uint8_t *)place, branch, sizeof branch); /* see jump_error() */
    return true;
}

/* Whether SITE lacks something to be armed by a jump. */
static bool is_to_prepare(const struct patch *patch, const struct site *site)
{
    return patch->mode != SDT_MODE_TRAP && site->form &&
           (site->form->mm || form_gets_branch(site->form)) && !site->of_patch.is_prepared &&
           !site->is_bad && !site->is_alias && mode_of(site) == SITE_OFF &&
           !site->of_patch.is_frozen && !site->is_companion;
}

bool patch_prepare(struct patch *patch, struct site *site)
{
    if (!is_to_prepare(patch, site))
        return false;
    if (form_gets_branch(site->form))
        return write_branch(patch, site);
    bool prepared = thunk_prepare(&patch->thunks, site);
    const struct window *window = &site->probe->object->thunks.window;
    if (window->size)
        prepared = choose_window(patch, site, window->mm) || prepared;
    return prepared;
}

void patch_prepared(struct patch *patch)
{
    commit(patch);
    thunk_flush(&patch->thunks);
    sync_text();
}

void patch_site(struct patch *patch, struct site *site)
{
    if (site->is_bad || site->is_alias)
        return;
    if (patch->mode == SDT_MODE_OFF) {
        if (mode_of(site) != SITE_OFF)
            disarm(patch, site);
        return;
    }
    const struct sdt_form *form = site->form;
    if (mode_of(site) == SITE_JUMP &&
        text_word(text_of(site) + form->patch) == off_word(site, false))
        patch_set_mode(site, SITE_OFF); /* a tracer that came and went took our byte along */
    if (mode_of(site) == SITE_OFF)
        arm(patch, site);
}

void patch_end(struct patch *patch)
{
    commit(patch);
    if (patch->edits != patch->first)
        free(patch->edits);
    text_end(&patch->writer);
    if (patch->wrote)
        sync_text();
    if (patch->mode == SDT_MODE_OFF && traps == 0 && !keeps_signal)
        trap_release();
}
