/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See texts.h.
 *
 * This file is compiled for general registers only.
 */
#include "texts.h"

#include "softfloat.h"

#include "process/context.h"

#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

static const char *fact(const struct sdt_event *event, uint64_t which)
{
    return which == LIVE_PROVIDER   ? sdt_provider(event)
           : which == LIVE_NAME     ? sdt_name(event)
           : which == LIVE_FUNCTION ? sdt_function(event)
                                    : sdt_module(event);
}

size_t texts_read(const struct live_aggregation *aggregation, uint64_t *room, uintptr_t from,
                  uint64_t most, bool is_text)
{
    most = most < LIVE_TEXT ? most : LIVE_TEXT;
    long length = pages_copy(texts_way(aggregation), (char *)room, from, most, is_text);
    if (__builtin_expect(length >= 0, 1))
        return (size_t)length;
    if (!is_text)
        return 0;
    room[0] = from ? UINT64_C(0x3e746c7561663c) : UINT64_C(0x3e6c6c756e3c); /* <fault>, <null> */
    return from ? 7 : 6;
}

uint64_t texts_load(struct run *run, const struct op *op, uintptr_t from, uint64_t most,
                    bool is_text)
{
    uint64_t *room = run->room[op->slot];
    run->texts[op->slot] =
        (struct text){room, texts_read(run->aggregation, room, from, most, is_text)};
    return (uintptr_t)&run->texts[op->slot];
}

uint64_t texts_load_view(struct run *run, const struct op *op, uintptr_t from)
{
    uint64_t view[sizeof(struct sdt_text) / 8 + 2];
    long n =
        pages_copy(texts_way(run->aggregation), (char *)view, from, sizeof(struct sdt_text), false);
    if (n != (long)sizeof(struct sdt_text))
        return texts_load(run, op, 1, 1, true); /* <fault> */
    if (view[1] == 0)                           /* wherever that is */
        return texts_load(run, op, (uintptr_t) "", 1, true);
    return texts_load(run, op, view[0], view[1], true);
}

bool texts_element(const struct run *run, const struct op *op, uintptr_t from, uint64_t index,
                   uint64_t count, uint64_t *result)
{
    uint64_t room[3];
    unsigned size = op->kind & LIVE_KIND_SIZE, shift = 64 - 8 * size;
    if (index >= count || count > INT64_MAX || index > UINT32_MAX ||
        pages_copy(texts_way(run->aggregation), (char *)room, from + index * size, size, false) !=
            (long)size)
        return false;
    uint64_t bits = room[0] << shift >> shift;
    if (op->kind & LIVE_KIND_SIGNED)
        bits = (uint64_t)((int64_t)(room[0] << shift) >> shift);
    *result = op->kind & LIVE_KIND_FLOAT && size == 4 ? softfloat_from_float((uint32_t)bits) : bits;
    return true;
}

uint64_t texts_cut(struct run *run, const struct op *op, const struct text *from, uint64_t most)
{
    run->texts[op->slot] =
        (struct text){from->word, from->length < most ? from->length : (size_t)most};
    return (uintptr_t)&run->texts[op->slot];
}

uint64_t texts_fact(struct run *run, const struct op *op)
{
    uint64_t *room = run->room[op->slot];
    long length;
    if (op->number == LIVE_COMM) {
        syscall(SYS_prctl, PR_GET_NAME, room);
        for (length = 0; length < 16 && ((volatile char *)room)[length];)
            length++;
    } else
        length = copy_text(room, (uintptr_t)fact(run->event, op->number), LIVE_TEXT, true);
    run->texts[op->slot] = (struct text){room, (size_t)length};
    return (uintptr_t)&run->texts[op->slot];
}

bool texts_context(struct run *run, const struct op *op, uint64_t *result)
{
    uint64_t *room = run->room[op->slot], words[CONTEXT_ROOM];
    bool is_span = op->number == LIVE_SPAN_ID;
    unsigned first = is_span ? 2 : 0, end = is_span ? 3 : 2;
    if (!context_read(texts_way(run->aggregation), words))
        return false;
    for (unsigned i = first; i < end; i++) {
        room[2 * (i - first)] = context_digits(words[i] & UINT32_MAX);
        room[2 * (i - first) + 1] = context_digits(words[i] >> 32);
    }
    run->texts[op->slot] = (struct text){room, 16 * (end - first)};
    *result = (uintptr_t)&run->texts[op->slot];
    return true;
}

/* Of the word in which both differ, or one ends: its first N bytes, as a number to compare. */
static uint64_t leading(uint64_t word, size_t n)
{
    return n >= 8 ? __builtin_bswap64(word) : n ? __builtin_bswap64(word) >> (64 - 8 * n) : 0;
}

/* Compare the first N bytes. */
static int compare_bytes(const struct text *a, const struct text *b, size_t n)
{
    for (size_t i = 0; i < n; i += 8) {
        uint64_t one = leading(a->word[i / 8], n - i), other = leading(b->word[i / 8], n - i);
        if (one != other)
            return one < other ? -1 : 1;
    }
    return 0;
}

int texts_compare(const struct text *a, const struct text *b)
{
    int order = compare_bytes(a, b, a->length < b->length ? a->length : b->length);
    return order ? order : (a->length > b->length) - (a->length < b->length);
}

bool texts_begin(const struct text *a, const struct text *b)
{
    return a->length >= b->length && compare_bytes(a, b, b->length) == 0;
}
