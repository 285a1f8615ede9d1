/* SPDX-License-Identifier: BSD-2-Clause */
/* Words on the console; and functions of text and memory, four of which compilers call. */
#include "kernel.h"

#include <stdarg.h>

static void put_text(const char *text)
{
    while (*text)
        machine_put(*text++);
}

static void put_number(unsigned long number, unsigned base)
{
    char digits[20];
    unsigned n = 0;
    do
        digits[n++] = "0123456789abcdef"[number % base];
    while ((number /= base) != 0);
    while (n > 0)
        machine_put(digits[--n]);
}

static void put_signed(int number)
{
    if (number < 0)
        machine_put('-');
    put_number(number < 0 ? -(unsigned long)number : (unsigned long)number, 10);
}

static void vprint(const char *format, va_list list)
{
    for (; *format; format++) {
        if (*format != '%') {
            machine_put(*format);
            continue;
        }
        switch (*++format) {
        case 's':
            put_text(va_arg(list, const char *));
            break;
        case 'c':
            machine_put((char)va_arg(list, int));
            break;
        case 'd':
            put_signed(va_arg(list, int));
            break;
        case 'u':
            put_number(va_arg(list, unsigned), 10);
            break;
        case 'l': /* lx */
            format++;
            put_number(va_arg(list, unsigned long), 16);
            break;
        }
    }
}

void print(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    vprint(format, list);
    va_end(list);
}

void panic(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    put_text("panic: ");
    vprint(format, list);
    va_end(list);
    machine_off();
}

void *memcpy(void *restrict to, const void *restrict from, size_t n)
{
    for (size_t i = 0; i < n; i++)
        ((unsigned char *)to)[i] = ((const unsigned char *)from)[i];
    return to;
}

void *memmove(void *to, const void *from, size_t n)
{
    if ((uintptr_t)to <= (uintptr_t)from)
        return memcpy(to, from, n);
    while (n-- > 0)
        ((unsigned char *)to)[n] = ((const unsigned char *)from)[n];
    return to;
}

void *memset(void *to, int byte, size_t n)
{
    for (size_t i = 0; i < n; i++)
        ((unsigned char *)to)[i] = (unsigned char)byte;
    return to;
}

int memcmp(const void *a, const void *b, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        int difference = ((const unsigned char *)a)[i] - ((const unsigned char *)b)[i];
        if (difference != 0)
            return difference;
    }
    return 0;
}

int same(const char *a, const char *b)
{
    while (*a && *a == *b)
        a++, b++;
    return *a == *b;
}
