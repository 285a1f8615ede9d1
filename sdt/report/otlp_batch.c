/* SPDX-License-Identifier: BSD-2-Clause */
/* See otlp_batch.h. */
#include "otlp_batch.h"

#include "print/text.h"

#include <stdlib.h>

/* Receivers refuse requests of several MiB, and handle small ones one by one. */
enum { MAX_ITEMS = 512, MAX_SIZE = 1 << 20 };

static const struct {
    enum otlp_field request, scopes, items;
} lists[] = {
    [OTLP_SIGNAL_SPANS] = {OTLP_REQUEST_SPANS, OTLP_RESOURCE_SPANS, OTLP_SCOPE_SPANS},
    [OTLP_SIGNAL_LOGS] = {OTLP_REQUEST_LOGS, OTLP_RESOURCE_LOGS, OTLP_SCOPE_LOGS},
};

static struct otlp_batch_group *group_of(struct otlp_batch *batch, const struct event *event)
{
    const char *provider = event->class->provider;
    for (size_t i = 0; i < batch->count; i++) {
        struct otlp_batch_group *group = &batch->groups[i];
        if (group->trace == event->trace && group->pid == event->pid &&
            strcmp(group->provider, provider) == 0)
            return group;
    }
    batch->groups = memory_resize(batch->groups, batch->count + 1, sizeof *batch->groups);
    struct otlp_batch_group *group = &batch->groups[batch->count++];
    *group = (struct otlp_batch_group){event->trace, event->pid, provider, {{0}}};
    return group;
}

struct otlp otlp_batch_place(struct otlp_batch *batch, enum otlp_signal signal,
                             const struct event *event)
{
    return (struct otlp){&group_of(batch, event)->items[signal], batch->is_json};
}

static bool is_full(const struct otlp_batch *batch, enum otlp_signal signal)
{
    size_t size = 0;
    for (size_t i = 0; i < batch->count; i++)
        size += batch->groups[i].items[signal].size;
    return batch->item_count[signal] >= MAX_ITEMS || size >= MAX_SIZE;
}

bool otlp_batch_added(struct otlp_batch *batch, enum otlp_signal signal)
{
    batch->item_count[signal]++;
    return is_full(batch, signal);
}

static void append_scope(const struct otlp *otlp, enum otlp_signal signal,
                         const struct otlp_batch_group *group)
{
    struct bytes name = {0};
    size_t place = otlp_element(otlp, lists[signal].scopes), scope = otlp_open(otlp, OTLP_SCOPE);
    text_name(&name, group->provider);
    otlp_text(otlp, OTLP_SCOPE_NAME, (struct slice){(const char *)name.data, name.size});
    otlp_close(otlp, scope);
    otlp_list(otlp, lists[signal].items);
    otlp_elements(otlp, &group->items[signal]);
    otlp_end_list(otlp);
    otlp_close(otlp, place);
    bytes_free(&name);
}

static void append_group(const struct otlp *otlp, enum otlp_signal signal,
                         const struct otlp_batch_group *group)
{
    const struct otlp_process process = {group->trace->program, group->trace->host, group->pid};
    size_t place = otlp_element(otlp, lists[signal].request);
    otlp_resource(otlp, &process);
    otlp_list(otlp, lists[signal].scopes);
    append_scope(otlp, signal, group);
    otlp_end_list(otlp);
    otlp_close(otlp, place);
}

uint64_t otlp_batch_request(const struct otlp_batch *batch, enum otlp_signal signal,
                            struct bytes *to)
{
    struct otlp otlp = {to, batch->is_json};
    uint64_t count = batch->item_count[signal];
    if (!count)
        return 0;
    otlp_begin(&otlp);
    otlp_list(&otlp, lists[signal].request);
    for (size_t i = 0; i < batch->count; i++)
        if (batch->groups[i].items[signal].size)
            append_group(&otlp, signal, &batch->groups[i]);
    otlp_end_list(&otlp);
    otlp_end(&otlp);
    return count;
}

void otlp_batch_clear(struct otlp_batch *batch)
{
    for (size_t i = 0; i < batch->count; i++)
        for (unsigned signal = 0; signal < OTLP_SIGNALS; signal++)
            bytes_free(&batch->groups[i].items[signal]);
    free(batch->groups);
    *batch = (struct otlp_batch){.is_json = batch->is_json};
}
