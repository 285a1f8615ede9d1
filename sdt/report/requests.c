/* SPDX-License-Identifier: BSD-2-Clause */
/* See requests.h. */
#include "requests.h"

#include <stdio.h>
#include <stdlib.h>

enum { MAX_REQUESTS = 1 << 20 };

static struct request *add(struct requests *requests, const struct term *key, int64_t time)
{
    struct bytes text = {0};
    filter_text(&text, key);
    requests->list = memory_with_room(requests->list, requests->count, &requests->capacity,
                                      sizeof *requests->list);
    struct request *request = &requests->list[requests->count++];
    *request = (struct request){.key = bytes_take_text(&text), .first = time, .last = time};
    return request;
}

/* NULL: there are too many. */
static struct request *find(struct requests *requests, const struct term *key, int64_t time)
{
    struct bytes bytes = {0};
    struct request *request = NULL;
    if (match_value(&bytes, key)) {
        size_t number =
            texts_number(&requests->keys, (struct slice){(const char *)bytes.data, bytes.size});
        if (number < requests->count)
            request = &requests->list[number];
        else if (number < MAX_REQUESTS)
            request = add(requests, key, time);
        else
            requests->left_out++;
    }
    bytes_free(&bytes);
    return request;
}

static struct request_part *part_of(struct request *request, const struct event *event)
{
    struct request_part **at = &request->parts;
    while (*at && (*at)->process != event->process)
        at = &(*at)->next;
    if (!*at) {
        *at = memory_zeroed(1, sizeof **at);
        **at = (struct request_part){
            NULL, event->trace, event->process, event->pid, event->time, event->time, 0};
        request->part_count++;
    }
    return *at;
}

void requests_take(struct requests *requests, const struct match *match, const struct event *event)
{
    if (!match->key_text)
        return;
    struct term key = filter_value(&match->key, event);
    struct request *request = find(requests, &key, event->time);
    if (!request)
        return;
    struct request_part *part = part_of(request, event);
    request->last = part->last = event->time; /* events come in order */
    part->events++;
}

static int by_duration(const void *one, const void *other)
{
    const struct request *a = *(struct request *const *)one, *b = *(struct request *const *)other;
    int64_t first = a->last - a->first, second = b->last - b->first;
    return first != second ? (first < second) - (first > second) : (a > b) - (a < b);
}

static int by_begin(const void *one, const void *other)
{
    const struct request *a = *(struct request *const *)one, *b = *(struct request *const *)other;
    return (a > b) - (a < b);
}

const struct request **requests_slowest(const struct requests *requests, size_t most, size_t *count)
{
    const struct request **all = memory_zeroed(requests->count + 1, sizeof(struct request *));
    for (size_t i = 0; i < requests->count; i++)
        all[i] = &requests->list[i];
    qsort(all, requests->count, sizeof(struct request *), by_duration);
    *count = requests->count < most ? requests->count : most;
    qsort(all, *count, sizeof(struct request *), by_begin);
    return all;
}

void requests_tell(const struct requests *requests)
{
    if (requests->left_out)
        fprintf(stderr, "sdt: %llu events were left out, of more than %zu requests\n",
                (unsigned long long)requests->left_out, requests->count);
}

void requests_free(struct requests *requests)
{
    for (size_t i = 0; i < requests->count; i++) {
        free(requests->list[i].key);
        for (struct request_part *part = requests->list[i].parts, *next; part; part = next) {
            next = part->next;
            free(part);
        }
    }
    free(requests->list);
    texts_free(&requests->keys);
    *requests = (struct requests){0};
}
