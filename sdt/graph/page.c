/* SPDX-License-Identifier: BSD-2-Clause */
/* See page.h. */
#include "page.h"

#include "base/json.h"
#include "print/text.h"

#include <stdlib.h>

static void append_function(struct bytes *to, const char *function)
{
    struct bytes name = {0};
    text_function(&name, function);
    char *text = bytes_take_text(&name);
    json_string(to, "f", text);
    free(text);
}

void tree_page_calls(struct bytes *to, const char *key, const struct tree_node *node)
{
    json_open(to, key, '[');
    for (size_t i = 0; i < node->count; i++) {
        const struct tree_node *child = node->children[i];
        json_open(to, NULL, '{');
        append_function(to, child->function);
        json_natural(to, "c", child->calls);
        json_natural(to, "n", child->ns);
        json_natural(to, "m", child->max);
        tree_page_calls(to, "k", child);
        json_close(to, '}');
    }
    json_close(to, ']');
}

/* JSON in a page: no name may end the element that it stands in. */
static void append_data(struct bytes *to, const struct bytes *json)
{
    for (size_t i = 0; i < json->size; i++)
        if (json->data[i] == '<')
            text_append(to, "\\u003c");
        else
            text_char(to, (char)json->data[i]);
}

static int write_page(struct output *output, const struct bytes *page)
{
    if (output_put(output, page->data, page->size, 0) == 0 &&
        output_finish(output, page->size) == 0 && output_commit(output) == 0)
        return 0;
    output_abandon(output);
    return -1;
}

int tree_page(struct output *output, const char *name, const struct tree_node *whole, uint64_t lost)
{
    struct bytes json = {0}, page = {0};
    json_open(&json, NULL, '{');
    json_string(&json, "name", name);
    json_natural(&json, "lost", lost);
    tree_page_calls(&json, "calls", whole);
    json_close(&json, '}');
    bytes_append(&page, flame_before, flame_before_size);
    append_data(&page, &json);
    bytes_append(&page, flame_after, flame_after_size);
    int result = write_page(output, &page);
    bytes_free(&json);
    bytes_free(&page);
    return result;
}
