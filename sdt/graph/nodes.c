/* SPDX-License-Identifier: BSD-2-Clause */
/* See nodes.h. No node is deeper than TREE_DEEPEST, so recursion is bounded. */
#include "nodes.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

struct tree_node *tree_find(const struct tree_node *parent, const char *function)
{
    for (size_t i = 0; i < parent->count; i++)
        if (!strcmp(parent->children[i]->function, function))
            return parent->children[i];
    return NULL;
}

struct tree_node *tree_child(struct tree_node *parent, const char *function)
{
    struct tree_node *child = tree_find(parent, function);
    if (child)
        return child;
    child = memory_zeroed(1, sizeof *child);
    child->function = memory_format("%s", function);
    parent->children =
        memory_resize(parent->children, parent->count + 1, sizeof(struct tree_node *));
    return parent->children[parent->count++] = child;
}

void tree_free(struct tree_node *whole)
{
    for (size_t i = 0; i < whole->count; i++) {
        tree_free(whole->children[i]);
        free(whole->children[i]);
    }
    free(whole->children);
    free(whole->function);
    *whole = (struct tree_node){.count = 0};
}

uint64_t tree_sum(const struct tree_node *node)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < node->count; i++)
        sum += node->children[i]->ns;
    return sum;
}

uint64_t tree_self(const struct tree_node *node)
{
    uint64_t below = tree_sum(node);
    return node->ns > below ? node->ns - below : 0;
}

void tree_add(struct tree_node *to, const struct tree_node *from)
{
    to->calls += from->calls;
    to->ns += from->ns;
    to->max = from->max > to->max ? from->max : to->max;
    for (size_t i = 0; i < from->count; i++)
        tree_add(tree_child(to, from->children[i]->function), from->children[i]);
}

void tree_subtract(struct tree_node *now, const struct tree_node *before)
{
    now->calls -= before->calls;
    now->ns -= before->ns;
    for (size_t i = 0; i < now->count; i++) {
        const struct tree_node *old = tree_find(before, now->children[i]->function);
        if (old)
            tree_subtract(now->children[i], old);
    }
}

static int compare_nodes(const void *one, const void *other)
{
    const struct tree_node *a = *(struct tree_node *const *)one;
    const struct tree_node *b = *(struct tree_node *const *)other;
    uint64_t first = a->ns ? a->ns : tree_sum(a), second = b->ns ? b->ns : tree_sum(b);
    return first != second ? (first > second ? -1 : 1) : strcmp(a->function, b->function);
}

void tree_sort(struct tree_node *whole)
{
    size_t kept = 0;
    for (size_t i = 0; i < whole->count; i++) {
        struct tree_node *child = whole->children[i];
        tree_sort(child);
        if (child->calls || child->count) {
            whole->children[kept++] = child;
            continue;
        }
        tree_free(child);
        free(child);
    }
    whole->count = kept;
    if (kept)
        qsort(whole->children, kept, sizeof(struct tree_node *), compare_nodes);
}

/* ---- By function. ---- */

struct gathering {
    struct tree_function *list;
    size_t count, capacity;
};

/* Each node is one entry at first; ABOVE: those that it was called in. */
struct above {
    const struct above *next;
    const char *function;
};

static void gather(struct gathering *gathering, const struct tree_node *node,
                   const struct above *above)
{
    for (size_t i = 0; i < node->count; i++) {
        const struct tree_node *child = node->children[i];
        const struct above here = {above, child->function}, *at = above;
        while (at && strcmp(at->function, child->function) != 0)
            at = at->next;
        gathering->list = memory_with_room(gathering->list, gathering->count, &gathering->capacity,
                                           sizeof *gathering->list);
        gathering->list[gathering->count++] = (struct tree_function){
            child->function, child->calls, tree_self(child), at ? 0 : child->ns};
        gather(gathering, child, &here);
    }
}

static int compare_names(const void *one, const void *other)
{
    const struct tree_function *a = one, *b = other;
    return strcmp(a->function, b->function);
}

static int compare_selves(const void *one, const void *other)
{
    const struct tree_function *a = one, *b = other;
    return a->self != b->self ? (a->self > b->self ? -1 : 1) : compare_names(one, other);
}

struct tree_function *tree_functions(const struct tree_node *whole, size_t *count)
{
    struct gathering all = {0};
    size_t kept = 0;
    gather(&all, whole, NULL);
    if (all.count)
        qsort(all.list, all.count, sizeof *all.list, compare_names);
    for (size_t i = 0; i < all.count; i++) {
        const struct tree_function *from = &all.list[i];
        if (!kept || compare_names(&all.list[kept - 1], from) != 0) {
            all.list[kept++] = *from;
            continue;
        }
        all.list[kept - 1].calls += from->calls;
        all.list[kept - 1].self += from->self;
        all.list[kept - 1].ns += from->ns;
    }
    if (kept)
        qsort(all.list, kept, sizeof *all.list, compare_selves);
    *count = kept;
    return all.list;
}
