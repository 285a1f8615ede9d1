/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See objects.h. Objects that register are pushed on a list without a lock (`pending`): a
 * constructor may run in any state of this library, even in a visitor that holds the lock. The next
 * thread that takes the lock moves them to the known ones.
 */
#include "objects.h"

#include "patch/companion.h"
#include "patch/patch.h"
#include "process/environment.h"
#include "process/window.h"
#include "registry/arrivals.h"
#include "registry/dispatch.h"
#include "registry/registry.h"
#include "registry/semaphore.h"
#include "stock/build.h"

#include <errno.h>

static arrivals pending;
static struct sdt_dso *known;  /* linked by `next`; locked */
static struct object *retired; /* removed, and not freed yet; locked */
static void (*look_around)(void);

/* ---- They come. ---- */

void objects_push(struct sdt_dso *dso)
{
    arrivals_push(&pending, dso);
}

/* Move pending objects to the known ones, oldest first. Locked. */
static void take_pending(void)
{
    struct sdt_dso **last = &known;
    while (*last)
        last = &(*last)->next;
    *last = arrivals_take(&pending);
}

/*
 * Windows of objects that are gone are freed after a grace period, which may not be over yet. But
 * where the text of such an object was, there is now ADDED: so no thread is in it any more, nor in
 * its window, which is where ADDED needs its own.
 */
static void reclaim_windows(const struct object *added)
{
    for (struct object *o = retired; o; o = o->next)
        if (o->low <= added->high && added->low <= o->high)
            window_unmap(&o->thunks.window);
}

void objects_look_around(void (*look)(void))
{
    look_around = look;
}

int objects_index(void (*added)(struct object *object))
{
    int error = 0;
    if (look_around)
        look_around();
    take_pending();
    for (struct sdt_dso *dso = known; dso; dso = dso->next) {
        struct object *object;
        if (registry_object(dso))
            continue;
        int result = registry_add(dso, &object);
        if (result != 0) {
            error = result == -ENOMEM ? result : error;
            continue;
        }
        reclaim_windows(object);
        if (object->has_companions && !environment_forbids())
            companion_rewrite(object);
        added(object);
    }
    return error;
}

/* ---- They go. ---- */

static void disarm_object(struct object *object)
{
    struct patch patch;
    for (size_t i = 0; i < object->n; i++)
        semaphore_lower(&object->sites[i]);
    patch_begin(&patch, SDT_MODE_OFF);
    for (size_t i = 0; i < object->n; i++)
        patch_site(&patch, &object->sites[i]);
    patch_end(&patch);
}

/* Its text and its semaphores are not there any more. */
static void mark_off(struct object *object)
{
    for (size_t i = 0; i < object->n; i++)
        patch_set_mode(&object->sites[i], SITE_OFF);
}

static void remove_object(struct sdt_dso *dso, void (*take_leave)(struct object *object))
{
    struct sdt_dso **link = &known;
    take_pending();
    while (*link && *link != dso)
        link = &(*link)->next;
    if (*link)
        *link = dso->next;
    struct object *object = registry_object(dso);
    if (!object) {
        dso->runtime = NULL;
        return;
    }
    take_leave(object);
    for (size_t i = 0; i < object->probe_count; i++)
        dispatch_leave(&object->probes[i]);
    if (registry_remove(dso)) {
        object->next = retired;
        retired = object;
    }
}

void objects_remove(struct sdt_dso *dso)
{
    remove_object(dso, disarm_object);
}

bool objects_remove_unmapped(struct sdt_dso *dso)
{
    bool was_indexed = registry_object(dso) != NULL;
    remove_object(dso, mark_off);
    return was_indexed;
}

struct object *objects_take_retired(void)
{
    struct object *taken = retired;
    retired = NULL;
    return taken;
}

void objects_free(struct object *object)
{
    for (size_t i = 0; i < object->probe_count; i++)
        dispatch_free(&object->probes[i]);
    window_unmap(&object->thunks.window);
    if (object->annex)
        stock_unbuild(object->annex);
    registry_free(object);
}
