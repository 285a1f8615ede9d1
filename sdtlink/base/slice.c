/* SPDX-License-Identifier: BSD-2-Clause */
#include "slice.h"

#include <string.h>

struct slice slice_of(const char *text)
{
    return (struct slice){text, strnlen(text, MAX_NAME_BYTES)};
}

bool slice_is(struct slice slice, const char *text)
{
    /* An empty slice may have no address, which memcmp does not allow even for no bytes. */
    return strlen(text) == slice.length &&
           (slice.length == 0 || memcmp(slice.text, text, slice.length) == 0);
}

int slice_compare(struct slice a, struct slice b)
{
    size_t common = a.length < b.length ? a.length : b.length;
    int order = common ? memcmp(a.text, b.text, common) : 0;
    return order ? order : (a.length > b.length) - (a.length < b.length);
}
