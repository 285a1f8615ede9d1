/* SPDX-License-Identifier: BSD-2-Clause */
#include "needles.h"

#include <stdbool.h>
#include <string.h>

typedef uint8_t block __attribute__((vector_size(16)));

/* Two bytes that may be side by side, each as often as a block has room for it. */
struct pair {
    block first, second;
};

static struct pair pair_of(const char *part)
{
    return (struct pair){(block){0} + (uint8_t)part[0], (block){0} + (uint8_t)part[1]};
}

/* At which of the first places is a pair? */
static block hits(const uint8_t *bytes, const struct pair pairs[2])
{
    block here, next;
    memcpy(&here, bytes, sizeof here);
    memcpy(&next, bytes + 1, sizeof next);
    return ((block)(here == pairs[0].first) & (block)(next == pairs[0].second)) |
           ((block)(here == pairs[1].first) & (block)(next == pairs[1].second));
}

enum { STEP = 4 * sizeof(block) };

/* Does a pair begin in the STEP bytes at BYTES, which one more follows? */
static bool has_pair(const uint8_t *bytes, const struct pair pairs[2])
{
    block any = hits(bytes, pairs) | hits(bytes + sizeof any, pairs) |
                hits(bytes + 2 * sizeof any, pairs) | hits(bytes + 3 * sizeof any, pairs);
    uint64_t halves[2];
    memcpy(halves, &any, sizeof halves);
    return halves[0] | halves[1];
}

unsigned needles_find(const uint8_t *strings, uint64_t size, const char *const needles[2])
{
    enum { LONGEST = 16 };
    const struct pair pairs[2] = {pair_of(needles[0]), pair_of(needles[1])};
    unsigned found = 0;
    for (uint64_t at = 0; at < size; at += STEP) {
        uint64_t left = size - at;
        if (left > STEP && !has_pair(strings + at, pairs))
            continue;
        for (unsigned i = 0; i < 2; i++)
            if (memmem(strings + at, left < STEP + LONGEST ? left : STEP + LONGEST, needles[i],
                       strlen(needles[i])))
                found |= 1U << i;
    }
    return found;
}
