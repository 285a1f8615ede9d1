/* SPDX-License-Identifier: BSD-2-Clause */
/* The callers of an event, if it has some, appended to a line. */
#ifndef SDT_STACK_H
#define SDT_STACK_H

#include "trace/merge.h"
#include "trace/symbols.h"

/* In a report. */
#define STACK_INDENT "        "

/* A line each, after INDENT. */
void stack_text(struct bytes *line, const char *indent, struct symbols *symbols,
                const struct event *event);
/* One line, the outermost caller first, as flame graphs read it: `main;serve;read`. */
void stack_folded(struct bytes *line, struct symbols *symbols, const struct event *event);
/* As a member of an object. */
void stack_json(struct bytes *line, struct symbols *symbols, const struct event *event);

#endif
