/* SPDX-License-Identifier: BSD-2-Clause */
#include "strings.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

struct list_string {
    struct slice from;
    const char *copy; /* NULL: the slot is free */
};

/* The slot that holds STRING or is free for it. */
static struct list_string *find(const struct list_strings *strings, struct slice string)
{
    uint64_t hash = ((uintptr_t)string.text + string.length) * UINT64_C(0x9e3779b97f4a7c15);
    size_t mask = strings->slot_count - 1;
    for (size_t i = hash >> 32 & mask;; i = (i + 1) & mask) {
        struct list_string *slot = &strings->slots[i];
        if (!slot->copy || (slot->from.text == string.text && slot->from.length == string.length))
            return slot;
    }
}

static void grow(struct list_strings *strings)
{
    struct list_string *old = strings->slots;
    size_t old_count = strings->slot_count;
    strings->slot_count = old_count ? 2 * old_count : 256;
    strings->slots = memory_zeroed(strings->slot_count, sizeof *strings->slots);
    for (size_t i = 0; i < old_count; i++)
        if (old[i].copy)
            *find(strings, old[i].from) = old[i];
    free(old);
}

static const char *add_copy(struct list_strings *strings, char *copy)
{
    strings->copies = memory_with_room(strings->copies, strings->count, &strings->capacity,
                                       sizeof *strings->copies);
    return strings->copies[strings->count++] = copy;
}

const char *list_strings_add(struct list_strings *strings, struct slice string)
{
    if (string.length > MAX_NAME_BYTES)
        string.length = MAX_NAME_BYTES;
    strings->named += string.length;
    if (2 * strings->used >= strings->slot_count)
        grow(strings);
    struct list_string *slot = find(strings, string);
    if (!slot->copy) {
        char *copy = memory_format("%.*s", (int)string.length, string.text);
        *slot = (struct list_string){string, add_copy(strings, copy)};
        strings->used++;
    }
    return slot->copy;
}

const char *list_strings_keep(struct list_strings *strings, char *text)
{
    strings->named += strlen(text);
    return add_copy(strings, text);
}

void list_strings_forget(struct list_strings *strings)
{
    free(strings->slots);
    strings->slots = NULL;
    strings->slot_count = strings->used = 0;
}

void list_strings_free(struct list_strings *strings)
{
    for (size_t i = 0; i < strings->count; i++)
        free(strings->copies[i]);
    free(strings->copies);
    free(strings->slots);
    *strings = (struct list_strings){0};
}
