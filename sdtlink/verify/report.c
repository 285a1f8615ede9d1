/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * One defect, one line, all of it on standard output, so that `sdtlink verify X | grep probe` works
 * and the exit status stays the only thing a script must check.
 */
#include "report.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A file whose every site is wrong need not fill the terminal, nor one whose names have no end. */
enum { MAX_LINES = 200, MAX_TEXT = 8192, BUFFERS = 4 };

const char *report_place(const struct image *image, struct place place)
{
    static char buffers[BUFFERS][256];
    static unsigned next;
    char *buffer = buffers[next++ % BUFFERS];
    const char *name =
        place.section < image->nsections ? image->sections[place.section].name : "(no section)";
    snprintf(buffer, sizeof buffers[0], "%.200s+0x%" PRIx64, name, place.offset);
    return buffer;
}

/* Names come from the file and may hold anything, including terminal escapes. */
static void print_escaped(FILE *out, const char *format, va_list arguments)
{
    char *text;
    if (vasprintf(&text, format, arguments) < 0)
        return;
    size_t length = strnlen(text, MAX_TEXT);
    for (size_t i = 0; i < length; i++)
        fprintf(out, text[i] >= 0x20 && text[i] < 0x7f ? "%c" : "\\x%02x", (unsigned char)text[i]);
    if (text[length])
        fputs("...", out);
    free(text);
}

/*
 * The length of the character that TEXT begins with: valid UTF-8, and nothing that a terminal obeys
 * (controls, directions of writing); 0: any other byte.
 */
static size_t harmless(const unsigned char *text)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    size_t length = text[0] < 0x80 ? 1 : text[0] < 0xe0 ? 2 : text[0] < 0xf0 ? 3 : 4;
    uint32_t code = length == 1 ? text[0] : text[0] & (0x7fu >> length);
    if ((text[0] >= 0x80 && text[0] < 0xc0) || text[0] >= 0xf8)
        return 0;
    for (size_t i = 1; i < length; i++) { /* stops at the terminating byte */
        if ((text[i] & 0xc0) != 0x80)
            return 0;
        code = code << 6 | (text[i] & 0x3f);
    }
    bool is_control = code < 0x20 || (code >= 0x7f && code < 0xa0);
    bool is_direction = (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
    bool is_wrong = code < least[length] || code > 0x10ffff || (code >> 11) == 0x1b;
    return is_control || is_direction || is_wrong ? 0 : length;
}

void report_path(FILE *out, const char *path)
{
    for (const unsigned char *at = (const unsigned char *)path; *at;) {
        size_t length = harmless(at);
        if (length)
            fwrite(at, 1, length, out);
        else
            fprintf(out, "\\x%02x", *at);
        at += length ? length : 1;
    }
}

__attribute__((format(printf, 2, 3))) static void print(FILE *out, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    print_escaped(out, format, arguments);
    va_end(arguments);
}

/* Start the line of a defect. False: enough was said about this file. */
static bool begin(struct image *image, struct place place, const char *probe)
{
    image->defects++;
    if (image->defects > MAX_LINES)
        return false;
    report_path(stdout, image->path);
    print(stdout, ": %s", report_place(image, place));
    const struct symbol *function = image_function(image, place);
    if (function)
        print(stdout, " (%s+0x%" PRIx64 ")", function->name, place.offset - function->value);
    print(stdout, ": %s%s", probe ? probe : "", probe ? ": " : "");
    return true;
}

void report_defect(struct image *image, struct place place, const char *probe, const char *format,
                   ...)
{
    va_list arguments;
    if (!begin(image, place, probe))
        return;
    va_start(arguments, format);
    print_escaped(stdout, format, arguments);
    va_end(arguments);
    putchar('\n');
}

void report_bytes(struct image *image, struct place place, uint64_t count, const char *probe,
                  const char *format, ...)
{
    va_list arguments;
    uint64_t available = 0;
    const uint8_t *bytes = image_bytes(image, place, &available);
    if (!begin(image, place, probe))
        return;
    va_start(arguments, format);
    print_escaped(stdout, format, arguments);
    va_end(arguments);
    printf(", found");
    for (uint64_t i = 0; bytes && i < count && i < available; i++)
        printf(" %02x", bytes[i]);
    putchar('\n');
}

int report_failure(const struct image *image, const char *format, ...)
{
    va_list arguments;
    fflush(stdout);
    fputs("sdtlink verify: ", stderr);
    report_path(stderr, image->path);
    fputs(": ", stderr);
    va_start(arguments, format);
    print_escaped(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    return -1;
}
