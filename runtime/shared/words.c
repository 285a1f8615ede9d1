/* SPDX-License-Identifier: BSD-2-Clause */
#include "words.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

unsigned word_digit(char c)
{
    return word_is_digit(c)       ? (unsigned)(c - '0')
           : c >= 'a' && c <= 'f' ? (unsigned)(c - 'a') + 10
           : c >= 'A' && c <= 'F' ? (unsigned)(c - 'A') + 10
                                  : 16;
}

size_t word_name(const char *text)
{
    size_t length = 0;
    while (word_is_letter(text[length]) || (length && word_is_digit(text[length])))
        length++;
    return length;
}

size_t word_unit(const char *text, uint32_t *ns)
{
    static const struct {
        const char *name;
        uint32_t ns;
    } units[] = {{"ns", 1}, {"us", 1000}, {"ms", 1000000}, {"s", 1000000000}};
    size_t length = word_name(text);
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (length == strlen(units[i].name) && !memcmp(text, units[i].name, length)) {
            *ns = units[i].ns;
            return length;
        }
    return 0;
}

/* NUMBER of units becomes so many nanoseconds. False: they do not fit 63 bits. */
static bool take_unit(struct word_number *number, uint32_t ns)
{
    double real = number->real * ns + 0.5; /* which is exact where it matters for rounding */
    if (number->is_real ? real >= 0x1p63 : number->integer > INT64_MAX / ns)
        return false;
    number->integer = number->is_real ? (uint64_t)real : number->integer * ns;
    number->is_real = false;
    number->is_time = true;
    return true;
}

/* A number, whatever follows. How long it is. */
static size_t plain_number(const char *text, struct word_number *number)
{
    char *end, *real_end;
    bool is_hex = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
    errno = 0;
    number->integer = strtoull(text, &end, is_hex ? 16 : 10);
    bool is_too_big = errno == ERANGE;
    number->real = strtod(text, &real_end);
    number->is_real = !is_hex && real_end > end;
    number->is_time = false;
    const char *stop = number->is_real ? real_end : end;
    return !number->is_real && is_too_big ? 0 : (size_t)(stop - text);
}

size_t word_number(const char *text, struct word_number *number)
{
    size_t length = plain_number(text, number);
    bool is_hex = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
    uint32_t ns;
    size_t unit = length && !is_hex ? word_unit(text + length, &ns) : 0;
    if (unit && !take_unit(number, ns))
        return 0;
    length += unit;
    return word_is_letter(text[length]) || word_is_digit(text[length]) ? 0 : length;
}

size_t word_time(const char *text, uint64_t *ns)
{
    struct word_number number;
    uint32_t unit;
    size_t length = plain_number(text, &number);
    if (!length || !(word_is_digit(*text) || *text == '.'))
        return 0;
    length += strspn(text + length, " \t\n");
    size_t more = word_unit(text + length, &unit);
    if (!more || !take_unit(&number, unit))
        return 0;
    *ns = number.integer;
    return length + more;
}

size_t word_escape(const char *text, char *meaning)
{
    static const char letters[] = "\"\\ntr", meanings[] = "\"\\\n\t\r";
    const char *known = *text ? strchr(letters, *text) : NULL;
    if (known) {
        *meaning = meanings[known - letters];
        return 1;
    }
    unsigned high = *text == 'x' ? word_digit(text[1]) : 16;
    unsigned low = high < 16 ? word_digit(text[2]) : 16;
    if (low == 16)
        return 0;
    *meaning = (char)(high * 16 + low);
    return 3;
}
