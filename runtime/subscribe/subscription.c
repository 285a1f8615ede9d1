/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See subscription.h. The order of things:
 *
 *   apply:    handlers into the lists, then sites armed, then is-enabled flags set and semaphores
 *             raised: a thread that finds the flag set finds the probe armed, and a hit finds the
 *             handler
 *   withdraw: semaphores lowered, flags cleared, sites disarmed, handlers out
 *
 * The sites that match are marked first; then each step walks over the marked ones.
 */
#include "subscription.h"

#include "hit/argument.h"
#include "patch/patch.h"
#include "registry/chosen.h"
#include "registry/dispatch.h"
#include "registry/semaphore.h"
#include "ring/conditional.h"
#include "ring/current.h"
#include "shared/pattern.h"

#include <errno.h>
#include <stdlib.h>

/* ---- Which sites. ---- */

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
        site->of_subscription.is_matched = site_matches(site, pattern);
        firing += site->of_subscription.is_matched && !site->is_bad && site_fires(site);
    }
    return firing;
}

/*
 * Mark the sites of OBJECT that match, so that the passes below compare no strings. In a probe:
 * whether any of its sites can match (is_candidate), whether all do (takes_all), and how many of
 * those that fire do (matched). In a site, unless all of its probe match: is_matched. Aliases are
 * left out, as the site before them stands for both.
 */
static void mark_matching(struct object *object, const struct pattern *pattern)
{
    bool names_places = pattern_names_places(pattern);
    object->of_subscription.candidates = 0;
    for (size_t i = 0; i < object->probe_count; i++) {
        struct probe *probe = &object->probes[i];
        probe->of_subscription.is_candidate =
            pattern_may_match(pattern, probe->provider, probe->name);
        probe->of_subscription.takes_all = !names_places;
        probe->of_subscription.matched = 0;
        if (!probe->of_subscription.is_candidate)
            continue;
        object->of_subscription.candidates += probe->site_count;
        probe->of_subscription.matched = names_places ? mark_sites(probe, pattern) : probe->firing;
    }
}

/*
 * A walk over the marked sites: probe by probe, or, if more than one site in eight may be among
 * them, through all in order of addresses, so that neighbours are written together.
 */
struct cursor {
    struct object *object;
    bool by_address;
    size_t probe, next;
};

static struct cursor marked_sites(struct object *object)
{
    return (struct cursor){object, object->of_subscription.candidates > object->n / 8, 0, 0};
}

/* Of a site whose probe is a candidate. */
static bool is_marked(const struct site *site)
{
    return site->probe->of_subscription.takes_all || site->of_subscription.is_matched;
}

static inline struct site *next_by_address(struct cursor *cursor)
{
    while (cursor->next < cursor->object->n) {
        struct site *site = &cursor->object->sites[cursor->next++];
        if (site->probe && site->probe->of_subscription.is_candidate && is_marked(site) &&
            !site->is_alias)
            return site;
    }
    return NULL;
}

static struct site *next_by_probe(struct cursor *cursor)
{
    for (; cursor->probe < cursor->object->probe_count; cursor->probe++, cursor->next = 0) {
        const struct probe *probe = &cursor->object->probes[cursor->probe];
        while (probe->of_subscription.is_candidate && cursor->next < probe->site_count) {
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

/* ---- What is done to them. ---- */

/* Count a subscription in at each marked site of OBJECT, and arm nothing. */
static void count_in(struct object *object)
{
    struct cursor cursor = marked_sites(object);
    for (struct site *site; (site = next_marked(&cursor));)
        site->users++;
}

/* The same, and arm those that fire. */
static void arm_marked(struct object *object, const struct subscription *subscription)
{
    struct patch patch;
    struct cursor cursor = marked_sites(object), again = cursor;
    bool has_prepared = false;
    patch_begin(&patch, subscription->mode);
    patch.is_careful = subscription->is_outside;
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

/*
 * Count a subscription out at each marked site of OBJECT, and disarm those that have no other user.
 * Comes last: until then the one user of such a site is this subscription.
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

/*
 * Have the marked is-enabled sites of OBJECT say 1; or 0 with SDT_MODE_OFF, if no other
 * subscription wants 1. A thread that gets 1 must find armed sites: so this comes after arming, and
 * before disarming.
 */
static void set_marked_enabled(struct object *object, int mode)
{
    struct patch patch;
    struct cursor cursor = marked_sites(object);
    if (object->enabled_sites == 0)
        return;
    patch_begin(&patch, mode);
    for (struct site *site; (site = next_marked(&cursor));)
        if (!site_fires(site) && (mode != SDT_MODE_OFF || site->users == 1))
            patch_site(&patch, site);
    patch_end(&patch);
}

/* Raise the semaphores of the marked sites that are armed. */
static void raise_marked(struct object *object)
{
    struct cursor cursor = marked_sites(object);
    for (struct site *site; object->semaphores && (site = next_marked(&cursor));)
        semaphore_raise(site);
}

/* Lower those of the marked sites that have no other user. */
static void lower_marked(struct object *object)
{
    struct cursor cursor = marked_sites(object);
    for (struct site *site; object->semaphores && (site = next_marked(&cursor));)
        if (site->users == 1)
            semaphore_lower(site);
}

/* ---- Handlers. ---- */

/* Take the subscription's handlers out of every list of OBJECT. */
static void remove_handlers(struct object *object, struct subscription *subscription)
{
    for (size_t i = 0; i < object->probe_count; i++)
        if (dispatch_remove(&object->probes[i], subscription->id) != 0) {
            atomic_store(&subscription->ended, true);
            subscription->handlers_stuck = true;
        }
}

/* Put HANDLER in the list of PROBE, for those of its sites that are marked. */
static int add_handler(struct probe *probe, struct handler handler)
{
    struct chosen *chosen = NULL;
    bool takes_all = probe->of_subscription.matched == probe->firing;
    if (!takes_all && !(chosen = chosen_make(probe, is_marked)))
        return -ENOMEM;
    handler.chosen = chosen;
    int error = dispatch_add(probe, &handler);
    free(chosen);
    return error;
}

/* Put a handler in the list of every probe of OBJECT that has a marked site that fires. */
static int add_handlers(struct object *object, struct subscription *subscription, bool is_general)
{
    const struct handler handler = {.id = subscription->id,
                                    .call = subscription->handler,
                                    .data = subscription->data,
                                    .is_general = is_general,
                                    .ended = &subscription->ended};
    int error = 0;
    for (size_t i = 0; !error && i < object->probe_count; i++)
        if (object->probes[i].of_subscription.matched)
            error = add_handler(&object->probes[i], handler);
    if (error)
        remove_handlers(object, subscription);
    return error;
}

/*
 * Make the plans of the marked sites now: the first hit that asks for an argument would call the C
 * library for it, which the subscription promised not to do. False: not all are there, since a hit
 * is making one; then the promise is not made use of.
 */
static bool prepare_arguments(struct object *object)
{
    struct cursor cursor = marked_sites(object);
    bool has_all = true;
    for (struct site *site; (site = next_marked(&cursor));)
        has_all = argument_prepare(site) && has_all;
    return has_all;
}

/* The recorder must know each site before it is hit. */
static int describe_marked(struct object *object, const struct subscription *subscription)
{
    struct cursor cursor = marked_sites(object);
    int error = 0;
    if (!conditional_records(subscription->handler))
        return 0;
    for (struct site *site; !error && (site = next_marked(&cursor));)
        if (site_fires(site))
            error = recorder_describe(site);
    return error ? error : recorder_described();
}

/* ---- All together. ---- */

int subscription_apply(struct object *object, struct subscription *subscription)
{
    mark_matching(object, subscription->pattern);
    bool is_general = subscription->is_general && prepare_arguments(object);
    int error = describe_marked(object, subscription);
    if (!error)
        error = add_handlers(object, subscription, is_general);
    if (error) {
        count_in(object);
        return error;
    }
    arm_marked(object, subscription);
    set_marked_enabled(object, subscription->mode);
    raise_marked(object);
    return 0;
}

void subscription_withdraw(struct object *object, struct subscription *subscription)
{
    mark_matching(object, subscription->pattern);
    lower_marked(object);
    set_marked_enabled(object, SDT_MODE_OFF);
    disarm_marked(object);
    remove_handlers(object, subscription);
}

void subscription_outcome(struct object *object, struct outcome *outcome)
{
    struct cursor cursor = marked_sites(object);
    for (const struct site *site; !outcome->has_armed && (site = next_marked(&cursor));) {
        outcome->has_matched = true;
        outcome->has_armed = atomic_load(&site->mode) != SITE_OFF;
        if (!outcome->error)
            outcome->error = site->error;
    }
}
