/* SPDX-License-Identifier: BSD-2-Clause */
#include "event_text.h"

#include "print/text.h"
#include "trace/value_text.h"

void event_append_arguments(struct bytes *to, const struct event *event)
{
    for (size_t i = 0; i < event->class->field_count; i++) {
        const struct field *field = &event->class->fields[i];
        text_char(to, ' ');
        text_escaped(to, slice_of(field->name));
        text_char(to, '=');
        if (i >= event->value_count) {
            text_char(to, '?');
            continue;
        }
        text_value(to, field, &event->values[i]);
        text_unit(to, field, &event->values[i]);
    }
}

void event_append(struct bytes *to, const struct event *event)
{
    text_escaped(to, slice_of(event->recording->probes[event->class->probe].label));
    event_append_arguments(to, event);
}
