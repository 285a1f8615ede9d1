/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Where rows go. All but close() return 0, or -1 after a message. What was at PATH stays as it was
 * until finish() has succeeded.
 */
#ifndef SDT_SINK_H
#define SDT_SINK_H

#include "row.h"

struct sink {
    /* NULL, after a message: it cannot be opened. */
    void *(*open)(const char *path, const struct schema *schema);
    int (*put)(void *sink, const struct row *row);
    int (*finish)(void *sink);
    /* Also after a failure; frees all. */
    void (*close)(void *sink);
};

extern const struct sink sink_parquet, sink_sqlite;

#endif
