/* SPDX-License-Identifier: BSD-2-Clause */
/* See text.h. */
#include "text.h"

void text_append(struct bytes *to, const char *text)
{
    bytes_append(to, text, strlen(text));
}

void text_char(struct bytes *to, char c)
{
    bytes_append(to, &c, 1);
}

void text_zeros(struct bytes *to, uint64_t number, unsigned digits)
{
    char buffer[24];
    size_t at = sizeof buffer, last = sizeof buffer - digits;
    do {
        buffer[--at] = (char)('0' + number % 10);
        number /= 10;
    } while (number || at > last);
    bytes_append(to, buffer + at, sizeof buffer - at);
}

void text_natural(struct bytes *to, uint64_t number)
{
    text_zeros(to, number, 1);
}

void text_integer(struct bytes *to, int64_t number)
{
    if (number < 0)
        text_char(to, '-');
    text_natural(to, number < 0 ? -(uint64_t)number : (uint64_t)number);
}
