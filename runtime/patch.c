/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See patch.h. Every transition is one byte, stored once:
 *
 *                     off                    breakpoint               jump
 *     call            90 66 0f 1f MM         90 cc 0f 1f MM           (needs a thunk window)
 *     call6           90 3e 66 0f 1f MM      90 cc 66 0f 1f MM
 *     tail, tail6     c3 rel32               cc rel32                 e9 rel32  -> loader
 *     jcc's loader    c3 rel32               cc rel32                 e9 rel32  -> loader
 *     is-enabled      b8 00 00 00 00                                  b8 01 00 00 00
 *     nop1            90                       cc                       (no room)
 *
 * A thread that is stopped anywhere inside a site when the byte changes resumes at an instruction
 * of both forms. Order of a change:
 *
 *     arm:     site->mode := the new mode     or the signal handler would not know the trap
 *              write the byte, read it back
 *              one membarrier for all sites   every thread sees the new text
 *     disarm:  write the byte, read it back
 *              site->mode := off              late traps find the byte restored and retry
 *              one membarrier for all sites
 *
 * The bytes are checked before each change. A foreign breakpoint (uprobe, debugger) at the first
 * byte of a call site does not disturb us, as ours is at another byte; on a tail site it does, and
 * the tracer wins: -EBUSY.
 */
#include "patch.h"

#include "dispatch.h"
#include "sync.h"
#include "trap.h"

#include <arch/vector.h>
#include <errno.h>
#include <sdt/runtime.h>
#include <string.h>

#define INT3 0xcc

static size_t traps; /* sites in a mode that needs the signal; patch_end() gives it back at none */

static enum sdt_state state_of(const struct site *site)
{
    uint8_t bytes[SDT_SITE_MAX];
    const struct sdt_form *form = site_form(site);
    const uint8_t *pc = site_pc(site);
    for (size_t i = 0; i < form->length; i++)
        bytes[i] = __atomic_load_n(&pc[i], __ATOMIC_RELAXED);
    return sdt_x86_64_state(site->record->kind, bytes);
}

static enum site_mode mode_of(const struct site *site)
{
    return atomic_load_explicit(&site->mode, memory_order_relaxed);
}

static bool is_trapping(enum site_mode mode)
{
    return mode == SITE_TRAP || mode == SITE_REWRITING;
}

void patch_set_mode(struct site *site, enum site_mode mode)
{
    traps += (size_t)is_trapping(mode) - (size_t)is_trapping(mode_of(site));
    atomic_store_explicit(&site->mode, (uint8_t)mode, memory_order_release);
}

/* Whether a breakpoint is at ADDRESS, the last byte of the instruction that trapped. */
static bool is_breakpoint(uintptr_t address)
{
    const uint8_t *byte = (const uint8_t *)address;
    uint8_t last = __atomic_load_n(byte, __ATOMIC_ACQUIRE);
    return last == INT3 || (last == 3 && byte[-1] == 0xcd); /* "int $3", in its long spelling */
}

/* Every register is live there: not the stub, but what saves them; and to count takes none. */
static void resolve_interrupted(const struct site *site, struct trap_answer *answer)
{
    void *entry = __atomic_load_n(&site->probe->record->entry, __ATOMIC_ACQUIRE);
    answer->verdict = TRAP_RESUME;
    if (entry == (void *)trampoline_count) {
        __atomic_fetch_add(&site->probe->record->hits, 1, __ATOMIC_RELAXED);
    } else if (entry) {
        answer->verdict = TRAP_INTERRUPT;
        answer->stub = (uintptr_t)trampoline_interrupted;
        answer->record = (uintptr_t)site->probe->record;
    }
}

/* What the signal handler asks: ADDRESS had a breakpoint. Runs in a reader section. */
struct trap_answer patch_resolve(uintptr_t address)
{
    struct trap_answer answer = {.verdict = TRAP_FOREIGN};
    const struct site *site = registry_find_trap(address);
    if (!site) {
        if (!is_breakpoint(address)) { /* of an object that is gone: its destructor disarmed it */
            answer.verdict = TRAP_RESUME;
            answer.resume = address;
        }
        return answer;
    }
    const struct sdt_form *form = site_form(site);
    uintptr_t pc = (uintptr_t)site_pc(site);
    uint8_t mode = atomic_load_explicit(&site->mode, memory_order_acquire);
    answer.stub = (uintptr_t)site_stub(site);
    answer.patch = site->patch;
    answer.resume = pc + form->length;
    bool at_trap = form->trap < form->length && address == pc + form->trap;
    if (mode == SITE_REWRITING ? address == pc : mode == SITE_TRAP && at_trap) {
        /* Armed; or a companion's call, being taken away: do what it would do. */
        if (site->record->kind == SDT_KIND_NOP1)
            resolve_interrupted(site, &answer);
        else
            answer.verdict = form->returns ? TRAP_ENTER : TRAP_CALL;
    } else if (__atomic_load_n((const uint8_t *)address, __ATOMIC_ACQUIRE) != INT3) {
        answer.verdict = TRAP_RESUME; /* it was taken out while the signal was on its way */
        answer.resume = address;
    } else if (at_trap) { /* somebody's copy of our breakpoint; a retry would never end */
        answer.verdict = form->returns ? TRAP_RETURN : TRAP_RESUME;
    }
    return answer;
}

/* Which mode arms SITE best, within what the caller wants; or a negative error. */
static int choose_mode(const struct patch *patch, const struct site *site)
{
    const struct sdt_form *form = site_form(site);
    bool is_companion = site->record->flags & SDT_SITE_COMPANION;
    if (form->is_flag)
        return SITE_JUMP; /* it has no breakpoint form, and serves every mode */
    switch (site->record->kind) {
    case SDT_KIND_TAIL:
    case SDT_KIND_TAIL6:
    case SDT_KIND_JCC:
        if (patch->mode != SDT_MODE_TRAP && !is_companion)
            return SITE_JUMP; /* the branch is in place; only its first byte is not */
        break;
    case SDT_KIND_CALL:
    case SDT_KIND_CALL6:
        break;
    case SDT_KIND_NOP1:
        vector_prepare();
        break;
    default:
        return -ENOTSUP;
    }
    if (patch->mode == SDT_MODE_JUMP || (!form->returns && trap_forbids_calls()))
        return -ENOTSUP;
    return SITE_TRAP;
}

static int need_trap(struct patch *patch)
{
    if (patch->trap_error > 0)
        patch->trap_error = trap_acquire(patch_resolve);
    return patch->trap_error;
}

static void commit(struct patch *patch)
{
    text_write(&patch->writer, patch->edits, patch->n);
    patch->wrote = patch->wrote || patch->n > 0;
    for (size_t i = 0; i < patch->n; i++) {
        struct site *site = patch->sites[i];
        bool disarming = patch->mode == SDT_MODE_OFF;
        site->error = patch->edits[i].error;
        /* A site that could not be disarmed is still armed; one that could not be armed is off. */
        if (disarming == !site->error)
            patch_set_mode(site, SITE_OFF);
    }
    patch->n = 0;
}

static void add_edit(struct patch *patch, struct site *site, size_t offset, uint8_t expect,
                     uint8_t value)
{
    uint8_t *address = site_pc(site) + offset;
    if (patch->n == PATCH_CHUNK || (patch->n && address < patch->edits[patch->n - 1].address))
        commit(patch);
    patch->sites[patch->n] = site;
    patch->edits[patch->n++] = (struct text_edit){address, expect, value, 0};
}

/* What byte 1 of a call site and byte 0 of a tail site are when the site is off. */
static uint8_t off_byte(const struct site *site)
{
    const struct sdt_form *form = site_form(site);
    return form->trap == form->patch ? form->off : 0x66;
}

static void arm(struct patch *patch, struct site *site)
{
    sync_start();
    const struct sdt_form *form = site_form(site);
    enum sdt_state state = state_of(site);
    int mode = choose_mode(patch, site);
    if (mode == SITE_TRAP && need_trap(patch) < 0)
        mode = patch->trap_error;
    bool own_byte = mode == SITE_TRAP && form->trap != 0; /* not the tracers' byte */
    bool is_traced = state == SDT_STATE_TRACED && !own_byte;
    bool is_foreign = state == SDT_STATE_TRAP; /* a breakpoint at our byte that we did not set */
    if (mode > 0 && (is_traced || is_foreign))
        mode = -EBUSY;
    else if (mode > 0 && state != SDT_STATE_OFF && state != SDT_STATE_TRACED)
        mode = -EILSEQ;
    if (mode < 0) {
        site->error = mode;
        return;
    }
    bool trap = mode == SITE_TRAP;
    add_edit(patch, site, trap ? form->trap : form->patch, trap ? off_byte(site) : form->off,
             trap ? INT3 : form->on);
    patch_set_mode(site, mode);
}

static void disarm(struct patch *patch, struct site *site)
{
    const struct sdt_form *form = site_form(site);
    bool trap = mode_of(site) == SITE_TRAP;
    size_t offset = trap ? form->trap : form->patch;
    uint8_t armed = trap ? INT3 : form->on;
    uint8_t off = trap ? off_byte(site) : form->off;
    if (__atomic_load_n(site_pc(site) + offset, __ATOMIC_RELAXED) == off) {
        patch_set_mode(site, SITE_OFF); /* a tracer that came and went took our byte along */
        return;
    }
    add_edit(patch, site, offset, armed, off);
}

void patch_begin(struct patch *patch, int mode)
{
    patch->mode = mode;
    patch->trap_error = 1;
    patch->wrote = false;
    patch->n = 0;
    text_begin(&patch->writer);
}

void patch_site(struct patch *patch, struct site *site)
{
    if (site->is_bad || site->is_alias)
        return;
    if (patch->mode == SDT_MODE_OFF) {
        if (mode_of(site) != SITE_OFF)
            disarm(patch, site);
    } else if (mode_of(site) == SITE_OFF) {
        arm(patch, site);
    }
}

void patch_end(struct patch *patch)
{
    commit(patch);
    text_end(&patch->writer);
    if (patch->wrote)
        sync_text();
    if (patch->mode == SDT_MODE_OFF && traps == 0)
        trap_release();
}
