/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See dispatch.h. The list of a probe's handlers is never changed, only replaced (RCU), so a hit
 * reads it without a lock. A probe that only counts has a shorter way: a piece of assembly that
 * adds one and returns.
 *
 * A hit loads the way first and the list later, and may be interrupted between them for as long as
 * the scheduler likes: it has no record yet for which a grace period could wait. So any way may
 * meet any list, and the way alone decides which registers are saved. A hit that came without its
 * vector registers saved therefore gets a list of those handlers only that leave them alone. The
 * others were enabled after it began, so they miss nothing.
 *
 * A list has what its handlers have chosen (chosen.h) at its end, so that it is freed with it.
 *
 * dispatch_remove() fails if there is no memory for a copy. Then the list stays, and a mark of the
 * subscription keeps the handler from being called (subscription.c).
 */
#include "dispatch.h"

#include "chosen.h"

#include "hit/counters.h"
#include "hit/sync.h"
#include "ring/conditional.h"
#include "way.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct handler_list {
    struct handler_list *garbage;
    size_t n;
    struct handler_list *general; /* those that leave vector registers alone; NULL: none does */
    bool counts;                  /* one of them is SDT_COUNT */
    unsigned recorders;
    char *room; /* while the list is made: for what handlers have chosen */
    struct handler handlers[];
};

static struct handler_list *garbage;

/* Empty, with room for N handlers, for as many of those that leave vector registers alone, and for
 * CHOSEN bytes. */
static struct handler_list *new_list(size_t n, size_t chosen)
{
    size_t size = sizeof(struct handler_list) + n * sizeof(struct handler);
    struct handler_list *list = calloc(1, 2 * size + chosen);
    if (list) {
        list->general = (struct handler_list *)(void *)((char *)list + size);
        list->room = (char *)list + 2 * size;
    }
    return list;
}

static size_t room_of(const struct handler *handler)
{
    return handler->chosen ? chosen_size(handler->chosen) : 0;
}

/* Whether vector registers may be the program's own while HANDLER is served. */
static bool leaves_vectors(const struct handler *handler)
{
    return handler->is_general || handler->call == SDT_COUNT;
}

static void append_to(struct handler_list *list, const struct handler *handler)
{
    list->handlers[list->n++] = *handler;
    list->counts |= handler->call == SDT_COUNT;
    list->recorders += conditional_records(handler->call);
}

/* Append HANDLER; there is room. */
static void append(struct handler_list *list, const struct handler *handler)
{
    struct handler own = *handler;
    if (handler->chosen) {
        own.chosen = chosen_copy(list->room, handler->chosen);
        list->room += room_of(handler);
    }
    append_to(list, &own);
    if (leaves_vectors(handler))
        append_to(list->general, &own);
}

/* LIST, which is not empty, gets no handler any more. */
static void complete(struct handler_list *list)
{
    if (list->general->n == list->n)
        list->general = list;
    else if (list->general->n == 0)
        list->general = NULL;
}

/* What serves LIST, which is complete. */
static enum way way_for(const struct handler_list *list)
{
    bool counts = true, records = true, is_general = list && list->general == list;
    if (!list)
        return WAY_NOTHING;
    /* The recorder has a recipe for each site that was chosen for it, and for no other. */
    for (size_t i = 0; i < list->n; i++) {
        const struct handler *handler = &list->handlers[i];
        counts = counts && handler->call == SDT_COUNT && !handler->chosen;
        records = records && handler->call == recorder_hit;
    }
    if (records && is_general)
        return WAY_RECORD;
    return counts ? WAY_COUNT : is_general ? WAY_GENERAL : WAY_ALL;
}

static void set_way(struct probe *probe, enum way way)
{
    __atomic_store_n(&probe->in_file->way, way_function(way, probe->access), __ATOMIC_RELEASE);
}

static void publish(struct probe *probe, struct handler_list *list)
{
    struct handler_list *old = atomic_load(&probe->handlers);
    /* In any order: a hit may be late, and find the one old and the other new. */
    atomic_store_explicit(&probe->handlers, list, memory_order_release);
    set_way(probe, way_for(list));
    if (old) {
        old->garbage = garbage;
        garbage = old;
    }
}

/* Before its first way. False: there is no memory. */
static bool make_state(struct probe *probe)
{
    if (!probe->state && (probe->state = state_take(probe)))
        __atomic_store_n(&probe->in_file->runtime, probe->state, __ATOMIC_RELEASE);
    return probe->state;
}

int dispatch_add(struct probe *probe, const struct handler *handler)
{
    const struct handler_list *old = atomic_load(&probe->handlers);
    size_t n = old ? old->n : 0, chosen = room_of(handler);
    for (size_t i = 0; i < n; i++)
        chosen += room_of(&old->handlers[i]);
    struct handler_list *list = make_state(probe) ? new_list(n + 1, chosen) : NULL;
    if (!list)
        return -ENOMEM;
    for (size_t i = 0; i < n; i++)
        append(list, &old->handlers[i]);
    append(list, handler);
    complete(list);
    if (list->counts) /* before the first count */
        counters_make(probe->state);
    publish(probe, list);
    return 0;
}

int dispatch_remove(struct probe *probe, int id)
{
    const struct handler_list *old = atomic_load(&probe->handlers);
    struct handler_list *list = NULL;
    size_t left = 0, chosen = 0;
    for (size_t i = 0; old && i < old->n; i++)
        if (old->handlers[i].id != id) {
            left++;
            chosen += room_of(&old->handlers[i]);
        }
    if (!old || left == old->n)
        return 0;
    if (left && !(list = new_list(left, chosen)))
        return -ENOMEM;
    for (size_t i = 0; left && i < old->n; i++)
        if (old->handlers[i].id != id)
            append(list, &old->handlers[i]);
    if (list)
        complete(list);
    publish(probe, list);
    return 0;
}

void *dispatch_take_garbage(void)
{
    struct handler_list *taken = garbage;
    garbage = NULL;
    return taken;
}

void dispatch_free_garbage(void *taken)
{
    struct handler_list *list = taken;
    while (list) {
        struct handler_list *next = list->garbage;
        free(list);
        list = next;
    }
}

void dispatch_leave(struct probe *probe)
{
    if (!probe->state)
        return;
    set_way(probe, WAY_NOTHING);
    __atomic_store_n(&probe->in_file->runtime, &state_gone, __ATOMIC_RELEASE);
}

void dispatch_free(struct probe *probe)
{
    free(atomic_exchange(&probe->handlers, NULL));
    if (probe->state)
        counters_free(probe->state);
    state_give_back(probe->state);
}

/* Out of line: at a call, the site is searched. */
static __attribute__((noinline)) bool has_called(const struct sdt_event *event,
                                                 const struct chosen *chosen)
{
    const struct site *site = event_site(event);
    return site && chosen_has(chosen, site->record);
}

static inline bool is_chosen(const struct sdt_event *event, const struct chosen *chosen)
{
    return event->registers ? chosen_has(chosen, event_record(event)) : has_called(event, chosen);
}

static inline bool is_wanted(const struct sdt_event *event, const struct handler *handler)
{
    return !atomic_load_explicit(handler->ended, memory_order_relaxed) &&
           (!handler->chosen || is_chosen(event, handler->chosen));
}

/* Count once, however many subscriptions count. Out of line: counting alone does not come here. */
static __attribute__((noinline)) void count(const struct sdt_event *event,
                                            const struct handler_list *list,
                                            const struct probe *probe, const struct reader *reader)
{
    for (size_t i = 0; i < list->n; i++)
        if (list->handlers[i].call == SDT_COUNT && is_wanted(event, &list->handlers[i])) {
            counters_add(probe->state, reader);
            return;
        }
}

static inline void call_handlers(const struct sdt_event *event, const struct handler_list *list)
{
    const struct handler *handler = list->handlers, *end = handler + list->n;
    do /* no list is empty */
        if (handler->call != SDT_COUNT && is_wanted(event, handler))
            handler->call(event, handler->data);
    while (++handler < end);
}

/* The same, and record once, however many subscriptions record. Out of line: patterns overlap. */
static __attribute__((noinline)) void call_handlers_once(const struct sdt_event *event,
                                                         const struct handler_list *list)
{
    bool is_recorded = false;
    for (size_t i = 0; i < list->n; i++) {
        const struct handler *handler = &list->handlers[i];
        bool records = conditional_records(handler->call);
        if (handler->call == SDT_COUNT || (records && is_recorded) || !is_wanted(event, handler))
            continue;
        if (handler->call == conditional_hit) {
            is_recorded = conditional_record(event, handler->data);
            continue;
        }
        is_recorded = is_recorded || records;
        handler->call(event, handler->data);
    }
}

/* In line twice: HAS_VECTORS, the vector registers are saved, or not needed. */
static inline __attribute__((always_inline)) void dispatch(struct sdt_event *event,
                                                           bool has_vectors)
{
    struct reader *reader = sync_enter();
    if (!reader)
        return;
    int saved = sync_errno(reader);
    const struct probe *probe = state_probe(event->probe);
    const struct handler_list *list =
        probe ? atomic_load_explicit(&probe->handlers, memory_order_acquire) : NULL;
    if (list && !has_vectors)
        list = list->general;
    if (list) {
        if (list->counts)
            count(event, list, probe, reader);
        if (sync_begin_handlers(reader)) {
            event->fetch = event->registers
                               ? atomic_load_explicit(&probe->only_fetch, memory_order_acquire)
                               : probe->fetch;
            if (__builtin_expect(list->recorders > 1, 0))
                call_handlers_once(event, list);
            else
                call_handlers(event, list);
            sync_end_handlers(reader);
        }
    }
    sync_leave(reader);
    sync_restore_errno(reader, saved);
}

void dispatch_event(struct sdt_event *event)
{
    dispatch(event, true);
}

void dispatch_general(struct sdt_event *event)
{
    dispatch(event, false);
}
