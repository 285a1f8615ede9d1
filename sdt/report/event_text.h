/* SPDX-License-Identifier: BSD-2-Clause */
/* An event as a part of a line of text. */
#ifndef SDT_EVENT_TEXT_H
#define SDT_EVENT_TEXT_H

#include "trace/merge.h"

/* ` name=value` for each argument. */
void event_append_arguments(struct bytes *to, const struct event *event);
/* The probe, and its arguments. */
void event_append(struct bytes *to, const struct event *event);

#endif
