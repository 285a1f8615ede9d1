/* SPDX-License-Identifier: BSD-2-Clause */
#include "texts.h"

#include <stdlib.h>

/* FNV-1a, eight bytes at a time. */
static uint64_t hash(struct slice text)
{
    uint64_t sum = UINT64_C(0xcbf29ce484222325) ^ text.length;
    for (size_t i = 0; i < text.length; i += sizeof sum) {
        uint64_t word = 0;
        size_t left = text.length - i;
        memcpy(&word, text.text + i, left < sizeof word ? left : sizeof word);
        sum = (sum ^ word) * UINT64_C(0x9e3779b97f4a7c15);
        sum ^= sum >> 32;
    }
    return sum;
}

struct slice texts_plain(const struct texts *texts, size_t i)
{
    size_t start = texts->starts[i];
    size_t end = i + 1 < texts->count ? texts->starts[i + 1] : texts->plain.size;
    return (struct slice){(const char *)texts->plain.data + start, end - start};
}

static bool is_text(const struct texts *texts, size_t i, struct slice text)
{
    struct slice known = texts_plain(texts, i);
    return known.length - sizeof(uint32_t) == text.length &&
           (!text.length || !memcmp(known.text + sizeof(uint32_t), text.text, text.length));
}

/* Where the number of TEXT is, or can be. */
static uint32_t *find_place(const struct texts *texts, struct slice text)
{
    size_t i = (size_t)hash(text) & (texts->place_count - 1);
    while (texts->places[i] && !is_text(texts, texts->places[i] - 1, text))
        i = (i + 1) & (texts->place_count - 1);
    return &texts->places[i];
}

static void grow(struct texts *texts)
{
    texts->place_count = texts->place_count ? 2 * texts->place_count : 64;
    free(texts->places);
    texts->places = memory_zeroed(texts->place_count, sizeof *texts->places);
    for (size_t i = 0; i < texts->count; i++) {
        struct slice text = texts_plain(texts, i);
        text.text += sizeof(uint32_t);
        text.length -= sizeof(uint32_t);
        *find_place(texts, text) = (uint32_t)i + 1;
    }
}

static size_t add(struct texts *texts, struct slice text)
{
    texts->starts =
        memory_with_room(texts->starts, texts->count, &texts->capacity, sizeof *texts->starts);
    texts->starts[texts->count] = texts->plain.size;
    bytes_append32(&texts->plain, (uint32_t)text.length);
    bytes_append(&texts->plain, text.text, text.length);
    return texts->count++;
}

/* The same text again is the usual case. */
size_t texts_number(struct texts *texts, struct slice text)
{
    if (texts->count && is_text(texts, texts->last, text))
        return texts->last;
    if (2 * texts->count >= texts->place_count)
        grow(texts);
    uint32_t *place = find_place(texts, text);
    if (!*place)
        *place = (uint32_t)add(texts, text) + 1;
    return texts->last = *place - 1;
}

void texts_free(struct texts *texts)
{
    bytes_free(&texts->plain);
    free(texts->starts);
    free(texts->places);
    *texts = (struct texts){0};
}
