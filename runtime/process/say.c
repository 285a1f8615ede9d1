/* SPDX-License-Identifier: BSD-2-Clause */
/* See say.h. One write(), so that lines of several threads and processes stay whole. */
#include "say.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

void say(const char *format, ...)
{
    char line[768];
    int n = snprintf(line, sizeof line, "libsdt " SDT_VERSION ": ");
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line + n, sizeof line - (size_t)n - 1, format, arguments);
    va_end(arguments);
    size_t length = strlen(line);
    for (size_t i = 0; i < length; i++)
        if ((unsigned char)line[i] < ' ' || line[i] == 0x7f)
            line[i] = '?';
    line[length++] = '\n';
    if (write(STDERR_FILENO, line, length) < 0)
        return; /* there is no other place to report it */
}
