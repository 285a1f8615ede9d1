/* SPDX-License-Identifier: BSD-2-Clause */
/* A tree of calls (nodes.h), sorted, for people and for programs. */
#ifndef SDT_TREE_PRINT_H
#define SDT_TREE_PRINT_H

#include "base/memory.h"
#include "nodes.h"

#include <stdbool.h>

/* A table, in which functions are indented below their callers. What took less than SHARE of all is
 * left out, with what is below it; the last line says how many. IS_TOTAL: of all intervals. */
void tree_print(const struct tree_node *whole, double share, bool is_total);
/* An object a line, each with its whole path. TIME in ns since 1970. */
void tree_json(struct bytes *to, const struct tree_node *whole, int64_t time, bool is_total);
/* A line for each path that has time of its own, in ns: `serve;parse;read 1234`, as flame graph
 * viewers read it. */
void tree_folded(struct bytes *to, const struct tree_node *whole);

#endif
