/* SPDX-License-Identifier: BSD-2-Clause */
/* Trees of calls (sdt/graph/nodes.c): own time, differences, order, and sums by function. */
#include "check.h"

#include <stdlib.h>
#include <string.h>
#include <graph/nodes.h>

static struct tree_node *add(struct tree_node *parent, const char *function, uint64_t calls,
                             uint64_t ns)
{
    struct tree_node *node = tree_child(parent, function);
    node->calls += calls;
    node->ns += ns;
    return node;
}

/* main 100 (serve 60 (read 10, serve 40 (read 30)), read 5) */
static void make(struct tree_node *whole)
{
    *whole = (struct tree_node){.count = 0};
    struct tree_node *main_ = add(whole, "main", 1, 100);
    add(main_, "read", 1, 5);
    struct tree_node *serve = add(main_, "serve", 2, 60);
    add(serve, "read", 4, 10);
    add(add(serve, "serve", 3, 40), "read", 3, 30);
}

static void times(void)
{
    struct tree_node whole;
    make(&whole);
    const struct tree_node *main_ = whole.children[0];
    CHECK(tree_sum(&whole) == 100 && tree_self(main_) == 35);
    CHECK(tree_self(tree_child(whole.children[0], "serve")) == 10);
    add(whole.children[0], "read", 0, 1000); /* main goes on, its callees have returned */
    CHECK(tree_self(main_) == 0);
    tree_free(&whole);
}

static void order(void)
{
    struct tree_node whole;
    make(&whole);
    struct tree_node *main_ = whole.children[0];
    add(main_, "idle", 0, 0);
    add(add(main_, "open", 0, 0), "below", 1, 7);
    tree_sort(&whole);
    CHECK(main_->count == 3 && !strcmp(main_->children[0]->function, "serve"));
    CHECK(!strcmp(main_->children[1]->function, "open")); /* by what is below it */
    CHECK(!strcmp(main_->children[2]->function, "read"));
    tree_free(&whole);
}

static void differences(void)
{
    struct tree_node before, now = {.count = 0};
    make(&before);
    tree_add(&now, &before);
    struct tree_node *serve = add(now.children[0], "serve", 5, 500);
    add(serve, "write", 1, 2);
    tree_subtract(&now, &before);
    CHECK(serve->calls == 5 && serve->ns == 500 && now.children[0]->ns == 0);
    tree_sort(&now);
    CHECK(now.children[0]->count == 1 && serve->count == 1);
    CHECK(!strcmp(serve->children[0]->function, "write") && serve->children[0]->ns == 2);
    tree_free(&before);
    tree_free(&now);
}

/* Recursion counts once in the time, and each time in the calls. */
static void functions(void)
{
    struct tree_node whole;
    size_t count;
    make(&whole);
    struct tree_function *list = tree_functions(&whole, &count);
    CHECK(count == 3);
    CHECK(!strcmp(list[0].function, "read") && list[0].calls == 8 && list[0].self == 45 &&
          list[0].ns == 45);
    CHECK(!strcmp(list[1].function, "main") && list[1].self == 35 && list[1].ns == 100);
    CHECK(!strcmp(list[2].function, "serve") && list[2].calls == 5 && list[2].self == 20 &&
          list[2].ns == 60);
    free(list);
    tree_free(&whole);
    list = tree_functions(&whole, &count);
    CHECK(count == 0);
    free(list);
}

int main(void)
{
    times();
    order();
    differences();
    functions();
    return check_failures != 0;
}
