/* SPDX-License-Identifier: BSD-2-Clause */
#include "text.h"

#include <stdarg.h>
#include <stdio.h>

void text_add(struct bytes *text, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    if (length <= 0)
        return;
    size_t start = bytes_append(text, NULL, (size_t)length + 1);
    va_start(arguments, format);
    vsnprintf((char *)text->data + start, (size_t)length + 1, format, arguments);
    va_end(arguments);
    text->size--;
}
