/* SPDX-License-Identifier: BSD-2-Clause */
#include "diag.h"

#include "escape.h"

#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static enum diag_level level = DIAG_NORMAL;
static const char *program = "sdtlink";
static _Thread_local const char *context;
static _Thread_local bool is_muted;

void diag_set_program(const char *name)
{
    program = name;
}

const char *diag_program(void)
{
    return program;
}

void diag_set_level(enum diag_level wanted)
{
    level = wanted;
}

bool diag_is_verbose(void)
{
    return level == DIAG_VERBOSE;
}

void diag_set_context(const char *text, bool muted)
{
    context = text;
    is_muted = muted;
}

bool diag_is_muted(void)
{
    return is_muted;
}

/* See no-color.org: the variable counts when it is set and not empty. */
bool diag_has_colour(void)
{
    const char *no_color = getenv("NO_COLOR");
    return isatty(STDERR_FILENO) && !(no_color && *no_color);
}

static void begin(const char *word, const char *colour)
{
    fflush(stdout);
    if (diag_has_colour())
        fprintf(stderr, "%s: \033[%sm%s:\033[0m ", program, colour, word);
    else
        fprintf(stderr, "%s: %s: ", program, word);
    if (context) {
        escape_print_text(stderr, slice_of(context));
        fputs(": ", stderr);
    }
}

static void begin_error(void)
{
    begin("error", "1;31");
}

/*
 * Nearly every message names what an input is called or says, so nothing is printed as it is.
 * Without memory_format(): if memory runs out, it says so through here.
 */
static void print_message(FILE *out, const char *format, va_list arguments)
{
    char buffer[1024], *text = buffer;
    va_list again;
    va_copy(again, arguments);
    int length = vsnprintf(buffer, sizeof buffer, format, arguments);
    if (length >= (int)sizeof buffer) {
        text = malloc((size_t)length + 1);
        if (text)
            vsnprintf(text, (size_t)length + 1, format, again);
    }
    va_end(again);
    escape_print_text(out, slice_of(text ? text : buffer)); /* cut off, if there is no memory */
    if (text != buffer)
        free(text);
}

int diag_error(const char *format, ...)
{
    va_list arguments;
    if (is_muted)
        return -1;
    begin_error();
    va_start(arguments, format);
    print_message(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    return -1;
}

int diag_errno(const char *format, ...)
{
    int error = errno;
    va_list arguments;
    if (is_muted)
        return -1;
    begin_error();
    va_start(arguments, format);
    print_message(stderr, format, arguments);
    va_end(arguments);
    fprintf(stderr, ": %s\n", strerror(error));
    return -1;
}

static void print_text(const char *text)
{
    escape_print_text(stderr, slice_of(text));
}

static void print_name(const char *before, const char *name, const char *after)
{
    fputs(before, stderr);
    escape_print(stderr, slice_of(name));
    fputs(after, stderr);
}

static void print_place(const struct diag_place *place)
{
    if (place->file) {
        print_text(place->file);
        fputs(": ", stderr);
    }
    if (place->section) {
        print_name("", place->section, "");
        fprintf(stderr, "+0x%llx", (unsigned long long)place->offset);
    }
    if (place->function)
        print_name(" (in ", place->function, ")");
    if (place->section)
        fputs(": ", stderr);
    if (place->relocation && place->symbol)
        fprintf(stderr, "%s against ", place->relocation);
    if (place->symbol)
        print_name("", place->symbol, ": ");
}

static void print_line(const char *label, const char *text)
{
    if (!text)
        return;
    fprintf(stderr, "  %-10s", label);
    print_text(text);
    fputc('\n', stderr);
}

int diag_refuse(const struct diag_place *place, const char *problem, const char *found,
                const char *expected, const char *remedy)
{
    begin_error();
    print_place(place);
    print_text(problem);
    fputc('\n', stderr);
    print_line("found:", found);
    print_line("expected:", expected);
    print_line("remedy:", remedy);
    return -1;
}

void diag_warn(const struct diag_place *place, const char *problem, const char *advice)
{
    if (is_muted)
        return;
    begin("warning", "1;35");
    print_place(place);
    print_text(problem);
    fputc('\n', stderr);
    print_line("advice:", advice);
}

void diag_summary(const char *format, ...)
{
    if (level == DIAG_QUIET)
        return;
    va_list arguments;
    va_start(arguments, format);
    print_message(stdout, format, arguments);
    va_end(arguments);
    putchar('\n');
}

void diag_detail(const char *format, ...)
{
    if (level != DIAG_VERBOSE)
        return;
    va_list arguments;
    fputs("sdtlink: ", stderr);
    va_start(arguments, format);
    print_message(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
}
