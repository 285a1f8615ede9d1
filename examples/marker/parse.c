/* SPDX-License-Identifier: BSD-2-Clause */
/* Brackets on a stack. There are three markers `mismatch`: whoever asks for one gets them all. */
#include "parse.h"

#include <sdt/marker.h>
#include <string.h>

enum { DEEPEST = 64 };

int parse_balanced(const char *text)
{
    static const char opening[] = "([{", closing[] = ")]}";
    char stack[DEEPEST];
    int depth = 0;
    MARKER(begin);
    for (; *text; text++) {
        const char *open = strchr(opening, *text), *close = strchr(closing, *text);
        if (open) {
            if (depth == DEEPEST) {
                MARKER(mismatch);
                return 0;
            }
            MARKER(push);
            stack[depth++] = closing[open - opening];
        } else if (close && (depth == 0 || stack[--depth] != *text)) {
            MARKER(mismatch);
            return 0;
        }
    }
    if (depth > 0) {
        MARKER(mismatch);
        return 0;
    }
    MARKER(end);
    return 1;
}
