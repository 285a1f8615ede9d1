/* SPDX-License-Identifier: BSD-2-Clause */
#include "escape_append.h"

#include "escape.h"

void escape_append(struct bytes *to, struct slice text)
{
    char piece[ESCAPE_SIZE];
    for (size_t i = 0; i < text.length; i++)
        bytes_append(to, piece, escape_byte(piece, text.text[i]));
}
