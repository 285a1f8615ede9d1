/* SPDX-License-Identifier: BSD-2-Clause */
#include "escape.h"

size_t escape_byte(char piece[ESCAPE_SIZE], char c)
{
    piece[0] = c;
    if (c >= 0x20 && c < 0x7f)
        return 1;
    return (size_t)snprintf(piece, ESCAPE_SIZE, "\\x%02x", (unsigned char)c);
}

/* Without an allocation: its failure would be reported in the middle of this line. */
void escape_print(FILE *out, struct slice text)
{
    char buffer[512] = "";
    size_t used = 0;
    for (size_t i = 0; i < text.length; i++) {
        if (used + ESCAPE_SIZE > sizeof buffer) {
            fwrite(buffer, 1, used, out);
            used = 0;
        }
        used += escape_byte(buffer + used, text.text[i]);
    }
    fwrite(buffer, 1, used, out);
}

size_t escape_decode(const char *text, size_t left, uint32_t *code)
{
    const unsigned char *c = (const unsigned char *)text;
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

bool escape_is_control(uint32_t code)
{
    return code < 0x20 || (code >= 0x7f && code < 0xa0) || (code >= 0x202a && code <= 0x202e) ||
           (code >= 0x2066 && code <= 0x2069);
}

void escape_print_text(FILE *out, struct slice text)
{
    for (size_t i = 0; i < text.length;) {
        uint32_t code;
        size_t length = escape_decode(text.text + i, text.length - i, &code);
        struct slice character = {text.text + i, length ? length : 1};
        if (length == 0 || escape_is_control(code))
            for (size_t k = 0; k < character.length; k++)
                fprintf(out, "\\x%02x", (unsigned char)character.text[k]);
        else
            fwrite(character.text, 1, length, out);
        i += character.length;
    }
}

size_t escape_plain_length(const char *text, size_t length)
{
    size_t i = 0;
    while (i < length && text[i] >= 0x20 && text[i] < 0x7f && text[i] != '"' && text[i] != '\\')
        i++;
    return i;
}
