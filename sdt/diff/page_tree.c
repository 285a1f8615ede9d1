/* SPDX-License-Identifier: BSD-2-Clause */
/* See page.h: like a flame graph that grows downwards, of pairs instead of functions. */
#include "page.h"
#include "print/text.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

enum { WIDTH = 1000, ROW = 24 };
static const double narrowest = 0.5;

struct drawing {
    struct bytes *to;
    const struct comparison *comparison;
    const struct nest *tree;
    double scale; /* of ns a second to widths */
    unsigned depth;
};

/* ns a second of NODE, mean of both sides. */
static double time_of(const struct drawing *drawing, uint32_t node)
{
    double sum = 0;
    for (unsigned which = 0; which < 2; which++) {
        double duration = (double)side_duration(&drawing->comparison->sides[which]);
        const struct nest_node *one = &drawing->tree->nodes[node];
        double total = node == NEST_ROOT ? one->inner[which] : one->total[which];
        sum += duration > 0 ? total * 1e9 / duration : total;
    }
    return sum / 2;
}

/* What each took without its children. */
static double own_time(const struct nest_node *node, unsigned which)
{
    double own = node->total[which] - node->inner[which];
    return node->count[which] && own > 0 ? own / (double)node->count[which] : 0;
}

static const char *colour_of(double change)
{
    static const double steps[] = {0.02, 0.05, 0.2};
    static const char *const slower[] = {"same", "slower-1", "slower-2", "slower-3"};
    static const char *const faster[] = {"same", "faster-1", "faster-2", "faster-3"};
    unsigned step = 0;
    while (step < 3 && fabs(change) >= steps[step])
        step++;
    return change > 0 ? slower[step] : faster[step];
}

static void append_title(const struct drawing *drawing, const struct nest_node *node, double change)
{
    struct bytes text = {0};
    char *counts = memory_format("\ncount %" PRIu64 " to %" PRIu64 ", own time ", node->count[0],
                                 node->count[1]);
    text_escaped(&text, slice_of(drawing->comparison->groups->subjects[node->subject].name));
    text_append(&text, counts);
    text_latency(&text, own_time(node, 0));
    text_append(&text, " to ");
    text_latency(&text, own_time(node, 1));
    text_append(&text, ", ");
    words_change(&text, change);
    page_text(drawing->to, (struct slice){(const char *)text.data, text.size});
    free(counts);
    bytes_free(&text);
}

/* As much of the name as there is room for. */
static void append_label(const struct drawing *drawing, const struct nest_node *node, double x,
                         double width, double y)
{
    enum { LETTER = 7 };
    size_t room = width > 3 * LETTER ? (size_t)(width / LETTER) - 1 : 0;
    struct bytes name = {0};
    text_escaped(&name, slice_of(drawing->comparison->groups->subjects[node->subject].name));
    size_t length = name.size < room ? name.size : room;
    while (length && length < name.size && (name.data[length] & 0xc0) == 0x80)
        length--; /* in the middle of a character */
    if (length) {
        page_number(drawing->to, "<text x=\"", x + 4, "\" ");
        page_number(drawing->to, "y=\"", y + ROW - 8, "\">");
        page_text(drawing->to, (struct slice){(const char *)name.data, length});
        text_append(drawing->to, length < name.size ? "…</text>" : "</text>");
    }
    bytes_free(&name);
}

static void append_bar(const struct drawing *drawing, const struct nest_node *node, double x,
                       double width, unsigned depth)
{
    double before = own_time(node, 0), after = own_time(node, 1);
    double change = before > 0 ? after / before - 1 : after > 0 ? INFINITY : 0;
    text_append(drawing->to, "<g><title>");
    append_title(drawing, node, change);
    text_append(drawing->to, "</title><rect class=\"");
    text_append(drawing->to, colour_of(change));
    page_number(drawing->to, "\" x=\"", x, "\" ");
    page_number(drawing->to, "y=\"", depth * ROW, "\" ");
    page_number(drawing->to, "width=\"", width, "\" ");
    page_number(drawing->to, "height=\"", ROW, "\"/>");
    append_label(drawing, node, x, width, depth * ROW);
    text_append(drawing->to, "</g>\n");
}

struct child {
    uint32_t node;
    double time;
};

static int longest_first(const void *a, const void *b)
{
    const struct child *one = a, *other = b;
    return one->time != other->time ? (one->time > other->time ? -1 : 1)
                                    : (one->node > other->node) - (one->node < other->node);
}

/* The children of NODE from X on. They may take longer than NODE itself: then they are drawn
 * narrower. */
static void append_children(struct drawing *drawing, uint32_t node, double x, double width,
                            unsigned depth)
{
    const struct nest_node *nodes = drawing->tree->nodes;
    size_t count = 0;
    double sum = 0;
    for (uint32_t i = nodes[node].children; i != NEST_ROOT; i = nodes[i].next)
        count++;
    struct child *children = memory_zeroed(count + 1, sizeof *children);
    count = 0;
    for (uint32_t i = nodes[node].children; i != NEST_ROOT; i = nodes[i].next) {
        children[count++] = (struct child){i, time_of(drawing, i)};
        sum += time_of(drawing, i) * drawing->scale;
    }
    qsort(children, count, sizeof *children, longest_first);
    double shrink = sum > width ? width / sum : 1;
    for (size_t i = 0; i < count; i++) {
        double wide = children[i].time * drawing->scale * shrink;
        if (wide < narrowest)
            break;
        append_bar(drawing, &nodes[children[i].node], x, wide, depth);
        append_children(drawing, children[i].node, x, wide, depth + 1);
        drawing->depth = depth + 1 > drawing->depth ? depth + 1 : drawing->depth;
        x += wide;
    }
    free(children);
}

void page_tree(struct bytes *to, const struct comparison *comparison, const struct nest *tree)
{
    struct bytes bars = {0};
    struct drawing drawing = {&bars, comparison, tree, 0, 0};
    double all = time_of(&drawing, NEST_ROOT);
    if (all <= 0)
        return;
    drawing.scale = WIDTH / all;
    append_children(&drawing, NEST_ROOT, 0, WIDTH, 0);
    page_number(to, "<svg class=\"tree\" role=\"img\" viewBox=\"0 0 ", WIDTH, " ");
    page_number(to, "", drawing.depth * ROW, "\" aria-label=\"Pairs inside pairs\">\n");
    bytes_append(to, bars.data, bars.size);
    text_append(to, "</svg>\n");
    bytes_free(&bars);
}
