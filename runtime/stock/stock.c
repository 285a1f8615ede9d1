/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See stock.h. Objects with records of sdtlink have a constructor that registers them and a
 * destructor that takes them back. These have none, so the dynamic loader tells what is loaded and
 * unloaded: for debuggers it calls an empty function, `_r_debug.r_brk`, before and after it changes
 * the list of objects. A breakpoint there (patch_divert) leads to loader_changed(), which is called
 * as that function was.
 *
 *     r_state       what we do
 *     RT_ADD        nothing
 *     RT_DELETE     take the lock: nobody may write to text that is about to be unmapped
 *     RT_CONSISTENT see what has come and gone; if it was taken, give the lock back
 *
 * The breakpoint is not set before a tool asks for something. Objects loaded at the program's start
 * are never unloaded, and need no such care. If it cannot be set (a debugger has one there, a
 * thread blocks SIGTRAP), objects that are loaded later are ignored.
 */
#define _GNU_SOURCE
#include "stock.h"

#include "build.h"
#include "live/attach.h"
#include "lock.h"
#include "notes.h"
#include "patch.h"
#include "record.h"
#include "subscribe.h"

#include <arch/machine.h>
#include <errno.h>
#include <fcntl.h>
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
static unsigned long long adds, subs; /* of the loader, when we last looked */
static bool is_watching, is_unloading;
static bool has_come; /* since loader_changed() last asked */
static struct stock_tally tally;

/* ---- One object. ---- */

/* The file of OBJECT, or a negative number: it has none (the vDSO). */
static int open_file(const struct dl_phdr_info *object)
{
    const char *name = object->dlpi_name ? object->dlpi_name : "";
    if (*name && *name != '/')
        return strchr(name, '/') ? open(name, O_RDONLY | O_CLOEXEC) : -1;
    return open(*name ? name : "/proc/self/exe", O_RDONLY | O_CLOEXEC);
}

static void register_notes(const struct dl_phdr_info *object, struct seen *seen)
{
    struct stock_notes notes = {0};
    struct stock_build build = {.object = object, .file = open_file(object), .notes = &notes};
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
        subscribe_push(seen->dso);
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
        if (!unsubscribe_gone(seen->dso))
            stock_unbuild(annex); /* else when nobody can see it any more */
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

#pragma weak _r_debug

static void loader_changed(void)
{
    int saved = errno;
    if (_r_debug.r_state == RT_DELETE && lock_acquire() == 0) {
        is_unloading = true;
    } else if (_r_debug.r_state == RT_CONSISTENT) {
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

/* Where the loader's function returns at once; 0: it does more than that. */
static uintptr_t find_place(void)
{
    return &_r_debug && _r_debug.r_brk ? machine_empty_return(_r_debug.r_brk) : 0;
}

static bool is_consistent(void)
{
    return __atomic_load_n(&_r_debug.r_state, __ATOMIC_SEQ_CST) == RT_CONSISTENT;
}

/* Whether objects that come and go are seen. In the middle of a change, its end will be. */
static bool watch(void)
{
    uintptr_t place = is_watching ? 0 : find_place();
    if (place)
        is_watching = patch_divert(place, loader_changed) == 0;
    return is_watching && is_consistent();
}

/* See what has come and gone, if anything has. Locked. */
static void refresh(void)
{
    if (watch())
        look();
}

void stock_start(void)
{
    if (!SITE_HAS_STOCK || subscribe_begin() != 0)
        return; /* notes without records are not looked at on this machine */
    look();
    subscribe_index();
    has_come = false;
    subscribe_look_around(refresh);
    lock_release();
}

struct stock_tally stock_tally(void)
{
    return tally;
}
