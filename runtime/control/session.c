/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See session.h. A session lives as long as its tool changes a word of it: no clock is compared, so
 * it does not matter what the tool writes there, in which time namespace it runs, or whether the
 * machine was suspended. What stays enabled in the background belongs to no session.
 *
 * Only one thread changes the list, under the lock, so a fork in another thread finds it
 * consistent.
 */
#include "session.h"

#include "bytecode/specialize.h"
#include "inherit.h"
#include "process/lock.h"
#include "recorder/recorder.h"
#include "recorder/writing.h"
#include "ring/clock.h"
#include "subscribe/subscribe.h"
#include "tables.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static struct session_item *items;

/* In the child of a fork: a recorder that its parent was asked for. */
static struct sdt_recorder *orphan;

/* What we have seen of each place. */
static struct seen {
    uint64_t id, beat;
    int64_t when; /* ms, it last changed */
} seen[LIVE_SESSIONS];

void session_publish(struct live_page *page)
{
    uint32_t n = 0;
    for (const struct session_item *item = items; item; item = item->next)
        n++;
    if (page)
        atomic_store(&page->enabled, n);
}

/* Make *AT point to ITEM. */
static void change(struct session_item **at, struct session_item *item)
{
    bool is_locked = lock_acquire() == 0;
    *at = item;
    if (is_locked)
        lock_release();
}

bool session_keep(struct live_page *page, const struct session_item *item)
{
    struct session_item *kept = malloc(sizeof *kept);
    if (!kept)
        return false;
    *kept = *item;
    if (item->follows && !wanted_begin(&kept->wanted)) {
        free(kept);
        return false;
    }
    kept->next = items;
    change(&items, kept);
    session_publish(page);
    return true;
}

/* Whether something was added to RECORDER, of which it uses the memory. */
static bool has_added(const struct sdt_recorder *recorder)
{
    const struct session_item *item = items;
    while (item && item->added_to != recorder)
        item = item->next;
    return item != NULL;
}

static int end_item(struct session_item **at)
{
    struct session_item *item = *at;
    if (item->recorder && has_added(item->recorder))
        return -EBUSY;
    wanted_end(&item->wanted);
    int error = unsubscribe(item->id);
    if (error && error != -ENOENT)
        return error;
    if (item->recorder)
        recorder_functions.destroy(item->recorder);
    change(at, item->next);
    live_aggregation_free(item->aggregation); /* no thread is in its handler any more */
    free(item->conditional);
    free(item);
    return 0;
}

static int end_added(const struct sdt_recorder *recorder)
{
    int error = 0;
    for (struct session_item **at = &items; *at && !error;)
        if ((*at)->added_to == recorder)
            error = end_item(at);
        else
            at = &(*at)->next;
    return error;
}

struct sdt_recorder *session_recorder(uint64_t session, bool is_any)
{
    const struct session_item *item = items;
    while (item && !(item->recorder && (is_any || item->session == session)))
        item = item->next;
    return item ? item->recorder : NULL;
}

/* Item ID. */
static struct session_item **find_item(int id)
{
    struct session_item **at = &items;
    while (*at && (*at)->id != id)
        at = &(*at)->next;
    return at;
}

int session_end(struct live_page *page, int id)
{
    struct session_item **at = find_item(id);
    int error = !*at ? -ENOENT : (*at)->recorder ? end_added((*at)->recorder) : 0;
    if (!error)
        error = end_item(find_item(id));
    session_publish(page);
    return error;
}

/* Whether something of SESSION, or of any, could not be ended. */
static bool has_items(uint64_t session)
{
    for (const struct session_item *item = items; item; item = item->next)
        if (item->aggregation && (session == 0 || item->session == session))
            return true;
    return false;
}

/* What was added to a recorder comes before it, as it was asked for later. */
int session_end_all(struct live_page *page, uint64_t session)
{
    int n = 0;
    for (struct session_item **at = &items; *at;)
        if ((session == 0 || (*at)->session == session) && end_item(at) == 0)
            n++;
        else
            at = &(*at)->next;
    if (!has_items(session))
        tables_end(session);
    session_publish(page);
    return n;
}

/* The session of place I has ended: its tool has cleared it, or does not move. */
static void end_session(struct live_page *page, struct seen *old, struct live_session *session)
{
    uint64_t id = old->id;
    session_end_all(page, id);
    atomic_compare_exchange_strong(&session->id, &id, 0);
    *old = (struct seen){0, 0, 0};
}

/* Check place I; whether there is a session. */
static bool check(struct live_page *page, unsigned i, int64_t now)
{
    struct live_session *session = &page->sessions[i];
    struct seen *old = &seen[i];
    uint64_t id = atomic_load(&session->id), beat = atomic_load(&session->beat);
    if (old->id && id != old->id)
        end_session(page, old, session);
    if (id == 0)
        return false;
    if (old->id != id || old->beat != beat)
        *old = (struct seen){id, beat, now};
    if (now - old->when < LIVE_LEASE_MS)
        return true;
    end_session(page, old, session);
    return false;
}

/* End what was inherited from a process that has ended it. Whether anything inherited is left. */
static bool check_inherited(struct live_page *page)
{
    bool has_any = false, has_ended = false;
    for (struct session_item **at = &items; *at;) {
        has_any = has_any || (*at)->wanted.is_inherited;
        bool is_ended = wanted_is_over(&(*at)->wanted) && end_item(at) == 0;
        has_ended = has_ended || is_ended;
        if (!is_ended)
            at = &(*at)->next;
    }
    if (has_ended)
        session_publish(page);
    return has_any;
}

bool session_check(struct live_page *page)
{
    int64_t now = (int64_t)(clock_monotonic() / 1000000);
    bool has_any = false;
    tables_end_orphans();
    if (orphan)
        recorder_functions.destroy(orphan);
    orphan = NULL;
    for (unsigned i = 0; i < LIVE_SESSIONS; i++)
        has_any = check(page, i, now) || has_any;
    for (uint64_t over; (over = inherit_over(now)) != 0;) {
        session_end_all(page, over);
        inherit_end(over);
    }
    bool has_inherited = check_inherited(page);
    return has_any || has_inherited || inherit_any() != 0;
}

/* ---- The child of a fork. ---- */

/* What is left out is not freed: malloc may be in any state, and a hit may have been interrupted
 * by the fork. */
bool session_after_fork_child(struct live_page *page)
{
    wanted_after_fork_child();
    for (struct session_item **at = &items; *at;) {
        struct session_item *item = *at;
        bool is_background = item->session == 0; /* no session keeps it alive */
        if (item->follows &&
            (is_background || inherit_has(item->session) || inherit_take(page, item->session))) {
            item->wanted.is_inherited = true;
            if (item->aggregation)
                live_aggregation_take_process(item->aggregation);
            at = &item->next;
        } else {
            /* Its rings are the parent's, which need not wait for us to leave them; but if it has
             * left them during the fork, we are the last. It is still to be destroyed. */
            if (item->recorder)
                writing_finish(orphan = item->recorder);
            *at = item->next;
        }
    }
    memset(seen, 0, sizeof seen);
    tables_after_fork_child(inherit_has);
    return inherit_needs(page);
}

bool session_is_inherited(void)
{
    return items || orphan || tables_any();
}

bool session_has(int id)
{
    return *find_item(id);
}

void session_end_followed(struct live_page *page)
{
    for (uint64_t any; (any = inherit_any()) != 0;) {
        session_end_all(page, any);
        inherit_end(any);
    }
    if (items) /* in the background */
        session_end_all(page, 0);
}
