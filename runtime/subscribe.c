/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See subscribe.h. The order of things:
 *
 *   enable:   handlers into the lists, then sites armed, then is-enabled flags set: whoever finds
 *             the flag set finds the probe armed, and whoever hits the probe finds the handler
 *   disable:  flags cleared, sites disarmed, handlers out, grace period, memory freed
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
#include "sync.h"

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
    struct object *object;
    struct subscription *subscription;
};

static struct garbage take_garbage(void)
{
    return (struct garbage){registry_take_garbage(), dispatch_take_garbage(), NULL, NULL};
}

static void free_subscription(struct subscription *subscription)
{
    if (!subscription || subscription->handlers_stuck)
        return;
    pattern_free(subscription->pattern);
    free(subscription);
}

/* Wait for a grace period and free GARBAGE. Not locked, not in a handler. */
static void free_garbage(struct garbage *garbage)
{
    sync_wait();
    if (garbage->object)
        for (size_t i = 0; i < garbage->object->probe_count; i++)
            dispatch_free(&garbage->object->probes[i]);
    registry_free(garbage->object);
    registry_free_garbage(garbage->maps);
    dispatch_free_garbage(garbage->lists);
    free_subscription(garbage->subscription);
}

/* ---- Sites and patterns. ---- */

static bool site_matches(const struct site *site, const struct pattern *pattern)
{
    return site->probe && pattern_match(pattern, site->probe->provider, site_module(site),
                                        site_function(site), site->probe->name);
}

/* Patch the matching sites of OBJECT that fire, or those that answer "enabled?". */
static void patch_matching(struct object *object, const struct subscription *subscription, int mode,
                           bool firing)
{
    struct patch patch;
    patch_begin(&patch, mode);
    for (size_t i = 0; i < object->n; i++) {
        struct site *site = &object->sites[i];
        if (site->is_bad || site->is_alias || site_fires(site) != firing ||
            !site_matches(site, subscription->pattern))
            continue;
        if (mode != SDT_MODE_OFF || site->users == 0)
            patch_site(&patch, site);
    }
    patch_end(&patch);
}

/* Count the subscription in or out at each site that it wants. */
static void count_users(struct object *object, const struct subscription *subscription, int change)
{
    for (size_t i = 0; i < object->n; i++) {
        struct site *site = &object->sites[i];
        if (!site->is_bad && !site->is_alias && site_matches(site, subscription->pattern))
            site->users += (unsigned)change;
    }
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

/* Put a handler in the list of every probe of OBJECT that has a matching site. */
static int add_handlers(struct object *object, struct subscription *subscription)
{
    int error = 0;
    for (size_t i = 0; i < object->probe_count; i++)
        object->probes[i].matched = 0;
    for (size_t i = 0; i < object->n; i++) {
        struct site *site = &object->sites[i];
        if (!site->is_bad && !site->is_alias && site_fires(site) &&
            site_matches(site, subscription->pattern))
            site->probe->matched++;
    }
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

static int cover(struct object *object, struct subscription *subscription)
{
    int error = add_handlers(object, subscription);
    if (error)
        return error;
    count_users(object, subscription, +1);
    patch_matching(object, subscription, subscription->mode, true);
    patch_matching(object, subscription, subscription->mode, false);
    return 0;
}

static void uncover(struct object *object, struct subscription *subscription)
{
    count_users(object, subscription, -1);
    patch_matching(object, subscription, SDT_MODE_OFF, false);
    patch_matching(object, subscription, SDT_MODE_OFF, true);
    remove_handlers(object, subscription);
}

/* How enabling went: sites that match, sites that are armed, and the first error. */
struct outcome {
    size_t matched, armed;
    int error;
};

static void add_outcome(const struct object *object, const struct subscription *subscription,
                        struct outcome *outcome)
{
    for (size_t i = 0; i < object->n; i++) {
        const struct site *site = &object->sites[i];
        if (site->is_alias || !site_matches(site, subscription->pattern))
            continue;
        outcome->matched++;
        if (atomic_load(&site->mode) != SITE_OFF)
            outcome->armed++;
        else if (!outcome->error)
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

/* Take the lock with everything indexed. */
static int begin(void)
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

/* Release the lock, and free what is left over if this is a place where one may wait. */
static void finish(struct garbage *garbage)
{
    bool may_wait = !sync_in_handler();
    struct garbage none = {NULL, NULL, NULL, NULL};
    if (!garbage)
        garbage = &none;
    if (may_wait) {
        struct garbage rest = take_garbage();
        garbage->maps = rest.maps;
        garbage->lists = rest.lists;
    }
    lock_release();
    if (may_wait && (garbage->maps || garbage->lists || garbage->object || garbage->subscription))
        free_garbage(garbage);
}

void subscribe_adopt(void)
{
    if (begin() == 0)
        finish(NULL);
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
    struct garbage garbage = {NULL, NULL, NULL, NULL};
    adopt_pending();
    unlink_dso(&known, dso);
    struct object *object = dso->runtime;
    if (object) {
        struct patch patch;
        patch_begin(&patch, SDT_MODE_OFF);
        for (size_t i = 0; i < object->n; i++)
            patch_site(&patch, &object->sites[i]);
        patch_end(&patch);
        for (size_t i = 0; i < object->probe_count; i++)
            __atomic_store_n(&object->probes[i].record->entry, NULL, __ATOMIC_RELEASE);
        garbage.object = registry_remove(dso);
    }
    if (nested) /* in a visitor, under our own lock: the index is lost, not freed */
        return;
    finish(&garbage);
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
    struct outcome outcome = {0, 0, 0};
    struct object *object;
    int error = 0;
    for (object = registry_objects(); object && !error; object = object->next) {
        error = cover(object, subscription);
        if (error)
            break;
        add_outcome(object, subscription, &outcome);
    }
    if (!error && (outcome.armed || early))
        return 0;
    struct object *end = object; /* the one that failed took its own handlers out */
    for (object = registry_objects(); object != end; object = object->next)
        uncover(object, subscription);
    return error ? error : !outcome.matched ? -ENOENT : outcome.error ? outcome.error : -EILSEQ;
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
        error = begin();
    if (error) {
        free_subscription(subscription);
        return error;
    }
    subscription->id = ++last_id;
    subscription->handler = handler;
    subscription->data = data;
    subscription->mode = mode;
    int id = subscription->id;
    struct garbage garbage = {NULL, NULL, NULL, NULL};
    error = cover_all(subscription, early);
    if (error)
        garbage.subscription = subscription;
    else
        link_subscription(subscription);
    finish(&garbage);
    return error ? error : id;
}

int unsubscribe(int id)
{
    int error = lock_acquire();
    if (error)
        return error;
    bool in_handler = sync_in_handler();
    struct subscription *subscription = unlink_subscription(&in_force, id);
    if (subscription) {
        atomic_fetch_sub(&force_count, 1);
        atomic_store(&subscription->ended, true);
        for (struct object *o = registry_objects(); o; o = o->next)
            uncover(o, subscription);
    } else {
        subscription = unlink_subscription(&ending, id);
    }
    struct garbage garbage = {NULL, NULL, NULL, subscription};
    if (subscription && in_handler) {
        subscription->next = ending;
        ending = subscription;
        garbage.subscription = NULL;
        error = -EINPROGRESS;
    } else if (!subscription) {
        error = -ENOENT;
    }
    finish(&garbage);
    return error;
}

static struct sdt_probe_info describe(const struct site *site)
{
    int mode = atomic_load(&site->mode);
    const struct probe *probe = site->probe;
    struct sdt_probe_info info = {
        .size = sizeof info,
        .provider = probe ? probe->provider : "",
        .module = probe ? site_module(site) : "",
        .function = probe ? site_function(site) : NULL,
        .name = probe ? probe->name : "",
        .pc = site_pc(site),
        .kind = site->record->kind,
        .nargs = site->args.count,
        .mode = mode == SITE_TRAP   ? SDT_MODE_TRAP
                : mode == SITE_JUMP ? SDT_MODE_JUMP
                : site->error       ? SDT_MODE_BLOCKED
                                    : SDT_MODE_OFF,
        .args = "",
    };
    info.error = info.mode == SDT_MODE_BLOCKED ? site->error : 0;
    if (probe && site->record->args)
        info.args = (const char *)((uintptr_t)&site->record->args +
                                   (uintptr_t)(intptr_t)site->record->args);
    return info;
}

/* Visit the sites of OBJECT that match. */
static int visit_object(const struct object *object, const struct pattern *pattern,
                        int (*visit)(const struct sdt_probe_info *, void *), void *data)
{
    const struct site *responsible = NULL;
    int result = 0;
    for (size_t i = 0; i < object->n && result == 0; i++) {
        const struct site *site = &object->sites[i];
        if (!site->is_alias)
            responsible = site;
        if (site->probe && !site_matches(site, pattern))
            continue;
        struct sdt_probe_info info = describe(site);
        if (site->is_alias && responsible) {
            struct sdt_probe_info shared = describe(responsible);
            info.mode = shared.mode;
            info.error = shared.error;
        }
        result = visit(&info, data);
    }
    return result;
}

int subscribe_foreach(const char *text, int (*visit)(const struct sdt_probe_info *site, void *data),
                      void *data)
{
    int result = 0;
    size_t length = 0;
    while (text[length])
        length++;
    struct pattern *pattern = pattern_parse(text, length, &result);
    if (!pattern)
        return result;
    result = begin();
    if (result == 0) {
        for (struct object *o = registry_objects(); o && result == 0; o = o->next)
            result = visit_object(o, pattern, visit, data);
        finish(NULL);
    }
    pattern_free(pattern);
    return result;
}

static uint64_t hits_of(const struct object *object, const struct pattern *pattern)
{
    uint64_t hits = 0;
    for (size_t i = 0; i < object->probe_count; i++)
        object->probes[i].matched = 0;
    for (size_t i = 0; i < object->n; i++) {
        struct site *site = &object->sites[i];
        if (site->is_bad || site->probe->matched || !site_matches(site, pattern))
            continue;
        site->probe->matched = 1;
        hits += __atomic_load_n(&site->probe->record->hits, __ATOMIC_RELAXED);
    }
    return hits;
}

int subscribe_hits(const char *text, uint64_t *hits)
{
    int error = 0;
    size_t length = 0;
    while (text[length])
        length++;
    struct pattern *pattern = pattern_parse(text, length, &error);
    *hits = 0;
    if (!pattern)
        return error;
    error = begin();
    if (error == 0) {
        for (struct object *o = registry_objects(); o; o = o->next)
            *hits += hits_of(o, pattern);
        finish(NULL);
    }
    pattern_free(pattern);
    return error;
}
