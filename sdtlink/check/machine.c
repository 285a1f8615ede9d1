/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Names of registers: what the tables of all machines need.
 *
 * Most machines number their registers, `x0` to `x30`, `r8` to `r15`, with a suffix for narrower
 * ones (`r8d`); the rest are short lists of words.
 */
#include "machine.h"

#include <string.h>

bool is_numbered(struct slice name, const char *prefix, unsigned limit, const char *suffix)
{
    size_t head = strlen(prefix), tail = strlen(suffix), at = head;
    unsigned number = 0;
    if (name.length < head + tail + 1 || memcmp(name.text, prefix, head) != 0 ||
        memcmp(name.text + name.length - tail, suffix, tail) != 0)
        return false;
    for (; at < name.length - tail; at++) {
        if (name.text[at] < '0' || name.text[at] > '9' || at - head > 2)
            return false;
        number = number * 10 + (unsigned)(name.text[at] - '0');
    }
    return number < limit;
}

bool is_one_of(struct slice name, const char *words)
{
    for (const char *at = words; *at;) {
        size_t length = strcspn(at, " ");
        if (name.length == length && memcmp(name.text, at, length) == 0)
            return true;
        at += length + (at[length] == ' ');
    }
    return false;
}
