/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * One defect, one line, all of it on standard output, so that `sdtlink verify X | grep probe` works
 * and the exit status stays the only thing a script must look at.
 */
#include "report.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A file whose every site is wrong need not fill the terminal, nor one whose names have no end. */
enum { MOST_LINES = 200, MOST_TEXT = 8192, BUFFERS = 4 };

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

/* Names come from the file and may hold anything, terminal escapes too. */
static void print_escaped(FILE *out, const char *format, va_list arguments)
{
    char *text;
    if (vasprintf(&text, format, arguments) < 0)
        return;
    size_t length = strnlen(text, MOST_TEXT);
    for (size_t i = 0; i < length; i++)
        fprintf(out, text[i] >= 0x20 && text[i] < 0x7f ? "%c" : "\\x%02x", (unsigned char)text[i]);
    if (text[length])
        fputs("...", out);
    free(text);
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
    if (image->defects > MOST_LINES)
        return false;
    printf("%s: ", image->path);
    print(stdout, "%s", report_place(image, place));
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
    fprintf(stderr, "sdtlink verify: %s: ", image->path);
    va_start(arguments, format);
    print_escaped(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    return -1;
}
