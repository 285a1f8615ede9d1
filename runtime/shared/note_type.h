/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The type of an argument in a note of <sys/sdt.h>: `N@`, `-N@` or `Nf@` before its operand. The
 * tool reads notes of objects (probes/stapsdt_args.c), the runtime those of stock binaries
 * (stock/operands.c).
 */
#ifndef SDT_NOTE_TYPE_H
#define SDT_NOTE_TYPE_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* The characters of the type before an '@' at PIECE; 0 if it has none. */
static inline size_t note_type_length(const char *piece, size_t length)
{
    const char *at = memchr(piece, '@', length);
    size_t i = 0;
    if (!at)
        return 0;
    i += piece[0] == '-';
    while (piece[i] >= '0' && piece[i] <= '9')
        i++;
    i += piece[i] == 'f';
    return piece + i == at ? i : 0;
}

/* Whether these LENGTH characters are the type of an argument that a
 * record can describe. */
static inline bool is_note_type(const char *type, size_t length)
{
    bool is_signed = length && type[0] == '-', is_float = length && type[length - 1] == 'f';
    if (length != 1u + is_signed + is_float || (is_signed && is_float))
        return false;
    char size = type[is_signed];
    return is_float ? size == '4' || size == '8' : size && strchr("1248", size);
}

#endif
