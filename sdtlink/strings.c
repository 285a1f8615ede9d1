/* SPDX-License-Identifier: BSD-2-Clause */
#include "strings.h"

#include <stdlib.h>
#include <string.h>

/* FNV-1a. */
static uint64_t hash(struct slice string)
{
    uint64_t value = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < string.length; i++)
        value = (value ^ (uint8_t)string.text[i]) * UINT64_C(0x100000001b3);
    return value;
}

/* The slot that holds STRING or is free for it. */
static uint32_t *find(const struct strings *strings, struct slice string)
{
    size_t i = hash(string) & (strings->slot_count - 1);
    for (;; i = (i + 1) & (strings->slot_count - 1)) {
        uint32_t *slot = &strings->slots[i];
        if (!*slot || slice_is(string, (const char *)strings->text.data + *slot - 1))
            return slot;
    }
}

static void grow(struct strings *strings)
{
    uint32_t *old = strings->slots;
    size_t old_count = strings->slot_count;
    strings->slot_count = old_count ? old_count * 2 : 256;
    strings->slots = memory_zeroed(strings->slot_count, sizeof *strings->slots);
    for (size_t i = 0; i < old_count; i++) {
        if (!old[i])
            continue;
        const char *text = (const char *)strings->text.data + old[i] - 1;
        *find(strings, (struct slice){text, strlen(text)}) = old[i];
    }
    free(old);
}

uint32_t strings_add(struct strings *strings, struct slice string)
{
    if (strings->used * 2 >= strings->slot_count)
        grow(strings);
    uint32_t *slot = find(strings, string);
    if (!*slot) {
        size_t offset = bytes_append(&strings->text, string.text, string.length);
        bytes_append(&strings->text, "", 1);
        *slot = (uint32_t)offset + 1;
        strings->used++;
    }
    return *slot - 1;
}

void strings_free(struct strings *strings)
{
    bytes_free(&strings->text);
    free(strings->slots);
    *strings = (struct strings){0};
}
