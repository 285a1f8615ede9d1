/* SPDX-License-Identifier: BSD-2-Clause */
/* See otlp_ids.h. */
#include "otlp_ids.h"

#include "base/hash.h"
#include "base/text.h"

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

static bool read_digits(uint8_t *id, size_t size, struct slice text)
{
    if (text.length != 2 * size)
        return false;
    for (size_t i = 0; i < size; i++) {
        int high = hex_digit(text.text[2 * i]), low = hex_digit(text.text[2 * i + 1]);
        if (high < 0 || low < 0)
            return false;
        id[i] = (uint8_t)(high << 4 | low);
    }
    return true;
}

static bool read_bytes(uint8_t *id, size_t size, struct slice bytes)
{
    if (bytes.length != size)
        return false;
    memcpy(id, bytes.text, size);
    return true;
}

static bool read_number(uint8_t *id, size_t size, const struct field *field, uint64_t number)
{
    if (field->size != size || size != sizeof number)
        return false;
    for (size_t i = 0; i < size; i++)
        id[i] = (uint8_t)(number >> (8 * (size - 1 - i)));
    return true;
}

static bool read_value(uint8_t *id, size_t size, const struct field *field,
                       const struct value *value)
{
    switch (field->kind) {
    case FIELD_STRING:
        return read_digits(id, size, value->text);
    case FIELD_BYTES:
        return read_bytes(id, size, value->text);
    case FIELD_ARRAY:
        return field->element_size == 1 && read_bytes(id, size, value->text);
    case FIELD_UNSIGNED:
    case FIELD_HEX:
        return read_number(id, size, field, value->natural);
    default:
        return false;
    }
}

static bool read_id(const struct event *event, const char *name, uint8_t *id, size_t size)
{
    static const uint8_t none[OTLP_TRACE_SIZE];
    uint8_t found[OTLP_TRACE_SIZE];
    size_t i = 0;
    while (i < event->value_count && strcmp(event->class->fields[i].name, name) != 0)
        i++;
    if (i == event->value_count ||
        !read_value(found, size, &event->class->fields[i], &event->values[i]) ||
        memcmp(found, none, size) == 0)
        return false;
    memcpy(id, found, size);
    return true;
}

bool otlp_ids_trace(const struct event *event, uint8_t trace[OTLP_TRACE_SIZE])
{
    return read_id(event, "trace_id", trace, OTLP_TRACE_SIZE);
}

bool otlp_ids_span(const struct event *event, uint8_t span[OTLP_SPAN_SIZE])
{
    return read_id(event, "span_id", span, OTLP_SPAN_SIZE);
}
