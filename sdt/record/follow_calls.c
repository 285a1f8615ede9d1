/* SPDX-License-Identifier: BSD-2-Clause */
/* See follow_calls.h. */
#include "follow_calls.h"

#include "print/text.h"
#include "report/pairing.h"
#include "trace/value_text.h"

#include <sdt/format.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_OPEN = 1024 }; /* calls of a thread whose duration will be known */

struct open_call {
    uint64_t frame;
    int64_t time;
};

struct follow_thread {
    struct open_call *open; /* frames go down */
    size_t count, capacity;
    /* The call at the top waits: its line if it ends next, and if it does not; size 0: none. */
    struct bytes line, unfinished;
};

static struct follow_thread *thread_of(struct follow_calls *calls, const struct event *event)
{
    bool is_new;
    uint64_t id = track_id(TRACK_THREAD, event->process, event->tid);
    uint32_t number = tracks_find(&calls->numbers, id, &is_new)->number;
    if (is_new) {
        calls->threads =
            memory_with_room(calls->threads, number, &calls->capacity, sizeof *calls->threads);
        calls->threads[number] = (struct follow_thread){0};
    }
    return &calls->threads[number];
}

/* ---- What a call is. ---- */

/* The frame of EVENT, if it is the entry or return NAME of a function; 0: it is not. */
static uint64_t frame_if(const struct event *event, const char *name)
{
    static const struct pair call = {.is_functions = true};
    const struct event_class *class = event->class;
    return !strcmp(class->provider, SDT_FUNCTION_PROVIDER) && !strcmp(class->name, name)
               ? pairing_frame(&call, event)
               : 0;
}

static int compare_probes(const void *one, const void *other)
{
    return trace_compare_probes(one, other);
}

/* Whether the returns of the function that EVENT enters are recorded. */
static bool has_return(const struct event *event)
{
    const struct recording *recording = event->recording;
    struct trace_probe key = recording->probes[event->class->probe];
    key.name = SDT_FUNCTION_RETURN;
    return bsearch(&key, recording->probes, recording->probe_count, sizeof key, compare_probes);
}

/* Calls of THREAD that are not around FRAME have ended, with a return or without. */
static void drop(struct follow_thread *thread, uint64_t frame)
{
    while (thread->count && thread->open[thread->count - 1].frame < frame)
        thread->count--;
}

static void enter(struct follow_thread *thread, uint64_t frame, int64_t time)
{
    drop(thread, frame + 1);
    if (thread->count == MOST_OPEN)
        return;
    thread->open =
        memory_with_room(thread->open, thread->count, &thread->capacity, sizeof *thread->open);
    thread->open[thread->count++] = (struct open_call){frame, time};
}

/* How long the call at FRAME took that ends at TIME; -1: unknown. */
static int64_t leave(struct follow_thread *thread, uint64_t frame, int64_t time)
{
    drop(thread, frame);
    if (!thread->count || thread->open[thread->count - 1].frame != frame)
        return -1;
    int64_t ns = time - thread->open[--thread->count].time;
    return ns > 0 ? ns : 0;
}

/* ---- Lines. ---- */

static bool waits(const struct follow_thread *thread)
{
    return thread->line.size > 0;
}

static void put(struct report *report, const struct bytes *line)
{
    bytes_append(&report->line, line->data, line->size);
    text_char(&report->line, '\n');
    if (report->printed < report->limit) {
        report_put(report);
        report->printed++;
    }
    report->line.size = 0;
}

static void put_unfinished(struct follow_thread *thread, struct report *report)
{
    if (waits(thread))
        put(report, &thread->unfinished);
    thread->line.size = 0;
}

/* The call that EVENT begins, below PROBE, in TO. */
static void compose(struct bytes *to, struct report *report, const struct event *event,
                    const char *probe)
{
    report_text_head(report, event, probe);
    text_char(&report->line, ' ');
    event_append_call(&report->line, event);
    to->size = 0;
    bytes_append(to, report->line.data, report->line.size);
    report->line.size = 0;
}

bool follow_calls_join(struct follow_calls *calls, struct report *report, const struct event *event)
{
    uint64_t frame = frame_if(event, SDT_FUNCTION_RETURN);
    struct follow_thread *thread = thread_of(calls, event);
    if (!frame || !waits(thread) || thread->open[thread->count - 1].frame != frame)
        return false;
    int64_t ns = leave(thread, frame, event->time);
    event_append_result(&thread->line, event);
    report_text_duration(&thread->line, ns);
    put(report, &thread->line);
    thread->line.size = 0;
    return true;
}

bool follow_calls_hold(struct follow_calls *calls, struct report *report, const struct event *event)
{
    uint64_t entry = frame_if(event, SDT_FUNCTION_ENTRY);
    uint64_t end = frame_if(event, SDT_FUNCTION_RETURN);
    struct follow_thread *thread = thread_of(calls, event);
    put_unfinished(thread, report);
    report->call_ns = end ? leave(thread, end, event->time) : -1;
    if (entry)
        enter(thread, entry, event->time);
    /* Above MOST_OPEN, it is not at the top. */
    if (!entry || thread->open[thread->count - 1].frame != entry || !has_return(event) ||
        event->class->has_context)
        return false;
    const char *label = event->recording->probes[event->class->probe].label;
    const char *last = strrchr(label, ':');
    char *both = memory_format("%.*s", (int)(last - label), label);
    compose(&thread->line, report, event, both);
    compose(&thread->unfinished, report, event, label);
    text_append(&thread->unfinished, " <unfinished>");
    free(both);
    return true;
}

/* ---- What has waited for long. ---- */

static struct follow_thread *oldest(const struct follow_calls *calls)
{
    struct follow_thread *found = NULL;
    for (size_t i = 0; i < calls->numbers.count; i++) {
        struct follow_thread *thread = &calls->threads[i];
        if (waits(thread) &&
            (!found || thread->open[thread->count - 1].time < found->open[found->count - 1].time))
            found = thread;
    }
    return found;
}

void follow_calls_flush(struct follow_calls *calls, struct report *report, int64_t time)
{
    for (struct follow_thread *thread;
         (thread = oldest(calls)) && thread->open[thread->count - 1].time < time;)
        put_unfinished(thread, report);
}

void follow_calls_free(struct follow_calls *calls)
{
    for (size_t i = 0; i < calls->numbers.count; i++) {
        free(calls->threads[i].open);
        bytes_free(&calls->threads[i].line);
        bytes_free(&calls->threads[i].unfinished);
    }
    free(calls->threads);
    tracks_free(&calls->numbers);
    *calls = (struct follow_calls){0};
}
