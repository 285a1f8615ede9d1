/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See stock.h. Objects with records of sdtlink have a constructor that registers them and a
 * destructor that unregisters them. Stock objects have neither, so the dynamic loader tells what is
 * loaded and unloaded (loader.h), before and after it changes the list of objects:
 *
 *     r_state       what we do
 *     RT_ADD        nothing
 *     RT_DELETE     take the lock: text that is about to be unmapped may not be written
 *     RT_CONSISTENT see what has come and gone; if it was taken, give the lock back
 *
 * The loader is not watched before a tool asks for something. Objects loaded at the program's start
 * are never unloaded, and need not be watched. If it cannot be watched (a debugger has its
 * breakpoint there, a thread blocks SIGTRAP), objects that are loaded later are ignored.
 */
#define _GNU_SOURCE
#include "stock.h"

#include "control/attach.h"
#include "process/lock.h"
#include "site/record.h"
#include "stock/build.h"
#include "stock/loader.h"
#include "stock/notes.h"
#include "stock/sections.h"
#include "subscribe/objects.h"
#include "subscribe/subscribe.h"

#include <errno.h>
#include <link.h>
#include <machine/site.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* An object of the program, whether there is something for us in it or not. */
struct seen {
    struct seen *next;
    uintptr_t base;
    const ElfW(Phdr) * segments;
    struct sdt_dso *dso; /* NULL: nothing */
    struct annex *annex;
    unsigned round;
};

/* All locked; tally is only read later. */
static struct seen *all_seen;
static unsigned round_now;
static unsigned long long adds, subs; /* of the loader, when we last checked */
static bool is_watching, is_unloading;
static bool has_come; /* since loader_changed() last asked */
static struct stock_tally tally;

/* ---- One object. ---- */

static void register_notes(const struct dl_phdr_info *object, struct seen *seen)
{
    struct stock_notes notes = {0};
    struct stock_build build = {
        .object = object, .file = stock_sections_open(object), .notes = &notes};
    if (build.file < 0)
        return;
    if (stock_notes_read(build.file, &notes) == 0 && notes.n &&
        stock_build(&build, &seen->dso, &seen->annex) == 0) {
        tally.skipped += build.skipped;
        tally.sites += build.sites;
        tally.objects++;
    }
    if (seen->dso) {
        image_add_annex(seen->annex);
        objects_push(seen->dso);
        has_come = true;
    }
    stock_notes_free(&notes);
    close(build.file);
}

static struct seen *find_seen(const struct dl_phdr_info *object)
{
    struct seen *seen = all_seen;
    while (seen && (seen->base != object->dlpi_addr || seen->segments != object->dlpi_phdr))
        seen = seen->next;
    return seen;
}

static int visit(struct dl_phdr_info *object, size_t size, void *data)
{
    bool *is_changed = data;
    (void)size;
    if (object->dlpi_adds == adds && object->dlpi_subs == subs && !*is_changed)
        return 1;
    *is_changed = true;
    adds = object->dlpi_adds;
    subs = object->dlpi_subs;
    struct seen *seen = find_seen(object);
    if (!seen) {
        seen = calloc(1, sizeof *seen);
        if (!seen)
            return 0;
        seen->base = object->dlpi_addr;
        seen->segments = object->dlpi_phdr;
        seen->next = all_seen;
        all_seen = seen;
        register_notes(object, seen);
    }
    seen->round = round_now;
    return 0;
}

/* ---- All of them. ---- */

static void drop(struct seen *seen)
{
    if (seen->dso) {
        struct annex *annex = seen->annex;
        image_remove_annex(annex);
        if (!objects_remove_unmapped(seen->dso))
            stock_unbuild(annex); /* otherwise when no thread can see it any more */
    }
    free(seen);
}

static void drop_gone(void)
{
    for (struct seen **link = &all_seen; *link;) {
        struct seen *seen = *link;
        if (seen->round == round_now) {
            link = &seen->next;
            continue;
        }
        *link = seen->next;
        drop(seen);
    }
}

static void look(void)
{
    bool is_changed = false;
    round_now++;
    dl_iterate_phdr(visit, &is_changed);
    if (is_changed)
        drop_gone();
}

/* ---- What comes and goes later. ---- */

static void loader_changed(int state)
{
    int saved = errno;
    if (state == RT_DELETE && lock_acquire() == 0) {
        is_unloading = true;
    } else if (state == RT_CONSISTENT) {
        bool is_mine = lock_is_mine() && is_unloading;
        if (is_mine || lock_acquire() == 0) {
            is_unloading = false;
            subscribe_index();
            bool came = has_come;
            has_come = false;
            lock_release();
            if (came)
                attach_object_came(); /* it may wait for a tool */
        }
    }
    errno = saved;
}

/* See what has come and gone, if anything has. In the middle of a change, its end will be seen.
 * Locked. */
static void refresh(void)
{
    if (!is_watching)
        is_watching = loader_watch(loader_changed) == 0;
    if (is_watching && loader_state() == RT_CONSISTENT)
        look();
}

void stock_start(void)
{
    if (!SITE_HAS_STOCK || subscribe_begin() != 0)
        return; /* notes without records are ignored on this machine */
    look();
    subscribe_index();
    has_come = false;
    objects_look_around(refresh);
    lock_release();
}

struct stock_tally stock_tally(void)
{
    return tally;
}
