/* SPDX-License-Identifier: BSD-2-Clause */
#include "nest.h"

#include "base/memory.h"

#include <stdlib.h>

static uint32_t add(struct nest *tree, struct nest_node node)
{
    tree->nodes = memory_with_room(tree->nodes, tree->count, &tree->capacity, sizeof node);
    tree->nodes[tree->count] = node;
    return (uint32_t)tree->count++;
}

void nest_start(struct nest *tree)
{
    *tree = (struct nest){0};
    add(tree, (struct nest_node){0});
}

static unsigned depth_of(const struct nest *tree, uint32_t node)
{
    unsigned depth = 0;
    for (; node != NEST_ROOT; node = tree->nodes[node].parent)
        depth++;
    return depth;
}

uint32_t nest_child(struct nest *tree, uint32_t parent, uint32_t subject)
{
    for (uint32_t i = tree->nodes[parent].children; i != NEST_ROOT; i = tree->nodes[i].next)
        if (tree->nodes[i].subject == subject)
            return i;
    if (depth_of(tree, parent) >= NEST_DEEPEST)
        return parent;
    uint32_t next = tree->nodes[parent].children;
    uint32_t node =
        add(tree, (struct nest_node){.subject = subject, .parent = parent, .next = next});
    tree->nodes[parent].children = node;
    return node;
}

void nest_add(struct nest *tree, uint32_t node, unsigned side, int64_t ns)
{
    struct nest_node *one = &tree->nodes[node];
    one->count[side]++;
    one->total[side] += (double)ns;
    tree->nodes[one->parent].inner[side] += (double)ns;
}

void nest_free(struct nest *tree)
{
    free(tree->nodes);
    *tree = (struct nest){0};
}
