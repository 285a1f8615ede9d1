/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See otlp_attributes.h. Names that are not arguments are those of OpenTelemetry's semantic
 * conventions: thread.id, code.function.name, code.file.path, code.line.number, code.stacktrace.
 */
#include "otlp_attributes.h"

#include "otlp/value.h"
#include "otlp_ids.h"
#include "stack.h"

#include <stdlib.h>

static void append_argument(const struct otlp *otlp, enum otlp_field list, const char *name,
                            const struct event *event, size_t i)
{
    otlp_attribute_value(otlp, list, name, &event->class->fields[i], &event->values[i]);
}

static void append_callers(const struct otlp *otlp, enum otlp_field list, const char *name,
                           struct symbols *symbols, const struct event *event)
{
    struct bytes text = {0};
    stack_text(&text, "", symbols, event);
    otlp_attribute_text(otlp, list, name, (struct slice){(const char *)text.data, text.size});
    bytes_free(&text);
}

/* FILE:LINE, where it is known. */
static void append_place(const struct otlp *otlp, enum otlp_field list, const char *place)
{
    const char *colon = strrchr(place, ':');
    if (!colon || colon == place)
        return;
    otlp_attribute_text(otlp, list, "code.file.path",
                        (struct slice){place, (size_t)(colon - place)});
    otlp_attribute_integer(otlp, list, "code.line.number", strtol(colon + 1, NULL, 10));
}

static void append_code(const struct otlp *otlp, enum otlp_field list, const struct event *event)
{
    otlp_attribute_integer(otlp, list, "thread.id", event->tid);
    if (*event->class->function)
        otlp_attribute_text(otlp, list, "code.function.name", slice_of(event->class->function));
    append_place(otlp, list, event->class->place);
}

/* The span's ids have what these say. */
static bool is_id(const struct event *event, size_t i)
{
    uint8_t id[OTLP_TRACE_SIZE];
    const char *name = event->class->fields[i].name;
    return (strcmp(name, "trace_id") == 0 && otlp_ids_trace(event, id)) ||
           (strcmp(name, "span_id") == 0 && otlp_ids_span(event, id));
}

void otlp_attributes_make(struct otlp_attributes *attributes, bool is_json, enum otlp_field field,
                          struct symbols *symbols, const struct event *event)
{
    size_t count = event->class->field_count;
    struct otlp otlp = {&attributes->list, is_json};
    attributes->class = event->class;
    attributes->ends = memory_zeroed(count + 1, sizeof *attributes->ends);
    for (size_t i = 0; i < count; i++) {
        if (i < event->value_count && !is_id(event, i))
            append_argument(&otlp, field, event->class->fields[i].name, event, i);
        attributes->ends[i] = attributes->list.size;
    }
    if (event->callers)
        append_callers(&otlp, field, "code.stacktrace", symbols, event);
    append_code(&otlp, field, event);
}

/* Is PIECE, one attribute, what the begin has as number I? */
static bool is_same(const struct otlp_attributes *attributes, size_t i, const struct bytes *piece)
{
    size_t start = i ? attributes->ends[i - 1] : 0, end = attributes->ends[i];
    return end - start >= piece->size &&
           memcmp(attributes->list.data + end - piece->size, piece->data, piece->size) == 0;
}

/* The number of the begin's argument NAME, that has a value; its number of arguments: there is
 * none. */
static size_t find(const struct otlp_attributes *attributes, const char *name)
{
    size_t i = 0, count = attributes->class->field_count;
    while (i < count && (strcmp(attributes->class->fields[i].name, name) != 0 ||
                         attributes->ends[i] == (i ? attributes->ends[i - 1] : 0)))
        i++;
    return i;
}

static void add_argument(struct otlp_attributes *attributes, const struct otlp *otlp,
                         enum otlp_field field, const struct event *event, size_t i)
{
    const char *name = event->class->fields[i].name;
    size_t same = find(attributes, name);
    struct bytes piece = {0};
    struct otlp alone = {&piece, otlp->is_json};
    append_argument(&alone, field, name, event, i);
    if (same == attributes->class->field_count) {
        otlp_elements(otlp, &piece);
    } else if (!is_same(attributes, same, &piece)) {
        char *other = memory_format("end.%s", name);
        append_argument(otlp, field, other, event, i);
        free(other);
    }
    bytes_free(&piece);
}

void otlp_attributes_add_end(struct otlp_attributes *attributes, bool is_json,
                             enum otlp_field field, struct symbols *symbols,
                             const struct event *event)
{
    struct otlp otlp = {&attributes->list, is_json};
    for (size_t i = 0; i < event->value_count; i++)
        if (!is_id(event, i))
            add_argument(attributes, &otlp, field, event, i);
    if (event->callers)
        append_callers(&otlp, field, "end.code.stacktrace", symbols, event);
}

void otlp_attributes_free(struct otlp_attributes *attributes)
{
    bytes_free(&attributes->list);
    free(attributes->ends);
    *attributes = (struct otlp_attributes){0};
}
