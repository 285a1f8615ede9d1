/* SPDX-License-Identifier: BSD-2-Clause */
#include "text.h"

#include "base/demangle.h"
#include "base/escape.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { BILLION = 1000000000 };

void text_name(struct bytes *to, const char *name)
{
    for (; *name; name++) {
        bool is_hyphen = name[0] == '_' && name[1] == '_';
        text_char(to, is_hyphen ? '-' : *name);
        name += is_hyphen;
    }
}

void text_real(struct bytes *to, double number)
{
    char buffer[40];
    if (fabs(number) < 1e15 && number == (double)(int64_t)number &&
        (number != 0 || !signbit(number))) {
        text_integer(to, (int64_t)number);
        return;
    }
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(buffer, sizeof buffer, "%.*g", digits, number);
        if (strtod(buffer, NULL) == number)
            break;
    }
    text_append(to, isnan(number) ? "nan" : buffer);
}

void text_pad(struct bytes *to, size_t start, size_t width)
{
    while (to->size - start < width)
        text_char(to, ' ');
}

static void append_escape(struct bytes *to, const char *character, size_t length)
{
    static const char letters[] = "\"\"\\\\\nn\tt\rr";
    for (const char *known = letters; *known && length == 1; known += 2)
        if (*known == *character) {
            text_char(to, '\\');
            text_char(to, known[1]);
            return;
        }
    for (size_t i = 0; i < length; i++) {
        text_append(to, "\\x");
        text_hex_digits(to, (unsigned char)character[i], 2);
    }
}

void text_escaped(struct bytes *to, struct slice text)
{
    for (size_t i = 0; i < text.length;) {
        uint32_t code;
        size_t length = escape_plain_length(text.text + i, text.length - i);
        if (length) {
            bytes_append(to, text.text + i, length);
            i += length;
            continue;
        }
        length = escape_decode(text.text + i, text.length - i, &code);
        if (length < 2 || escape_is_control(code))
            append_escape(to, text.text + i, length ? length : 1);
        else
            bytes_append(to, text.text + i, length);
        i += length ? length : 1;
    }
}

void text_function(struct bytes *to, const char *symbol)
{
    char *name = demangle(symbol);
    text_escaped(to, slice_of(name ? name : symbol));
    free(name);
}

/* How many bytes of NAME there are before the types of its parameters: `f(int (*)(long)) const`. */
static size_t length_alone(const char *name)
{
    const char *end = strrchr(name, ')');
    size_t depth = 0;
    for (const char *at = end; at && at > name; at--) {
        depth += *at == ')';
        depth -= *at == '(';
        if (depth == 0)
            return (size_t)(at - name);
    }
    return strlen(name);
}

void text_frame(struct bytes *to, const char *symbol)
{
    size_t start = to->size;
    text_function(to, symbol);
    for (size_t i = start; i < to->size; i++)
        to->data[i] = to->data[i] == ';' ? ':' : to->data[i];
}

void text_function_alone(struct bytes *to, const char *symbol)
{
    char *name = demangle(symbol);
    text_escaped(to, name ? (struct slice){name, length_alone(name)} : slice_of(symbol));
    free(name);
}

/* The calendar is asked once a second. */
void text_time(struct bytes *to, int64_t time)
{
    static time_t known = -1;
    static char date[sizeof "-2147481748-11-22 14:03:07"];
    time_t seconds = time / BILLION;
    if (seconds != known) {
        struct tm tm;
        if (!localtime_r(&seconds, &tm) || !strftime(date, sizeof date, "%Y-%m-%d %H:%M:%S", &tm))
            snprintf(date, sizeof date, "?");
        known = seconds;
    }
    text_append(to, date);
    text_char(to, '.');
    text_zeros(to, (uint64_t)(time % BILLION), 9);
}

void text_duration(struct bytes *to, int64_t ns)
{
    uint64_t amount = ns < 0 ? -(uint64_t)ns : (uint64_t)ns;
    if (ns < 0)
        text_char(to, '-');
    text_natural(to, amount / BILLION);
    text_char(to, '.');
    text_zeros(to, amount % BILLION, 9);
}

void text_latency(struct bytes *to, double ns)
{
    static const char *const units[] = {" ns", " us", " ms", " s"};
    char text[64];
    unsigned unit = 0;
    while (unit < 3 && fabs(ns) >= 1000) {
        ns /= 1000;
        unit++;
    }
    int digits = !unit || fabs(ns) >= 100 ? 0 : fabs(ns) < 10 ? 2 : 1;
    snprintf(text, sizeof text, "%.*f", digits, ns);
    text_append(to, text);
    text_append(to, units[unit]);
}
