/* SPDX-License-Identifier: BSD-2-Clause */
/* See meanings.h. A duration is recorded as an integer that has a unit. */
#include "meanings.h"

#include <stdlib.h>

/* NULL: FIELD is no duration. */
static const char *unit_of(const struct field *field)
{
    switch (field->kind) {
    case FIELD_SECONDS:
        return "s";
    case FIELD_MILLISECONDS:
        return "ms";
    case FIELD_MICROSECONDS:
        return "us";
    case FIELD_NANOSECONDS:
        return "ns";
    default:
        return NULL;
    }
}

void meanings_apply(struct meanings *meanings, struct event_class *class)
{
    *meanings = (struct meanings){0};
    for (unsigned i = 0; i < class->count; i++) {
        struct field *field = &class->fields[i];
        struct describe_field *meaning = &meanings->fields[i];
        const char *unit = unit_of(field);
        unsigned count = 0;
        if (class->described[i])
            *meaning = *class->described[i];
        if (unit) {
            field->kind = FIELD_SIGNED;
            meaning->unit = meaning->unit ? meaning->unit : unit;
        }
        if (field->labels && !meaning->label_count)
            meanings->labels[i] = describe_read_labels(field->labels, &count);
        if (count) {
            meaning->label_count = (uint16_t)count;
            meaning->labels = meanings->labels[i];
        }
        if (meaning->unit || meaning->label_count)
            class->described[i] = meaning;
    }
}

void meanings_free(struct meanings *meanings)
{
    for (unsigned i = 0; i < SDT_MAX_ARGS; i++)
        free(meanings->labels[i]);
}
