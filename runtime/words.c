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

size_t word_number(const char *text, struct word_number *number)
{
    char *end, *real_end;
    bool is_hex = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
    errno = 0;
    number->integer = strtoull(text, &end, is_hex ? 16 : 10);
    bool is_too_big = errno == ERANGE;
    number->real = strtod(text, &real_end);
    number->is_real = !is_hex && real_end > end;
    const char *stop = number->is_real ? real_end : end;
    bool is_wrong =
        word_is_letter(*stop) || word_is_digit(*stop) || (!number->is_real && is_too_big);
    return is_wrong ? 0 : (size_t)(stop - text);
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
