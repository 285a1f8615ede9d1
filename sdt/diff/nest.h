/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Which pairs lasted inside which: a tree of the pairs by thread, with the time of each on both
 * sides. A pair's parent is the innermost one that is open in its thread when it begins. Pairs with
 * an expression (`match`) may cross threads and overlap, so they are at the top, and have no
 * children.
 */
#ifndef SDT_DIFF_NEST_H
#define SDT_DIFF_NEST_H

#include <stddef.h>
#include <stdint.h>

enum { NEST_ROOT = 0, NEST_DEEPEST = 64 };

struct nest_node {
    uint32_t subject, parent;
    uint32_t next;     /* a sibling; NEST_ROOT: none */
    uint32_t children; /* the first of them; NEST_ROOT: none */
    uint64_t count[2];
    double total[2]; /* ns; with that of the children */
    double inner[2]; /* ns of the children */
};

struct nest {
    struct nest_node *nodes; /* the first one is the root, which is no pair */
    size_t count, capacity;
};

void nest_start(struct nest *tree);
/* The child of PARENT for SUBJECT, made if it is new. Below the deepest level there is none: then
 * PARENT itself. */
uint32_t nest_child(struct nest *tree, uint32_t parent, uint32_t subject);
/* NODE has ended on SIDE, and lasted NS. */
void nest_add(struct nest *tree, uint32_t node, unsigned side, int64_t ns);
void nest_free(struct nest *tree);

#endif
