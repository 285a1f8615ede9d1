/* SPDX-License-Identifier: BSD-2-Clause */
/* See environment.h. */
#include "environment.h"

#include "base/diag.h"
#include "base/now.h"
#include "base/slice.h"
#include "base/text.h"

#include <errno.h>
#include <stdlib.h>

static const char timeout_name[] = "OTEL_EXPORTER_OTLP_TIMEOUT";
static const char headers_name[] = "OTEL_EXPORTER_OTLP_HEADERS";

enum { DEFAULT_TIMEOUT = 10000, MAX_TIMEOUT = 1000 * 1000 * 1000 }; /* ms */

int64_t otlp_patience(void)
{
    const char *text = getenv(timeout_name);
    char *end;
    if (!text || !*text)
        return DEFAULT_TIMEOUT * (SECOND / 1000);
    errno = 0;
    unsigned long number = strtoul(text, &end, 10);
    if (errno || *end || *text < '0' || *text > '9' || !number || number > MAX_TIMEOUT)
        return diag_error("%s=%s: a number of milliseconds, up to %d", timeout_name, text,
                          MAX_TIMEOUT);
    return (int64_t)number * (SECOND / 1000);
}

static struct slice trimmed(const char *text, size_t length)
{
    for (; length && (*text == ' ' || *text == '\t'); length--)
        text++;
    while (length && (text[length - 1] == ' ' || text[length - 1] == '\t'))
        length--;
    return (struct slice){text, length};
}

/* Append VALUE to LINE without its %XX; false: a header cannot have that. */
static bool append_decoded(struct bytes *line, struct slice value)
{
    for (size_t i = 0; i < value.length; i++) {
        char c = value.text[i];
        if (c == '%') {
            int high = i + 2 < value.length ? hex_digit(value.text[i + 1]) : -1;
            int low = high >= 0 ? hex_digit(value.text[i + 2]) : -1;
            if (low < 0)
                return false;
            c = (char)(high << 4 | low);
            i += 2;
        }
        if ((unsigned char)c < ' ' || c == 0x7f)
            return false;
        text_char(line, c);
    }
    return true;
}

static bool is_name(struct slice name)
{
    static const char others[] = "!#$%&'*+-.^_`|~0123456789"
                                 "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    for (size_t i = 0; i < name.length; i++)
        if (!strchr(others, name.text[i]))
            return false;
    return name.length;
}

static bool make_line(struct bytes *line, const char *text, size_t length)
{
    const char *equals = memchr(text, '=', length);
    if (!equals)
        return false;
    struct slice name = trimmed(text, (size_t)(equals - text));
    struct slice value = trimmed(equals + 1, length - (size_t)(equals + 1 - text));
    if (!is_name(name))
        return false;
    bytes_append(line, name.text, name.length);
    text_append(line, ": ");
    return append_decoded(line, value);
}

int otlp_headers(void (*add)(void *data, const char *line), void *data)
{
    const char *text = getenv(headers_name);
    while (text && *text) {
        size_t length = strcspn(text, ",");
        struct bytes line = {0};
        bool is_right = make_line(&line, text, length);
        char *taken = bytes_take_text(&line);
        if (is_right)
            add(data, taken);
        free(taken);
        if (!is_right) /* its value may be a secret */
            return diag_error("%s: NAME=VALUE,NAME=VALUE, with commas and the like in "
                              "values as in URLs",
                              headers_name);
        text += length + (text[length] == ',');
    }
    return 0;
}
