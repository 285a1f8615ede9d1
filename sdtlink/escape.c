/* SPDX-License-Identifier: BSD-2-Clause */
#include "escape.h"

#include <stdint.h>

void escape_append(struct bytes *to, struct slice text)
{
    for (size_t i = 0; i < text.length; i++) {
        unsigned char c = (unsigned char)text.text[i];
        char piece[sizeof "\\xff"];
        bool is_plain = c >= 0x20 && c < 0x7f;
        int length = snprintf(piece, sizeof piece, is_plain ? "%c" : "\\x%02x", c);
        bytes_append(to, piece, (size_t)length);
    }
}

void escape_print(FILE *out, struct slice text)
{
    struct bytes escaped = {0};
    escape_append(&escaped, text);
    if (escaped.size)
        fwrite(escaped.data, 1, escaped.size, out);
    bytes_free(&escaped);
}

/*
 * The length of the character at C, of which LEFT bytes exist, and its number; 0: it is not UTF-8
 * (cut off, longer than needed, half of a surrogate pair, or beyond Unicode).
 */
static size_t decode(const unsigned char *c, size_t left, uint32_t *code)
{
    static const uint32_t least[] = {[1] = 0, [2] = 0x80, [3] = 0x800, [4] = 0x10000};
    size_t length = c[0] < 0x80 ? 1 : c[0] < 0xe0 ? 2 : c[0] < 0xf0 ? 3 : 4;
    if ((c[0] >= 0x80 && c[0] < 0xc0) || c[0] >= 0xf8 || length > left)
        return 0;
    *code = length == 1 ? c[0] : c[0] & (0x7fu >> length);
    for (size_t i = 1; i < length; i++) {
        if ((c[i] & 0xc0) != 0x80)
            return 0;
        *code = *code << 6 | (c[i] & 0x3f);
    }
    bool is_surrogate = *code >= 0xd800 && *code < 0xe000;
    return *code < least[length] || *code > 0x10ffff || is_surrogate ? 0 : length;
}

void escape_print_json(FILE *out, struct slice text)
{
    fputc('"', out);
    for (size_t i = 0; i < text.length;) {
        uint32_t code;
        size_t length = decode((const unsigned char *)text.text + i, text.length - i, &code);
        if (length == 0)
            fputs("\\ufffd", out);
        else if (code == '"' || code == '\\')
            fprintf(out, "\\%c", (char)code);
        else if (code < 0x20 || (code >= 0x7f && code < 0xa0)) /* terminals obey these */
            fprintf(out, "\\u%04x", code);
        else
            fwrite(text.text + i, 1, length, out);
        i += length ? length : 1;
    }
    fputc('"', out);
}
