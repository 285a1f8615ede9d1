/* SPDX-License-Identifier: BSD-2-Clause */
/* The page of `sdt tree --html`: a flame graph in one file (html/flame.js). */
#ifndef SDT_TREE_PAGE_H
#define SDT_TREE_PAGE_H

#include "base/memory.h"
#include "base/output.h"
#include "nodes.h"

/* Append what NODE has called, as flame.js reads it, to JSON. KEY may be NULL. */
void tree_page_calls(struct bytes *to, const char *key, const struct tree_node *node);
/* Write WHOLE, sorted, to OUTPUT, which is open. NAME is the title; LOST calls are in no number.
 * -1: after a message, and nothing is left. */
int tree_page(struct output *output, const char *name, const struct tree_node *whole,
              uint64_t lost);

/* What is before the data, and after them: cmake/EmbedPage.cmake makes it of html/. */
extern const unsigned char flame_before[], flame_after[];
extern const size_t flame_before_size, flame_after_size;

#endif
