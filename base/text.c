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

void text_hex_digits(struct bytes *to, uint64_t number, unsigned least)
{
    static const char digits[] = "0123456789abcdef";
    char buffer[16];
    size_t at = sizeof buffer;
    while (at > 0 && (number || at > sizeof buffer - least)) { /* at > 0: gcc 14 cannot tell */
        buffer[--at] = digits[number % 16];
        number /= 16;
    }
    bytes_append(to, buffer + at, sizeof buffer - at);
}

void text_hex(struct bytes *to, uint64_t number)
{
    text_append(to, "0x");
    text_hex_digits(to, number, 1);
}

int hex_digit(char c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
                                  : -1;
}
