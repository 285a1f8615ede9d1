/* SPDX-License-Identifier: BSD-2-Clause */
#include "escape_append.h"

#include "escape.h"

void escape_append(struct bytes *to, struct slice text)
{
    char piece[ESCAPE_SIZE];
    for (size_t i = 0; i < text.length; i++)
        bytes_append(to, piece, escape_byte(piece, text.text[i]));
}

size_t escape_utf8_length(struct slice text)
{
    size_t sum = 0, length;
    for (size_t i = 0; i < text.length; i += length ? length : 1) {
        uint32_t code;
        length = escape_decode(text.text + i, text.length - i, &code);
        sum += length ? length : 3;
    }
    return sum;
}

void escape_append_utf8(struct bytes *to, struct slice text)
{
    size_t length;
    for (size_t i = 0; i < text.length; i += length ? length : 1) {
        uint32_t code;
        length = escape_decode(text.text + i, text.length - i, &code);
        bytes_append(to, length ? text.text + i : "\xef\xbf\xbd", length ? length : 3);
    }
}
