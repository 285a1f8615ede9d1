/* SPDX-License-Identifier: BSD-2-Clause */
/* See json.h. */
#include "json.h"

#include "escape.h"
#include "text.h"

/* Not after an opening bracket, a key (": "), or the beginning of a line. */
static bool needs_comma(const struct bytes *to)
{
    return to->size && !strchr("{[ \n", to->data[to->size - 1]);
}

void json_key(struct bytes *to, const char *key)
{
    if (needs_comma(to))
        text_append(to, ", ");
    if (!key)
        return;
    json_quote(to, slice_of(key));
    text_append(to, ": ");
}

void json_open(struct bytes *to, const char *key, char bracket)
{
    json_key(to, key);
    text_char(to, bracket);
}

void json_close(struct bytes *to, char bracket)
{
    text_char(to, bracket);
}

void json_slice(struct bytes *to, const char *key, struct slice text)
{
    json_key(to, key);
    json_quote(to, text);
}

void json_string(struct bytes *to, const char *key, const char *text)
{
    if (text)
        json_slice(to, key, slice_of(text));
    else
        json_null(to, key);
}

void json_natural(struct bytes *to, const char *key, uint64_t number)
{
    json_key(to, key);
    text_natural(to, number);
}

void json_integer(struct bytes *to, const char *key, int64_t number)
{
    json_key(to, key);
    text_integer(to, number);
}

void json_null(struct bytes *to, const char *key)
{
    json_key(to, key);
    text_append(to, "null");
}

void json_line(struct bytes *to, const char *indent)
{
    text_append(to, needs_comma(to) ? ",\n" : "\n");
    text_append(to, indent);
}

static void quote_character(struct bytes *to, const char *text, size_t length, uint32_t code)
{
    char escape[sizeof "\\u202e"];
    if (length == 0)
        text_append(to, "\\ufffd");
    else if (code == '"' || code == '\\') {
        text_char(to, '\\');
        text_char(to, (char)code);
    } else if (escape_is_control(code)) {
        snprintf(escape, sizeof escape, "\\u%04x", code & 0xffff);
        text_append(to, escape);
    } else
        bytes_append(to, text, length);
}

void json_quote(struct bytes *to, struct slice text)
{
    text_char(to, '"');
    for (size_t i = 0; i < text.length;) {
        uint32_t code = 0;
        size_t length = escape_plain_length(text.text + i, text.length - i);
        if (length)
            bytes_append(to, text.text + i, length);
        else {
            length = escape_decode(text.text + i, text.length - i, &code);
            quote_character(to, text.text + i, length, code);
        }
        i += length ? length : 1;
    }
    text_char(to, '"');
}

void json_flush(struct bytes *to)
{
    if (to->size < 2)
        return;
    fwrite(to->data, 1, to->size - 1, stdout);
    to->data[0] = to->data[to->size - 1];
    to->size = 1;
}

void json_finish(struct bytes *to)
{
    if (to->size)
        fwrite(to->data, 1, to->size, stdout);
    bytes_free(to);
}
