/* SPDX-License-Identifier: BSD-2-Clause */
/* See messages.h. */
#include "messages.h"

#include "message_ends.h"

#include <stdlib.h>
#include <string.h>

static void take(void *data, const struct message *message)
{
    struct messages *messages = data;
    size_t from = message->send->machine, to = message->receive->machine;
    if (from == to) {
        messages->local++;
        return;
    }
    struct message_link *link = &messages->links[from * messages->machines + to];
    int64_t time = message->receive->time - message->send->time;
    messages->compared++;
    if (link->count++ && time >= link->least)
        return;
    free(link->key);
    link->least = time;
    link->sent = message->send->time;
    struct bytes text = {0};
    filter_text(&text, message->key);
    link->key = bytes_take_text(&text);
    link->kind = message->kind;
}

void messages_find(struct messages *messages, const struct match *match,
                   struct recording *recording)
{
    struct message_ends ends;
    struct merge merge;
    struct event event;
    size_t count = recording->machine_count;
    *messages = (struct messages){.machines = count};
    messages->links = memory_zeroed(count * count, sizeof *messages->links);
    if (!match->kind_count)
        return;
    message_ends_start(&ends, match, take, messages);
    merge_start(&merge, recording);
    while (merge_next(&merge, &event)) {
        message_ends_take(&ends, &event, SIDE_SEND, NULL);
        message_ends_take(&ends, &event, SIDE_RECEIVE, NULL);
    }
    merge_end(&merge);
    messages->left_over = ends.open;
    messages->ambiguous = ends.ambiguous;
    messages->too_many = ends.too_many;
    message_ends_free(&ends);
}

void messages_free(struct messages *messages)
{
    for (size_t i = 0; i < messages->machines * messages->machines; i++)
        free(messages->links[i].key);
    free(messages->links);
    *messages = (struct messages){0};
}
