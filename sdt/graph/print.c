/* SPDX-License-Identifier: BSD-2-Clause */
/* See print.h. */
#include "print.h"

#include "base/json.h"
#include "base/table.h"
#include "print/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* ---- For people. ---- */

struct printing {
    struct table table;
    double least; /* ns of what is shown */
    size_t hidden;
};

static char *time_text(uint64_t ns)
{
    struct bytes text = {0};
    text_latency(&text, (double)ns);
    return bytes_take_text(&text);
}

static size_t size_of(const struct tree_node *node)
{
    size_t size = 1;
    for (size_t i = 0; i < node->count; i++)
        size += size_of(node->children[i]);
    return size;
}

static void print_below(struct printing *printing, const struct tree_node *node, unsigned depth)
{
    for (size_t i = 0; i < node->count; i++) {
        const struct tree_node *child = node->children[i];
        uint64_t ns = child->ns > tree_sum(child) ? child->ns : tree_sum(child);
        if ((double)ns < printing->least) {
            printing->hidden += size_of(child);
            continue;
        }
        struct bytes name = {0};
        text_pad(&name, name.size, (size_t)2 * depth);
        text_function(&name, child->function);
        char **cells = table_row(&printing->table);
        cells[0] = time_text(child->ns);
        cells[1] = time_text(tree_self(child));
        cells[2] = memory_format("%" PRIu64, child->calls);
        cells[3] = time_text(child->max);
        cells[4] = bytes_take_text(&name);
        print_below(printing, child, depth + 1);
    }
}

void tree_print(const struct tree_node *whole, double share, bool is_total)
{
    const char *const titles[] = {"TIME", "SELF", is_total ? "TOTAL" : "CALLS", "MAX", "FUNCTION"};
    struct printing printing = {.least = share * (double)tree_sum(whole)};
    table_start(&printing.table, titles, sizeof titles / sizeof *titles);
    if (!whole->count)
        puts("no calls (where the compiler has inlined a function, it has none)");
    print_below(&printing, whole, 0);
    table_print(&printing.table);
    if (printing.hidden)
        printf("%zu more of less than %g %% of the time; --min=0 shows all\n", printing.hidden,
               share * 100);
}

/* ---- For programs. ---- */

/* From the outermost function down to one. */
struct path {
    const char *function[TREE_DEEPEST];
    size_t count;
};

static void append_json(struct bytes *to, const struct tree_node *node, const struct path *path,
                        int64_t time, bool is_total)
{
    json_open(to, NULL, '{');
    json_integer(to, "time", time);
    json_open(to, "path", '[');
    for (size_t i = 0; i < path->count; i++)
        json_string(to, NULL, path->function[i]);
    json_close(to, ']');
    json_natural(to, "calls", node->calls);
    json_natural(to, "ns", node->ns);
    json_natural(to, "self", tree_self(node));
    json_natural(to, "max", node->max);
    text_append(to, is_total ? ", \"total\": true}\n" : "}\n");
}

static void json_below(struct bytes *to, const struct tree_node *node, struct path *path,
                       int64_t time, bool is_total)
{
    for (size_t i = 0; i < node->count; i++) {
        const struct tree_node *child = node->children[i];
        path->function[path->count++] = child->function;
        append_json(to, child, path, time, is_total);
        json_below(to, child, path, time, is_total);
        path->count--;
    }
}

void tree_json(struct bytes *to, const struct tree_node *whole, int64_t time, bool is_total)
{
    struct path path = {.count = 0};
    json_below(to, whole, &path, time, is_total);
}

static void folded_below(struct bytes *to, const struct tree_node *node, struct path *path)
{
    for (size_t i = 0; i < node->count; i++) {
        const struct tree_node *child = node->children[i];
        path->function[path->count++] = child->function;
        for (size_t k = 0; k < path->count && tree_self(child); k++) {
            text_frame(to, path->function[k]);
            text_char(to, k + 1 < path->count ? ';' : ' ');
        }
        if (tree_self(child)) {
            text_natural(to, tree_self(child));
            text_char(to, '\n');
        }
        folded_below(to, child, path);
        path->count--;
    }
}

void tree_folded(struct bytes *to, const struct tree_node *whole)
{
    struct path path = {.count = 0};
    folded_below(to, whole, &path);
}
