/* SPDX-License-Identifier: BSD-2-Clause */
#include "slice.h"

#include <string.h>

struct slice slice_of(const char *text)
{
    return (struct slice){text, strnlen(text, MAX_NAME_BYTES)};
}

int slice_compare(struct slice a, struct slice b)
{
    size_t common = a.length < b.length ? a.length : b.length;
    int order = common ? memcmp(a.text, b.text, common) : 0;
    return order ? order : (a.length > b.length) - (a.length < b.length);
}
