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
    for (const char *at = text, *end; *at == ';' && *count < MAX_LABELS; at = end) {
        uint64_t value;
        at++;
        end = at + strcspn(at, ";:");
        if (!read_value(&at, &value) || *at != '=' || at + 1 == end)
            continue;
        labels[(*count)++] = (struct describe_label){value, strings};
        strings = decode(at + 1, end, strings);
    }
    return labels;
}
