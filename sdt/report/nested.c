/* SPDX-License-Identifier: BSD-2-Clause */
/* See nested.h. */
#include "nested.h"

#include "print/text.h"
#include "trace/value_text.h"

#include <string.h>

static struct track *thread_of(struct tracks *tracks, const struct event *event)
{
    bool is_new;
    return tracks_find(tracks, track_id(TRACK_THREAD, event->process, event->tid), &is_new);
}

/* How many slices of THREAD are open before NUMBER, which is open as well; its count: NUMBER is
 * not. */
static size_t find_open(const struct track *thread, uint64_t number)
{
    size_t depth = thread->open_count;
    while (depth > 0 && thread->open[depth - 1] != number)
        depth--;
    return depth ? depth - 1 : thread->open_count;
}

/* ---- The first pass. ---- */

void nested_look(struct nested *nested, const struct pairs *pairs, const struct event *event,
                 const struct paired *paired, uint64_t number)
{
    if (paired->kind == ROLE_END && paired->has_begin)
        event_set_add(&nested->ended, paired->number);
    if (paired->kind == ROLE_NONE || pair_is_async(&pairs->list[paired->pair]))
        return;
    struct track *thread = thread_of(&nested->threads, event);
    if (paired->kind == ROLE_BEGIN) {
        track_push(thread, number);
    } else if (paired->has_begin) {
        size_t depth = find_open(thread, paired->number);
        if (depth < thread->open_count)
            thread->open_count = depth;
        else /* the end of the one that it began in was before, or it is too deep */
            event_set_add(&nested->loose, paired->number);
    }
}

void nested_again(struct nested *nested)
{
    tracks_free(&nested->threads);
}

void nested_free(struct nested *nested)
{
    tracks_free(&nested->threads);
    event_set_free(&nested->loose);
    event_set_free(&nested->ended);
    *nested = (struct nested){0};
}

/* ---- The second. ---- */

/* The value of argument NAME as text in TO; false if there is none. */
static bool find_argument(const struct event *event, const char *name, struct bytes *to)
{
    for (size_t i = 0; i < event->value_count; i++)
        if (!strcmp(event->class->fields[i].name, name)) {
            text_value(to, &event->class->fields[i], &event->values[i]);
            return true;
        }
    return false;
}

/* What begin and end have in common, as text. */
static void append_value(struct bytes *to, const struct pair *pair, const struct event *event)
{
    struct term value;
    if (find_argument(event, pair->clauses.match, to))
        return;
    value = filter_value(&pair->match, event);
    filter_text(to, &value);
}

/* On a track of its own, which is that of the process that begins it. */
static void show_alone(const struct nested *nested, const struct pair *pair,
                       const struct event *event, const struct paired *paired, uint64_t number)
{
    struct event shown = *event;
    struct bytes id = {0};
    bool is_begin = paired->kind == ROLE_BEGIN;
    if (!is_begin)
        shown.process = trace_task(event->trace, shown.pid = paired->pid);
    if (pair_is_async(pair)) {
        append_value(&id, pair, event);
    } else {
        text_natural(&id, event->tid);
        text_char(&id, '.');
        text_natural(&id, is_begin ? number : paired->number);
    }
    nested->marks->alone(nested->data, &shown, is_begin ? MARK_BEGIN : MARK_END,
                         pairs_slice_name(pair, event->class),
                         (struct slice){(const char *)id.data, id.size});
    bytes_free(&id);
}

static void show_end(struct nested *nested, const struct event *event, const struct paired *paired)
{
    struct track *thread = thread_of(&nested->threads, event);
    size_t depth = find_open(thread, paired->number);
    if (depth == thread->open_count) {
        const char *label = event->recording->probes[event->class->probe].label;
        nested->marks->mark(nested->data, event, MARK_INSTANT, label);
        return;
    }
    for (; thread->open_count > depth + 1; thread->open_count--)
        nested->marks->mark(nested->data, event, MARK_CLOSE, NULL);
    thread->open_count--;
    nested->marks->mark(nested->data, event, MARK_END, NULL);
}

void nested_show(struct nested *nested, const struct pairs *pairs, const struct event *event,
                 const struct paired *paired, uint64_t number)
{
    const struct pair *pair = &pairs->list[paired->pair];
    bool is_begin = paired->kind == ROLE_BEGIN;
    if (pair_is_async(pair) || event_set_has(&nested->loose, is_begin ? number : paired->number))
        show_alone(nested, pair, event, paired, number);
    else if (is_begin) {
        bool is_open = track_push(thread_of(&nested->threads, event), number);
        nested->marks->mark(nested->data, event, is_open ? MARK_BEGIN : MARK_INSTANT,
                            pairs_slice_name(pair, event->class));
    } else
        show_end(nested, event, paired);
}
