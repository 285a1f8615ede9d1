/* SPDX-License-Identifier: BSD-2-Clause */
/* See otlp_ids.h. */
#include "otlp_ids.h"

#include "base/hash.h"
#include "base/text.h"
#include "otlp/value.h"

/* FNV-1a, whose result depends least on the last bytes; the rest mixes that in. */
static uint64_t hash(const struct bytes *text, uint64_t seed)
{
    uint64_t sum = hash_bytes(HASH_START ^ seed, text->data, text->size);
    sum = (sum ^ sum >> 33) * UINT64_C(0xff51afd7ed558ccd);
    sum = (sum ^ sum >> 33) * UINT64_C(0xc4ceb9fe1a85ec53);
    return sum ^ sum >> 33;
}

/* SIZE bytes, the first of which is the highest; not all of them are 0, which is no id. */
static void store(uint8_t *to, size_t size, uint64_t number)
{
    number = number ? number : 1;
    for (size_t i = 0; i < size; i++)
        to[i] = (uint8_t)(number >> (8 * (size - 1 - i)));
}

struct otlp_ids otlp_ids_make(const struct event *event, uint64_t ordinal)
{
    struct otlp_ids ids = {0};
    struct bytes text = {0};
    const uint64_t numbers[] = {event->pid, event->tid, (uint64_t)event->time, ordinal};
    bytes_append(&text, event->trace->host, strlen(event->trace->host) + 1);
    bytes_append(&text, event->trace->name, strlen(event->trace->name) + 1);
    text_append(&text, event->recording->probes[event->class->probe].label);
    bytes_append(&text, numbers, sizeof numbers);
    store(ids.trace, 8, hash(&text, 1));
    store(ids.trace + 8, 8, hash(&text, 2));
    store(ids.span, sizeof ids.span, hash(&text, 3));
    bytes_free(&text);
    return ids;
}

void otlp_ids_of_request(const struct bytes *key, uint8_t trace[OTLP_TRACE_SIZE])
{
    store(trace, 8, hash(key, 4));
    store(trace + 8, 8, hash(key, 5));
}

static bool read_id(const struct event *event, const char *name, uint8_t *id, size_t size)
{
    size_t i = 0;
    while (i < event->value_count && strcmp(event->class->fields[i].name, name) != 0)
        i++;
    return i < event->value_count &&
           otlp_id_read(id, size, &event->class->fields[i], &event->values[i]);
}

bool otlp_ids_trace(const struct event *event, uint8_t trace[OTLP_TRACE_SIZE])
{
    return read_id(event, "trace_id", trace, OTLP_TRACE_SIZE);
}

bool otlp_ids_span(const struct event *event, uint8_t span[OTLP_SPAN_SIZE])
{
    return read_id(event, "span_id", span, OTLP_SPAN_SIZE);
}
