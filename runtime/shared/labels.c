/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The names that descriptors have for the values of an argument, `;0=idle;-1=in%20use:` (see
 * <sdt/format.h>). Anything else is skipped: the file may come from another producer.
 */
#include "describe.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_LABELS = 1000 }; /* as sdtlink allows */

static int hex_digit(char c)
{
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* A number, and the place after it; false: there is none. */
static bool read_value(const char **text, uint64_t *value)
{
    const char *at = *text;
    bool is_negative = *at == '-';
    uint64_t number = 0;
    for (at += is_negative; *at >= '0' && *at <= '9'; at++)
        if (__builtin_mul_overflow(number, 10, &number) ||
            __builtin_add_overflow(number, (uint64_t)(*at - '0'), &number))
            return false;
    bool is_there = at > *text + is_negative;
    *text = at;
    *value = is_negative ? -number : number;
    return is_there;
}

/* Decode up to END into TO, with a NUL; returns the place after it. */
static char *decode(const char *text, const char *end, char *to)
{
    while (text < end) {
        int high = end - text > 2 && *text == '%' ? hex_digit(text[1]) : -1;
        int low = high >= 0 ? hex_digit(text[2]) : -1;
        bool is_code = low >= 0 && (high || low);
        *to++ = is_code ? (char)(high * 16 + low) : *text;
        text += is_code ? 3 : 1;
    }
    *to = 0;
    return to + 1;
}

/* The label at *AT, which goes on after it: its value, and the name up to there. False: it is none.
 */
static bool next_label(const char **at, uint64_t *value, const char **name)
{
    const char *end = *at + 1 + strcspn(*at + 1, ";:");
    *name = *at + 1;
    *at = end;
    return read_value(name, value) && **name == '=' && ++*name != end;
}

bool describe_find_label(const char *text, uint64_t value, unsigned size, char *to, size_t room,
                         size_t *length)
{
    uint64_t mask = size >= 8 ? UINT64_MAX : ((uint64_t)1 << size * 8) - 1, other;
    for (const char *at = text, *name; at && *at == ';';)
        if (next_label(&at, &other, &name) && ((other ^ value) & mask) == 0) {
            bool has_room = (size_t)(at - name) < room;
            if (has_room)
                *length = (size_t)(decode(name, at, to) - to - 1);
            return has_room;
        }
    return false;
}

struct describe_label *describe_read_labels(const char *text, unsigned *count)
{
    unsigned room = 0;
    size_t length = text ? strcspn(text, ":") : 0;
    *count = 0;
    for (size_t i = 0; i < length; i++)
        room += text[i] == ';';
    struct describe_label *labels = room ? malloc(room * sizeof *labels + length + 1) : NULL;
    if (!labels)
        return NULL;
    char *strings = (char *)(labels + room);
    uint64_t value;
    for (const char *at = text, *name; *at == ';' && *count < MAX_LABELS;)
        if (next_label(&at, &value, &name)) {
            labels[(*count)++] = (struct describe_label){value, strings};
            strings = decode(name, at, strings);
        }
    return labels;
}
