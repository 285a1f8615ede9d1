/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A tree of calls: a node for each path of functions, from the outermost call down. In a recording
 * a call may also be a slice that is no function's. Pure.
 */
#ifndef SDT_TREE_NODES_H
#define SDT_TREE_NODES_H

#include <exchange/program.h>
#include <stddef.h>
#include <stdint.h>

/* No node is deeper than that: calls, and one above them, a thread. */
enum { TREE_DEEPEST = LIVE_MAX_DEPTH + 1 };

struct tree_node {
    char *function;              /* its symbol; NULL: the whole, whose children are outermost */
    uint64_t calls, ns, max;     /* that have returned: their number, their time, the longest */
    struct tree_node **children; /* after tree_sort(), what took longest first */
    size_t count;
};

/* The child of PARENT that is called FUNCTION; NULL: there is none. */
struct tree_node *tree_find(const struct tree_node *parent, const char *function);
/* The same, made if there is none. */
struct tree_node *tree_child(struct tree_node *parent, const char *function);
void tree_free(struct tree_node *whole); /* what it consists of, not WHOLE itself */

/* Without its children, as far as that can be told: children may have ended before it has. */
uint64_t tree_self(const struct tree_node *node);
/* All children of NODE. */
uint64_t tree_sum(const struct tree_node *node);

/* TO has what FROM has as well. */
void tree_add(struct tree_node *to, const struct tree_node *from);
/* NOW becomes what was added since BEFORE. The longest calls stay those of all. */
void tree_subtract(struct tree_node *now, const struct tree_node *before);
/* Drop nodes without any calls in and below them, and sort the others. */
void tree_sort(struct tree_node *whole);

/* One function, wherever it was called. */
struct tree_function {
    const char *function; /* the tree's */
    uint64_t calls, self;
    uint64_t ns; /* of calls that no other call of it was around: recursion counts once */
};
/* All of them, what has most of its own first. The list is the caller's. */
struct tree_function *tree_functions(const struct tree_node *whole, size_t *count);

#endif
