/* SPDX-License-Identifier: BSD-2-Clause */
/* The values of an event as text, appended to a line. */
#ifndef SDT_VALUE_TEXT_H
#define SDT_VALUE_TEXT_H

#include "base/memory.h"
#include "merge.h"

/* The unit of VALUE, if it is a number that has one. */
void text_unit(struct bytes *to, const struct field *field, const struct value *value);
/* For people: strings in quotes, hex as 0x1f, bytes as 1f 2e without the blank. */
void text_value(struct bytes *to, const struct field *field, const struct value *value);
/* JSON: numbers as they are (hex and pointers as well), NaN and infinities as null, bytes as hex.
 */
void text_json_value(struct bytes *to, const struct field *field, const struct value *value);
/* ` name=value` for each argument. */
void event_append_arguments(struct bytes *to, const struct event *event);
/* Of the entry of a function `NAME(ARGUMENT=VALUE, …)`, of its end `NAME = RESULT`, or `NAME
 * returns` if it has no result to show; false: EVENT is something else. */
bool event_append_call(struct bytes *to, const struct event *event);
/* Of the end of a function, ` = RESULT`, if it has one to show. */
void event_append_result(struct bytes *to, const struct event *event);
/* The probe, and its arguments. */
void event_append(struct bytes *to, const struct event *event);

#endif
