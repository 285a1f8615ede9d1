/* SPDX-License-Identifier: BSD-2-Clause */
#include "args.h"

size_t list_argument_length(const char *text, size_t length)
{
    int depth = 0;
    for (size_t i = 0; i < length; i++) {
        if (text[i] == '[' || text[i] == '(')
            depth++;
        else if (depth && (text[i] == ']' || text[i] == ')'))
            depth--;
        else if (depth == 0 && (text[i] == ' ' || text[i] == '\t'))
            return i;
    }
    return length;
}
