/* SPDX-License-Identifier: BSD-2-Clause */
/* What OTLP is told of an event: its arguments, where it is in the program, and its callers. */
#ifndef SDT_OTLP_ATTRIBUTES_H
#define SDT_OTLP_ATTRIBUTES_H

#include "otlp/message.h"
#include "trace/merge.h"
#include "trace/symbols.h"

/* Attributes of an event, to be compared with those of another one. */
struct otlp_attributes {
    struct bytes list; /* encoded, elements of LIST */
    const struct event_class *class;
    size_t *ends; /* in the list, one for each argument of the class */
};

/* All of EVENT, as elements of FIELD. */
void otlp_attributes_make(struct otlp_attributes *attributes, bool is_json, enum otlp_field field,
                          struct symbols *symbols, const struct event *event);
/*
 * Add those of the end EVENT to those of the begin. One whose name and value the begin has as well
 * is left out; of one with another value, the name gets an `end.` in front.
 */
void otlp_attributes_add_end(struct otlp_attributes *attributes, bool is_json,
                             enum otlp_field field, struct symbols *symbols,
                             const struct event *event);
void otlp_attributes_free(struct otlp_attributes *attributes);

#endif
