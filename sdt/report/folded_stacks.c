/* SPDX-License-Identifier: BSD-2-Clause */
#include "folded_stacks.h"

#include "stack.h"

#include <stdlib.h>

/* What is remembered is bounded. */
enum { MEMORY = 64 << 20 };

static void forget(struct folded_stacks *stacks)
{
    for (size_t i = 0; i < stacks->count; i++)
        free(stacks->texts[i]);
    free(stacks->texts);
    texts_free(&stacks->different);
    *stacks = (struct folded_stacks){.symbols = stacks->symbols};
}

static size_t number_of(struct folded_stacks *stacks, const struct event *event)
{
    struct bytes key = {0};
    bytes_append(&key, &event->trace, sizeof event->trace);
    bytes_append(&key, event->callers->text.text, event->callers->text.length);
    struct slice bytes = {(const char *)key.data, key.size};
    size_t number = texts_number(&stacks->different, bytes);
    bytes_free(&key);
    return number;
}

static void add(struct folded_stacks *stacks, const struct event *event)
{
    struct bytes text = {0};
    stack_folded(&text, &stacks->symbols, event);
    stacks->size += text.size;
    stacks->texts =
        memory_with_room(stacks->texts, stacks->count, &stacks->capacity, sizeof *stacks->texts);
    stacks->texts[stacks->count++] = bytes_take_text(&text);
}

const char *folded_stack(struct folded_stacks *stacks, const struct event *event)
{
    if (!event->callers)
        return NULL;
    if (stacks->size + stacks->different.plain.size > MEMORY)
        forget(stacks);
    size_t number = number_of(stacks, event);
    if (number == stacks->count)
        add(stacks, event);
    return stacks->texts[number];
}

void folded_stacks_free(struct folded_stacks *stacks)
{
    forget(stacks);
    symbols_free(&stacks->symbols);
}
