/* SPDX-License-Identifier: BSD-2-Clause */
/* Which table a program adds to. */
#ifndef SDT_COMPILE_TABLE_SPEC_H
#define SDT_COMPILE_TABLE_SPEC_H

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
struct live_table_spec compile_table_spec(const struct compiled *program);

#endif
