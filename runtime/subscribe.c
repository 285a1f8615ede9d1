/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See subscribe.h. The order of things:
 *
 *   enable:   handlers into the lists, then sites armed, then is-enabled flags set and semaphores
 *             raised: whoever finds the flag set finds the probe armed, and whoever hits the probe
 *             finds the handler
 *   disable:  semaphores lowered, flags cleared, sites disarmed, handlers out, grace period, memory
 * freed
 *
 * No step waits while the lock is held (lock.h): what must wait for a grace period is taken out
 * under the lock, and freed after it was released.
 *
 * Objects that register are pushed on a list without a lock (`pending`): a constructor may run in
 * any state of this library, even in a visitor that holds the lock. They are adopted by whoever
 * next takes the lock.
 */
#include "subscribe.h"

#include "companion.h"
#include "dispatch.h"
#include "environment.h"
#include "lock.h"
#include "patch.h"
#include "pattern.h"
#include "registry.h"
#include "semaphore.h"
#include "sync.h"
#include "thunk.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

struct subscription {
    struct subscription *next;
    int id;
    sdt_handler *handler;
    void *data;
    int mode;
    atomic_bool ended;   /* no call may begin any more */
    bool handlers_stuck; /* no memory to take the handlers out: `ended` does it, for ever */
    struct pattern *pattern;
};

static _Atomic(struct sdt_dso *) pending;
static struct sdt_dso *known;         /* adopted, linked by `next`; locked */
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
    for (size_t i = 0; i < object->probe_count; i++)
        dispatch_free(&object->probes[i]);
    thunk_free(object);
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

/* ---- Sites and patterns. ---- */

bool site_matches(const struct site *site, const struct pattern *pattern)
{
    return site->probe && pattern_match(pattern, site->probe->provider, site_module(site),
                                        site_function(site), site->probe->name);
}

/* Mark in each site of PROBE whether it matches; how many of them fire. */
static unsigned mark_sites(const struct probe *probe, const struct pattern *pattern)
{
    unsigned firing = 0;
    for (size_t i = 0; i < probe->site_count; i++) {
        struct site *site = probe->sites[i];
        site->is_matched = site_matches(site, pattern);
        firing += site->is_matched && !site->is_bad && site_fires(site);
    }
    return firing;
}

/*
 * Mark the sites of OBJECT that match: in each probe how many that fire, and in each site of such a
 * probe whether, unless all do. The passes below then compare no strings. Aliases are left out, as
 * the site before them stands for both.
 */
static void mark_matching(struct object *object, const struct pattern *pattern)
{
    bool names_places = pattern_names_places(pattern);
    object->candidates = 0;
    for (size_t i = 0; i < object->probe_count; i++) {
        struct probe *probe = &object->probes[i];
        probe->is_candidate = pattern_may_match(pattern, probe->provider, probe->name);
        probe->takes_all = !names_places;
        probe->matched = 0;
        if (!probe->is_candidate)
            continue;
        object->candidates += probe->site_count;
        probe->matched = names_places ? mark_sites(probe, pattern) : probe->firing;
    }
}

/*
 * A walk over the marked sites: probe by probe, or, where most sites may be among them, through all
 * in order of addresses, so that neighbours are written together.
 */
struct cursor {
    struct object *object;
    bool by_address;
    size_t probe, next;
};

static struct cursor marked_sites(struct object *object)
{
    return (struct cursor){object, object->candidates > object->n / 8, 0, 0};
}

/* Of a site whose probe is a candidate. */
static bool is_marked(const struct site *site)
{
    return site->probe->takes_all || site->is_matched;
}

static inline struct site *next_by_address(struct cursor *cursor)
{
    while (cursor->next < cursor->object->n) {
        struct site *site = &cursor->object->sites[cursor->next++];
        if (site->probe && site->probe->is_candidate && is_marked(site) && !site->is_alias)
            return site;
    }
    return NULL;
}

static struct site *next_by_probe(struct cursor *cursor)
{
    for (; cursor->probe < cursor->object->probe_count; cursor->probe++, cursor->next = 0) {
        const struct probe *probe = &cursor->object->probes[cursor->probe];
        while (probe->is_candidate && cursor->next < probe->site_count) {
            struct site *site = probe->sites[cursor->next++];
            if (is_marked(site))
                return site;
        }
    }
    return NULL;
}

static inline struct site *next_marked(struct cursor *cursor)
{
    return cursor->by_address ? next_by_address(cursor) : next_by_probe(cursor);
}

/* Count a subscription in at each marked site of OBJECT, and arm nothing. */
static void count_in(struct object *object)
{
    struct cursor cursor = marked_sites(object);
    for (struct site *site; (site = next_marked(&cursor));)
        site->users++;
}

/* The same, and arm those that fire. */
static void arm_marked(struct object *object, int mode)
{
    struct patch patch;
    struct cursor cursor = marked_sites(object), again = cursor;
    bool has_prepared = false;
    patch_begin(&patch, mode);
    for (struct site *site; (site = next_marked(&cursor));) {
        site->users++;
        if (site_fires(site) && patch_prepare(&patch, site))
            has_prepared = true;
        else if (site_fires(site))
            patch_site(&patch, site);
    }
    if (has_prepared) {
        patch_prepared(&patch);
        for (struct site *site; (site = next_marked(&again));)
            if (site_fires(site))
                patch_site(&patch, site);
    }
    patch_end(&patch);
}

/* Behind that: the marked questions of OBJECT are answered by yes. */
static void answer_marked(struct object *object, int mode)
{
    struct patch patch;
    struct cursor cursor = marked_sites(object);
    if (object->questions == 0)
        return;
    patch_begin(&patch, mode);
    for (struct site *site; (site = next_marked(&cursor));)
        if (!site_fires(site))
            patch_site(&patch, site);
    patch_end(&patch);
}

/*
 * Count a subscription out at each marked site of OBJECT, and disarm those that nobody wants any
 * more. Comes last: until then the one user of such a site is this subscription.
 */
static void disarm_marked(struct object *object)
{
    struct patch patch;
    struct cursor cursor = marked_sites(object);
    patch_begin(&patch, SDT_MODE_OFF);
    for (struct site *site; (site = next_marked(&cursor));)
        if (--site->users == 0 && site_fires(site))
            patch_site(&patch, site);
    patch_end(&patch);
}

/* Before that: the marked questions that nobody else asks are answered by no. */
static void deny_marked(struct object *object)
{
    struct patch patch;
    struct cursor cursor = marked_sites(object);
    if (object->questions == 0)
        return;
    patch_begin(&patch, SDT_MODE_OFF);
    for (struct site *site; (site = next_marked(&cursor));)
        if (site->users == 1 && !site_fires(site))
            patch_site(&patch, site);
    patch_end(&patch);
}

/* Tell the program that somebody looks: at the marked sites that are armed. */
static void raise_marked(struct object *object)
{
    struct cursor cursor = marked_sites(object);
    for (struct site *site; object->semaphores && (site = next_marked(&cursor));)
        semaphore_raise(site);
}

/* … and that nobody does: at those that nobody else wants. */
static void lower_marked(struct object *object)
{
    struct cursor cursor = marked_sites(object);
    for (struct site *site; object->semaphores && (site = next_marked(&cursor));)
        if (site->users == 1)
            semaphore_lower(site);
}

/* Take the subscription's handlers out of every list of OBJECT. */
static void remove_handlers(struct object *object, struct subscription *subscription)
{
    for (size_t i = 0; i < object->probe_count; i++)
        if (dispatch_remove(&object->probes[i], subscription->id) != 0) {
            atomic_store(&subscription->ended, true);
            subscription->handlers_stuck = true;
        }
}

/* Put a handler in the list of every probe of OBJECT that has a marked site that fires. */
static int add_handlers(struct object *object, struct subscription *subscription)
{
    int error = 0;
    for (size_t i = 0; !error && i < object->probe_count; i++) {
        struct probe *probe = &object->probes[i];
        struct handler handler = {subscription->id, subscription->handler, subscription->data,
                                  probe->matched == probe->firing ? NULL : subscription->pattern,
                                  &subscription->ended};
        if (probe->matched)
            error = dispatch_add(probe, &handler);
    }
    if (error)
        remove_handlers(object, subscription);
    return error;
}

/* ---- One subscription and one object. ---- */

/* On failure it is counted in, as uncover() expects, and nothing is armed. */
static int cover(struct object *object, struct subscription *subscription)
{
    mark_matching(object, subscription->pattern);
    int error = add_handlers(object, subscription);
    if (error) {
        count_in(object);
        return error;
    }
    arm_marked(object, subscription->mode);
    answer_marked(object, subscription->mode);
    raise_marked(object);
    return 0;
}

static void uncover(struct object *object, struct subscription *subscription)
{
    mark_matching(object, subscription->pattern);
    lower_marked(object);
    deny_marked(object);
    disarm_marked(object);
    remove_handlers(object, subscription);
}

/* Whether a site is armed, of those that match; if none is, the first error. */
struct outcome {
    bool has_matched, has_armed;
    int error;
};

/* Look at the marked sites of OBJECT, until one is found that is armed. */
static void add_outcome(struct object *object, struct outcome *outcome)
{
    struct cursor cursor = marked_sites(object);
    for (const struct site *site; !outcome->has_armed && (site = next_marked(&cursor));) {
        outcome->has_matched = true;
        outcome->has_armed = atomic_load(&site->mode) != SITE_OFF;
        if (!outcome->error)
            outcome->error = site->error;
    }
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
            cover(object, s); /* out of memory: this object stays off, which breaks nothing */
    }
    return error;
}

static void after_fork_child(void)
{
    sync_after_fork_child();
    lock_after_fork_child();
}

/* The first use of the library. Locked. */
static void start_once(void)
{
    static bool started;
    if (!started)
        pthread_atfork(lock_before_fork, lock_after_fork_parent, after_fork_child);
    started = true;
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

void unsubscribe_object(struct sdt_dso *dso)
{
    bool nested = lock_acquire() != 0;
    adopt_pending();
    unlink_dso(&known, dso);
    struct object *object = dso->runtime;
    if (object) {
        struct patch patch;
        for (size_t i = 0; i < object->n; i++)
            semaphore_lower(&object->sites[i]);
        patch_begin(&patch, SDT_MODE_OFF);
        for (size_t i = 0; i < object->n; i++)
            patch_site(&patch, &object->sites[i]);
        patch_end(&patch);
        for (size_t i = 0; i < object->probe_count; i++)
            __atomic_store_n(&object->probes[i].record->entry, NULL, __ATOMIC_RELEASE);
        if (registry_remove(dso))
            retire_object(object);
    }
    if (!nested)
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

/* Cover all objects. On failure nothing is left behind but garbage. Locked. */
static int cover_all(struct subscription *subscription, bool early)
{
    struct outcome outcome = {false, false, 0};
    struct object *object;
    int error = 0;
    for (object = registry_objects(); object && !error; object = object->next) {
        error = cover(object, subscription);
        if (error)
            break;
        add_outcome(object, &outcome);
    }
    if (!error && (outcome.has_armed || early))
        return 0;
    struct object *end = error ? object->next : NULL;
    for (object = registry_objects(); object != end; object = object->next)
        uncover(object, subscription);
    return error ? error : !outcome.has_matched ? -ENOENT : outcome.error ? outcome.error : -EILSEQ;
}

int subscribe(const char *text, size_t length, sdt_handler *handler, void *data, int mode,
              bool early)
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
    subscription->mode = mode;
    error = cover_all(subscription, early);
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
        uncover(o, subscription);
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
