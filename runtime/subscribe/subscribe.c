/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See subscribe.h. Enabling covers every object (subscription.h), and those that come later;
 * disabling uncovers them, waits for a grace period, and frees what is no longer visible.
 *
 * No step waits while the lock is held (lock.h): what must wait for a grace period is taken out
 * under the lock, and freed after it was released.
 */
#include "subscribe.h"

#include "forks.h"
#include "hit/sync.h"
#include "objects.h"
#include "process/lock.h"
#include "registry/dispatch.h"
#include "registry/registry.h"
#include "shared/pattern.h"
#include "subscription.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>

_Static_assert(SDT_GENERAL_REGS == 0 || SDT_GENERAL_REGS == SUBSCRIBE_GENERAL_REGS,
               "what programs say reaches subscribe() as it is");

static struct subscription *in_force; /* in order of enabling; locked */
static struct subscription *ending;   /* ended inside a handler, not yet waited for; locked */
static atomic_int force_count;        /* length of in_force */
static int last_id;

/* ---- What must outlive a grace period. ---- */

struct garbage {
    void *maps, *lists;
    struct object *objects;
    struct subscription *subscriptions;
};

static struct subscription *retired_subscriptions; /* ended; locked */

static void retire(struct subscription *subscription)
{
    subscription->next = retired_subscriptions;
    retired_subscriptions = subscription;
}

/* Everything that is no longer reachable. Locked. */
static struct garbage take_garbage(void)
{
    struct garbage garbage = {registry_take_garbage(), dispatch_take_garbage(),
                              objects_take_retired(), retired_subscriptions};
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

/* Free GARBAGE, which a grace period has passed over. */
static void free_garbage(struct garbage garbage)
{
    if (garbage.objects)
        forks_counters_go();
    while (garbage.objects) {
        struct object *next = garbage.objects->next;
        objects_free(garbage.objects);
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

/* Locked; the lock is released. */
static void collect(void)
{
    struct garbage garbage = take_garbage();
    lock_release();
    sync_wait();
    free_garbage(garbage);
}

void subscribe_collect(void)
{
    if (lock_acquire() == 0)
        collect();
}

/* ---- Objects. ---- */

/* The subscriptions in force are those of a new object as well. Out of memory: it stays off, which
 * breaks nothing. Locked. */
static void cover_new(struct object *object)
{
    for (struct subscription *s = in_force; s; s = s->next)
        subscription_apply(object, s);
}

void subscribe_index(void)
{
    objects_index(cover_new);
}

int subscribe_begin(void)
{
    int error = lock_acquire();
    if (error)
        return error;
    forks_prepare();
    error = objects_index(cover_new);
    if (error)
        lock_release();
    return error;
}

void subscribe_index_now(void)
{
    if (subscribe_begin() == 0)
        lock_release();
}

void subscribe_object_came(struct sdt_dso *dso)
{
    objects_push(dso);
    if (atomic_load(&force_count) != 0 || registry_is_companion(dso))
        subscribe_index_now();
}

/* If the lock's owner has died, objects are neither read nor changed any more. */
void subscribe_object_left(struct sdt_dso *dso)
{
    int error = lock_acquire();
    if (error && error != -EDEADLK)
        return;
    objects_remove(dso);
    if (!error)
        lock_release();
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

/* Cover all objects. On failure only garbage remains. Locked. */
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
    subscription->mode = mode & ~(SUBSCRIBE_GENERAL_REGS | SUBSCRIBE_FOR_TOOL);
    subscription->is_general = mode & SUBSCRIBE_GENERAL_REGS;
    subscription->is_tool = mode & SUBSCRIBE_FOR_TOOL;
    subscription->is_outside = subscription->is_tool || when == SUBSCRIBE_ANYHOW;
    error = cover_all(subscription, when);
    if (error == -ENOENT)
        free_subscription(subscription); /* never visible */
    else if (error)
        retire(subscription);
    else
        link_subscription(subscription);
    /* An object that was registered in the meantime has not been enabled yet; it is on the list. */
    if (!error)
        objects_index(cover_new);
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
        collect();
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
