/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Numbers, names and times as text, appended to a line.
 */
#ifndef SDT_TEXT_H
#define SDT_TEXT_H

#include "base/slice.h"
#include "base/text.h"

#include <stdint.h>

/* The shortest decimal number that is read as the same double. */
void text_real(struct bytes *to, double number);
/* Blanks, until the line is WIDTH bytes longer than START. */
void text_pad(struct bytes *to, size_t start, size_t width);

/* A C identifier as shown to users: "__" is "-", as in sdtlink list. */
void text_name(struct bytes *to, const char *name);
/* Text of arbitrary bytes as in C, without control characters; valid UTF-8 stays. */
void text_escaped(struct bytes *to, struct slice text);
/* The same of a function; a C++ name as its source has it (base/demangle.h). */
void text_function(struct bytes *to, const char *symbol);
/* The same in a line `serve;parse;read`: without what would end it. */
void text_frame(struct bytes *to, const char *symbol);
/* As text_function(), without the types of its parameters. */
void text_function_alone(struct bytes *to, const char *symbol);

/* TIME, ns since the epoch: 2026-11-22 14:03:07.123456789, local time. */
void text_time(struct bytes *to, int64_t time);
/* A difference: 12.345678901, in seconds. */
void text_duration(struct bytes *to, int64_t ns);
/* The same with three digits and a unit: 12.3 ms. */
void text_latency(struct bytes *to, double ns);

#endif
