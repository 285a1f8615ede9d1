/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The tokens that our small languages share: conditions, expressions and descriptions have the same
 * names, numbers and escapes. Pure functions, of the runtime and of the tools; they need no locale.
 */
#ifndef SDT_WORDS_H
#define SDT_WORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

static inline bool word_is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static inline bool word_is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* The value of a hexadecimal digit; 16: it is none. */
unsigned word_digit(char c);

/* How long the name at TEXT is: letters, digits and _, no digit first. 0: there is none. */
size_t word_name(const char *text);

/* The number at TEXT, decimal, hexadecimal after 0x, or floating; or a time, such as 10ms or 1.5s:
 * its nanoseconds, to the nearest. How long it is; 0: it is none that fits 64 bits, or letters
 * follow. */
struct word_number {
    bool is_real, is_time;
    uint64_t integer;
    double real;
};
size_t word_number(const char *text, struct word_number *number);

/* The unit at TEXT, ns, us, ms or s, and how many nanoseconds it is. How long it is; 0: none. */
size_t word_unit(const char *text, uint32_t *ns);

/* The time at TEXT, in which blanks may stand before the unit. How long it is; 0: it is none. */
size_t word_time(const char *text, uint64_t *ns);

/* The character that is meant by what stands at TEXT, after a backslash: \" \\ \n \t \r \xNN. How
 * long that is; 0: there is no such escape. */
size_t word_escape(const char *text, char *meaning);

#endif
