/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See subscribe.h. Enabling covers every object (subscription.h), and those that come later;
 * disabling uncovers them, waits for a grace period, and frees what is no longer visible.
 *
 * No step waits while the lock is held (lock.h): what must wait for a grace period is taken out
 * under the lock, and freed after it was released.
 *
 * Objects that register are pushed on a list without a lock (`pending`): a constructor may run in
 * any state of this library, even in a visitor that holds the lock. The next thread that takes the
 * lock adopts them.
 */
#include "subscribe.h"

#include "companion.h"
#include "counters.h"
#include "dispatch.h"
#include "environment.h"
#include "lock.h"
#include "patch.h"
#include "pattern.h"
#include "recorder/current.h"
#include "registry.h"
#include "semaphore.h"
#include "stock/build.h"
#include "subscription.h"
#include "sync.h"
#include "thunk.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

static _Atomic(struct sdt_dso *) pending;
static struct sdt_dso *known;         /* adopted, linked by `next`; locked */
static struct subscription *in_force; /* in order of enabling; locked */
static struct subscription *ending;   /* ended inside a handler, not yet waited for; locked */
static atomic_int force_count;        /* length of in_force */
static int last_id;
static const struct subscribe_door *_Atomic door;
static void (*look_around)(void); /* locked */

/* ---- What must outlive a grace period. ---- */

struct garbage {
    void *maps, *lists;
    struct object *objects;
    struct subscription *subscriptions;
};

static struct object *retired_objects;             /* unloaded; locked */
static struct subscription *retired_subscriptions; /* ended; locked */

static void retire(struct subscription *subscription)
{
    subscription->next = retired_subscriptions;
    retired_subscriptions = subscription;
}

static void retire_object(struct object *object)
{
    object->next = retired_objects;
    retired_objects = object;
}

/* Everything that nobody can find any more. Locked. */
static struct garbage take_garbage(void)
{
    struct garbage garbage = {registry_take_garbage(), dispatch_take_garbage(), retired_objects,
                              retired_subscriptions};
    retired_objects = NULL;
    retired_subscriptions = NULL;
    return garbage;
}

static void free_subscription(struct subscription *subscription)
{
    if (subscription->handlers_stuck)
        return;
    pattern_free(subscription->pattern);
    free(subscription);
}

static void free_object(struct object *object)
{
    const struct subscribe_door *told = atomic_load(&door);
    if (told)
        told->counters_go();
    for (size_t i = 0; i < object->probe_count; i++)
        dispatch_free(&object->probes[i]);
    thunk_free(object);
    if (object->annex)
        stock_unbuild(object->annex);
    registry_free(object);
}

/* Free GARBAGE, which a grace period has passed over. */
static void free_garbage(struct garbage garbage)
{
    while (garbage.objects) {
        struct object *next = garbage.objects->next;
        free_object(garbage.objects);
        garbage.objects = next;
    }
    while (garbage.subscriptions) {
        struct subscription *next = garbage.subscriptions->next;
        free_subscription(garbage.subscriptions);
        garbage.subscriptions = next;
    }
    registry_free_garbage(garbage.maps);
    dispatch_free_garbage(garbage.lists);
}

/* ---- Objects. ---- */

void subscribe_push(struct sdt_dso *dso)
{
    dso->next = atomic_load(&pending);
    while (!atomic_compare_exchange_weak(&pending, &dso->next, dso))
        ;
}

/* Move pending objects to the known ones, oldest first. Locked. */
static void adopt_pending(void)
{
    struct sdt_dso *taken = atomic_exchange(&pending, NULL), *oldest = NULL;
    while (taken) {
        struct sdt_dso *next = taken->next;
        taken->next = oldest;
        oldest = taken;
        taken = next;
    }
    struct sdt_dso **last = &known;
    while (*last)
        last = &(*last)->next;
    *last = oldest;
}

/*
 * Windows of objects that are gone wait for a grace period, which nobody may have waited for yet.
 * But where the text of such an object was, there is now ADDED: so nobody is in it any more, nor in
 * its window, which is just where the new one wants to be.
 */
static void reclaim_windows(const struct object *added)
{
    for (struct object *o = retired_objects; o; o = o->next)
        if (o->low <= added->high && added->low <= o->high)
            thunk_free(o);
}

/* Index every known object that has no index; new ones get the subscriptions in force. Locked. */
static int index_objects(void)
{
    int error = 0;
    if (look_around)
        look_around();
    adopt_pending();
    for (struct sdt_dso *dso = known; dso; dso = dso->next) {
        struct object *object;
        if (dso->runtime)
            continue;
        int result = registry_add(dso, &object);
        if (result != 0) {
            error = result == -ENOMEM ? result : error;
            continue;
        }
        reclaim_windows(object);
        if (registry_is_companion(dso) && !environment_forbids())
            companion_rewrite(object);
        for (struct subscription *s = in_force; s; s = s->next)
            subscription_apply(object,
                               s); /* out of memory: this object stays off, which breaks nothing */
    }
    return error;
}

static void before_fork(void)
{
    const struct subscribe_door *told = atomic_load(&door);
    if (told)
        told->before_fork(); /* what it waits for takes the lock */
    lock_before_fork();
}

static void after_fork_parent(void)
{
    const struct subscribe_door *told = atomic_load(&door);
    lock_after_fork_parent();
    if (told)
        told->after_fork_parent();
}

static void after_fork_child(void)
{
    const struct subscribe_door *told = atomic_load(&door);
    sync_after_fork_child();
    lock_after_fork_child();
    recorder_after_fork_child();
    if (told)
        told->after_fork_child();
}

/* The first use of the library. Locked. */
static void start_once(void)
{
    static bool started;
    if (!started)
        pthread_atfork(before_fork, after_fork_parent, after_fork_child);
    started = true;
}

int subscribe_prepare(const struct subscribe_door *told)
{
    int error = lock_acquire();
    if (error)
        return error;
    start_once();
    counters_share();
    sync_register();
    atomic_store(&door, told);
    lock_release();
    return 0;
}

void subscribe_look_around(void (*look)(void))
{
    look_around = look;
}

void subscribe_index(void)
{
    index_objects();
}

int subscribe_begin(void)
{
    int error = lock_acquire();
    if (error)
        return error;
    start_once();
    error = index_objects();
    if (error)
        lock_release();
    return error;
}

void subscribe_adopt(void)
{
    if (subscribe_begin() == 0)
        lock_release();
}

void subscribe_object(struct sdt_dso *dso)
{
    subscribe_push(dso);
    if (atomic_load(&force_count) != 0 || registry_is_companion(dso))
        subscribe_adopt();
}

static bool unlink_dso(struct sdt_dso **list, struct sdt_dso *dso)
{
    for (; *list; list = &(*list)->next)
        if (*list == dso) {
            *list = dso->next;
            return true;
        }
    return false;
}

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
static void forget_object(struct object *object)
{
    for (size_t i = 0; i < object->n; i++)
        patch_set_mode(&object->sites[i], SITE_OFF);
}

/* Locked. */
static void remove_object(struct sdt_dso *dso, void (*take_leave)(struct object *object))
{
    adopt_pending();
    unlink_dso(&known, dso);
    struct object *object = dso->runtime;
    if (!object)
        return;
    take_leave(object);
    for (size_t i = 0; i < object->probe_count; i++)
        __atomic_store_n(&object->probes[i].record->entry, NULL, __ATOMIC_RELEASE);
    if (registry_remove(dso))
        retire_object(object);
}

void unsubscribe_object(struct sdt_dso *dso)
{
    bool nested = lock_acquire() != 0;
    remove_object(dso, disarm_object);
    if (!nested)
        lock_release();
}

bool unsubscribe_gone(struct sdt_dso *dso)
{
    bool was_indexed = dso->runtime != NULL;
    remove_object(dso, forget_object);
    return was_indexed;
}

/* ---- The API. ---- */

static void link_subscription(struct subscription *subscription)
{
    struct subscription **last = &in_force;
    while (*last)
        last = &(*last)->next;
    *last = subscription;
    atomic_fetch_add(&force_count, 1);
}

static struct subscription *unlink_subscription(struct subscription **list, int id)
{
    for (; *list; list = &(*list)->next)
        if ((*list)->id == id) {
            struct subscription *found = *list;
            *list = found->next;
            found->next = NULL;
            return found;
        }
    return NULL;
}

/* Cover all objects. On failure nothing is left behind but garbage. Locked. */
static int cover_all(struct subscription *subscription, enum subscribe_when when)
{
    struct outcome outcome = {false, false, 0};
    struct object *object;
    int error = 0;
    for (object = registry_objects(); object && !error; object = object->next) {
        error = subscription_apply(object, subscription);
        if (error)
            break;
        subscription_outcome(object, &outcome);
    }
    if (!error && (outcome.has_armed || when == SUBSCRIBE_ANYHOW ||
                   (when == SUBSCRIBE_PENDING && !outcome.has_matched)))
        return 0;
    struct object *end = error ? object->next : NULL;
    for (object = registry_objects(); object != end; object = object->next)
        subscription_withdraw(object, subscription);
    return error ? error : !outcome.has_matched ? -ENOENT : outcome.error ? outcome.error : -EILSEQ;
}

int subscribe(const char *text, size_t length, sdt_handler *handler, void *data, int mode,
              enum subscribe_when when)
{
    int error = 0;
    struct subscription *subscription = calloc(1, sizeof *subscription);
    if (!subscription)
        return -ENOMEM;
    subscription->pattern = pattern_parse(text, length, &error);
    if (!error)
        error = subscribe_begin();
    if (error) {
        free_subscription(subscription);
        return error;
    }
    int id = subscription->id = ++last_id;
    subscription->handler = handler;
    subscription->data = data;
    subscription->mode = mode & ~(SDT_GENERAL_REGS | SUBSCRIBE_FOR_TOOL);
    subscription->is_general = mode & SDT_GENERAL_REGS;
    subscription->is_tool = mode & SUBSCRIBE_FOR_TOOL;
    error = cover_all(subscription, when);
    if (error == -ENOENT)
        free_subscription(subscription); /* nobody has seen it */
    else if (error)
        retire(subscription);
    else
        link_subscription(subscription);
    /* Who registered meanwhile has seen nothing in force, and left its object on the list. */
    if (!error)
        index_objects();
    lock_release();
    /* Out of memory half-way: some sites were armed, and DATA is the caller's again. */
    if (error == -ENOMEM && !sync_in_handler())
        sync_wait();
    return error ? error : id;
}

/* Find subscription ID and take it out of service. Locked. */
static struct subscription *end_subscription(int id)
{
    struct subscription *subscription = unlink_subscription(&in_force, id);
    if (!subscription)
        return unlink_subscription(&ending, id);
    atomic_fetch_sub(&force_count, 1);
    atomic_store(&subscription->ended, true);
    for (struct object *o = registry_objects(); o; o = o->next)
        subscription_withdraw(o, subscription);
    return subscription;
}

int unsubscribe(int id)
{
    int error = lock_acquire();
    if (error)
        return error;
    struct subscription *subscription = end_subscription(id);
    if (subscription && !sync_in_handler()) {
        retire(subscription);
        struct garbage garbage = take_garbage();
        lock_release();
        sync_wait();
        free_garbage(garbage);
        return 0;
    }
    if (subscription) {
        subscription->next = ending;
        ending = subscription;
    }
    lock_release();
    return subscription ? -EINPROGRESS : -ENOENT;
}

static int find_tools(bool (*is_kept)(int id))
{
    int id = 0;
    if (lock_acquire() != 0)
        return 0;
    for (const struct subscription *s = in_force; s && !id; s = s->next)
        id = s->is_tool && !is_kept(s->id) ? s->id : 0;
    lock_release();
    return id;
}

void subscribe_end_tools(bool (*is_kept)(int id))
{
    for (int id; (id = find_tools(is_kept)) != 0;)
        unsubscribe(id);
}
