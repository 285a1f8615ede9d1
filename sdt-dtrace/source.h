/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The text of the provider file, as it is or preprocessed, and error messages about it:
 *
 *   probes.d:3:17: error: unexpected 'int'; expected ',' or ')'
 *       probe start(int a int b);
 *                         ^
 *
 * A place is an offset into the text. Lines are counted only for an error message, of which there
 * is at most one; then the preprocessor's own lines (# 3 "probes.d") tell where the text came from.
 */
#ifndef SDT_DTRACE_SOURCE_H
#define SDT_DTRACE_SOURCE_H

#include "base/memory.h"
#include "options.h"

struct source {
    const char *path;
    struct bytes text; /* a NUL follows, which SIZE does not count */
    bool is_preprocessed;
};

int source_read(struct source *source, const struct options *options);
/* For the fuzz target: what FILE would hold. */
void source_set(struct source *source, const char *path, const void *text, size_t size);
void source_free(struct source *source);

/* The line of OFFSET, in the file it came from. */
size_t source_line(const struct source *source, size_t offset);
/* Returns -1. */
int source_error(const struct source *source, size_t offset, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void source_warn(const struct source *source, size_t offset, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
