/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See companion.h. The objects of the program were not edited, so this happens before main or
 * inside dlopen:
 *
 *     call                e8 rel32   ->   90 66 0f 1f c0     nop; nop4
 *     tail                e9 rel32   ->   c3 rel32           ret
 *     is-enabled          e8 rel32   ->   b8 00 00 00 00     mov $0,%eax
 *     is-enabled, tail    e9 rel32   ->   6a 00 58 c3 cc     push $0; pop %rax; ret
 *
 * With one thread in the process, the usual case at that time, a page of text is written by one
 * system call. If an earlier constructor has started threads, they may be running the sites, and
 * the bytes are exchanged as Linux does it to itself, for all sites together:
 *
 *     1. byte 0 := cc; membarrier       a hit now traps, and the trap handler does the call
 *     2. bytes 1 to 4; membarrier
 *     3. byte 0 := its new value; membarrier
 *
 * On aarch64 and riscv64 a call, linked, is a site that is armed, so start-up only disarms it, by
 * one word or byte, whatever other threads do. Other branches lead to their stub at first; start-up
 * aims them at the sites that the companion has for them. Until then they do what a site does that
 * is off: a stub returns, and says no.
 */
#include "companion.h"

#include "batch.h"
#include "calls.h"
#include "hit/sync.h"
#include "patch.h"
#include "resolve.h"

#include <arch/machine.h>
#include <errno.h>
#include <string.h>

enum { PAGE = 4096, WORD = sizeof(site_word) };

static bool is_moved(const struct site *site)
{
    return !site->is_bad && !site->is_alias && site->record->flags & SDT_SITE_MOVED;
}

static void disabled_form(const struct site *site, uint8_t bytes[SDT_SITE_MAX])
{
    memcpy(bytes, site_pc(site), site->form->length);
    machine_encode_off(site->record->kind, bytes);
}

/* ---- One thread: page by page. ---- */

/* How many sites from the I-th on end within a page's length of its start. */
static size_t run_length(const struct object *object, size_t i)
{
    uintptr_t begin = (uintptr_t)site_pc(&object->sites[i]);
    size_t n = 1;
    while (i + n < object->n && calls_is_one(&object->sites[i + n]) &&
           object->sites[i + n].patch + SDT_SITE_MAX - begin <= PAGE)
        n++;
    return n;
}

static void rewrite_run(struct text_writer *writer, struct site *sites, size_t n)
{
    uint8_t bytes[PAGE];
    uint8_t *begin = site_pc(&sites[0]);
    const struct site *last = &sites[n - 1];
    size_t length = (size_t)(site_pc(last) - begin) + last->form->length;
    memcpy(bytes, begin, length);
    for (size_t i = 0; i < n; i++)
        disabled_form(&sites[i], bytes + (site_pc(&sites[i]) - begin));
    int error = text_write_run(writer, begin, bytes, length);
    for (size_t i = 0; i < n; i++) {
        sites[i].error = error;
        sites[i].is_bad = error != 0;
    }
}

static void rewrite_alone(struct object *object)
{
    struct text_writer writer;
    text_begin(&writer);
    for (size_t i = 0; i < object->n;) {
        size_t n = 1;
        if (calls_is_one(&object->sites[i])) {
            n = run_length(object, i);
            rewrite_run(&writer, &object->sites[i], n);
        }
        i += n;
    }
    text_end(&writer);
}

/* ---- Several threads: the three steps. ---- */

static void write_bytes(struct text_writer *writer, struct site *site, size_t from, size_t to,
                        const uint8_t *expect, const uint8_t *value)
{
    struct text_edit edits[SDT_SITE_MAX];
    size_t n = 0;
    for (size_t i = from; i < to; i += sizeof(site_word)) {
        struct text_edit edit = {.address = site_pc(site) + i};
        memcpy(&edit.expect, expect + i, sizeof edit.expect);
        memcpy(&edit.value, value + i, sizeof edit.value);
        if (edit.expect != edit.value)
            edits[n++] = edit;
    }
    text_write(writer, edits, n);
    for (size_t i = 0; i < n; i++)
        if (edits[i].error)
            site->error = edits[i].error;
}

static void rewrite_step(struct object *object, int step)
{
    struct text_writer writer;
    text_begin(&writer);
    for (size_t i = 0; i < object->n; i++) {
        struct site *site = &object->sites[i];
        uint8_t was[SDT_SITE_MAX], off[SDT_SITE_MAX];
        const site_word trap = SITE_BREAKPOINT;
        if (step == 1 ? !calls_is_one(site)
                      : site->error || atomic_load(&site->mode) != SITE_REWRITING)
            continue;
        memcpy(was, site_pc(site), site->form->length);
        disabled_form(site, off);
        if (step == 1) {
            patch_set_mode(site, SITE_REWRITING);
            write_bytes(&writer, site, 0, WORD, was, (const uint8_t *)&trap);
        } else {
            write_bytes(&writer, site, step == 2 ? WORD : 0, step == 2 ? site->form->length : WORD,
                        was, off);
        }
        if (site->error) { /* step 1: nothing was written; later ones: the trap does the call */
            site->is_bad = step == 1;
            if (step == 1)
                patch_set_mode(site, SITE_OFF);
        } else if (step == 3) {
            patch_set_mode(site, SITE_OFF);
        }
    }
    text_end(&writer);
    sync_text();
}

static void rewrite_among_threads(struct object *object)
{
    sync_start();
    int error = trap_forbids_calls() ? -ENOTSUP : trap_acquire(resolve_trap, false);
    for (size_t i = 0; error && i < object->n; i++)
        if (calls_is_one(&object->sites[i])) {
            object->sites[i].error = error;
            object->sites[i].is_bad = true;
        }
    for (int step = 1; !error && step <= 3; step++)
        rewrite_step(object, step);
}

/* ---- Branches whose sites the companion has. ---- */

/* What fails half way is a branch that is off: it returns. */
static void reaim_site(struct batch *batch, struct site *site, unsigned step)
{
    struct machine_edit edits[SITE_REAIM_MOST];
    uint8_t *branch = (uint8_t *)record_branch(site->record);
    size_t n = machine_reaim(branch, (uintptr_t)site_pc(site), step, edits);
    if (n == 0) {
        site->error = -ENOTSUP;
        site->is_bad = true;
    }
    for (size_t i = 0; i < n; i++)
        batch_add(batch,
                  &(struct text_edit){branch + edits[i].at, edits[i].was, edits[i].value, 0, site});
}

static void reaim(struct object *object)
{
    for (unsigned step = 0; step != SITE_REAIM_STEPS; step++) {
        struct batch batch;
        batch_begin(&batch);
        for (size_t i = 0; i < object->n; i++)
            if (is_moved(&object->sites[i]))
                reaim_site(&batch, &object->sites[i], step);
        batch_end(&batch);
    }
}

void companion_rewrite(struct object *object)
{
    if (SITE_IS_CALL) {
        calls_disarm(object);
        reaim(object);
    } else if (trap_has_one_thread()) {
        rewrite_alone(object);
    } else {
        rewrite_among_threads(object);
    }
}
