/* SPDX-License-Identifier: BSD-2-Clause */
/* Which table a program adds to, and the two programs of a latency. */
#ifndef SDT_COMPILE_TABLE_H
#define SDT_COMPILE_TABLE_H

#include "compile.h"

#include <bytecode/table.h>

enum {
    COMPILE_COUNT_KEYS = 4096, /* of a table that counts */
    COMPILE_HIST_KEYS = 256,   /* of one with histograms */
    COMPILE_FLIGHTS = 8192,
    COMPILE_KEY_TEXT = 128 /* bytes of a text that are kept */
};

/* The table for PROGRAM. For a latency, PROGRAM is the one with the keys, if one has them. The
 * caller may change how many keys there are, and make buckets linear. */
struct live_table_spec compile_table(const struct compiled *program);

/*
 * A latency from BEGIN to END, two requests without actions and keys. Their values must match,
 * NULL: the thread. BY (both NULL: one histogram for all) are expressions on END's probe or, if one
 * means nothing there, on BEGIN's. *HAS_KEY is the one of both that has them. 0 or -1, and *ERROR.
 */
struct latency {
    struct compiled begin, end;
    const struct compiled *has_key; /* `begin` or `end` */
};
int compile_latency(const struct compile_request *begin, const struct compile_request *end,
                    const char *const by[2], struct latency *latency, struct compile_error *error);

#endif
