/* SPDX-License-Identifier: BSD-2-Clause */
/* See record_options.h. */
#include "record_options.h"

#include <string.h>

static bool parse_size(const char *text, size_t length, size_t *size)
{
    size_t n = 0, i = 0;
    for (; i < length && text[i] >= '0' && text[i] <= '9' && n < (size_t)1 << 40; i++)
        n = n * 10 + (size_t)(text[i] - '0');
    bool has_digits = i > 0;
    if (i < length && (text[i] == 'K' || text[i] == 'M'))
        n <<= text[i++] == 'K' ? 10 : 20;
    *size = n;
    return has_digits && i == length;
}

/* Whether the LENGTH bytes at TEXT begin with NAME; then *REST is how much follows. */
static bool begins(const char *text, size_t length, const char *name, size_t *rest)
{
    size_t n = strlen(name);
    *rest = length - n;
    return length >= n && memcmp(text, name, n) == 0;
}

static bool parse_one(const char *text, size_t length, struct sdt_record_options *options)
{
    size_t rest, size;
    if (begins(text, length, "flight", &rest) && rest == 0) {
        options->flags |= SDT_RECORD_FLIGHT;
        return true;
    }
    if (begins(text, length, "thread", &rest) && rest == 0) {
        options->flags |= SDT_RECORD_THREAD;
        return true;
    }
    if (begins(text, length, "context", &rest) && rest == 0) {
        options->flags |= SDT_RECORD_CONTEXT;
        return true;
    }
    if (begins(text, length, "ring=", &rest) && parse_size(text + 5, rest, &options->ring_size))
        return true;
    if (begins(text, length, "packet=", &rest) && parse_size(text + 7, rest, &options->packet_size))
        return true;
    if (begins(text, length, "stack=", &rest) && parse_size(text + 6, rest, &size)) {
        options->stack = size < UINT32_MAX ? (unsigned)size : UINT32_MAX;
        return true;
    }
    if (!begins(text, length, "text=", &rest) || !parse_size(text + 5, rest, &size))
        return false;
    options->text_size = size < UINT32_MAX ? (unsigned)size : UINT32_MAX;
    return true;
}

bool record_options_parse(const char *text, struct sdt_record_options *options)
{
    *options = (struct sdt_record_options){.size = sizeof *options};
    while (text && *text) {
        static const char describe[] = "describe=";
        if (strncmp(text, describe, sizeof describe - 1) == 0) {
            options->describe = text + sizeof describe - 1;
            return *options->describe != '\0';
        }
        size_t length = strcspn(text, ",");
        if (length && !parse_one(text, length, options))
            return false;
        text += length + (text[length] == ',');
    }
    return true;
}
