/* SPDX-License-Identifier: BSD-2-Clause */
/* A piece of a string that lies elsewhere: names are used where they were read from. */
#ifndef SDT_SLICE_H
#define SDT_SLICE_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

struct slice {
    const char *text;
    size_t length;
};

static inline bool slice_is(struct slice slice, const char *text)
{
    /* An empty slice may have no address, which memcmp does not allow even for no bytes. */
    return strlen(text) == slice.length &&
           (slice.length == 0 || memcmp(slice.text, text, slice.length) == 0);
}

#endif
