/* SPDX-License-Identifier: BSD-2-Clause */
/* See offsets.h. */
#include "offsets.h"

#include "base/memory.h"

#include <stdlib.h>

void offsets_start(struct offsets *offsets, size_t count)
{
    *offsets = (struct offsets){count, memory_zeroed(count * count, sizeof *offsets->most)};
    for (size_t i = 0; i < count * count; i++)
        offsets->most[i] = i % (count + 1) ? OFFSET_UNKNOWN : 0;
}

void offsets_free(struct offsets *offsets)
{
    free(offsets->most);
    *offsets = (struct offsets){0};
}

static int64_t *most_of(const struct offsets *offsets, size_t a, size_t b)
{
    return &offsets->most[a * offsets->count + b];
}

void offsets_limit(struct offsets *offsets, size_t a, size_t b, int64_t ns)
{
    int64_t *most = most_of(offsets, a, b);
    *most = ns < *most ? ns : *most;
}

/* Limits are differences of times since 1970: sums of some do not overflow. */
static void relax(const struct offsets *offsets, size_t by)
{
    for (size_t a = 0; a < offsets->count; a++) {
        int64_t first = *most_of(offsets, a, by);
        for (size_t b = 0; b < offsets->count && first != OFFSET_UNKNOWN; b++) {
            int64_t second = *most_of(offsets, by, b), *most = most_of(offsets, a, b), sum;
            if (second != OFFSET_UNKNOWN && !__builtin_add_overflow(first, second, &sum) &&
                sum < *most)
                *most = sum;
        }
    }
}

static bool close_all(const struct offsets *offsets, size_t *where)
{
    for (size_t by = 0; by < offsets->count; by++) {
        relax(offsets, by);
        for (size_t a = 0; a < offsets->count; a++)
            if (*most_of(offsets, a, a) < 0) {
                *where = a;
                return false;
            }
    }
    return true;
}

static struct offset limits_of(const struct offsets *offsets, size_t i)
{
    return (struct offset){.low = *most_of(offsets, i, 0) == OFFSET_UNKNOWN
                                      ? -OFFSET_UNKNOWN
                                      : -*most_of(offsets, i, 0),
                           .high = *most_of(offsets, 0, i)};
}

static bool is_bounded(const struct offset *offset)
{
    return offset->low != -OFFSET_UNKNOWN && offset->high != OFFSET_UNKNOWN;
}

/* The middle; where one limit is missing, as little as the other one allows. */
static int64_t choose(struct offset limits)
{
    if (is_bounded(&limits))
        return limits.low + (limits.high - limits.low) / 2;
    if (limits.low != -OFFSET_UNKNOWN && limits.low > 0)
        return limits.low;
    if (limits.high < 0)
        return limits.high;
    return 0;
}

static void fix(const struct offsets *offsets, size_t i, int64_t ahead)
{
    *most_of(offsets, 0, i) = ahead;
    *most_of(offsets, i, 0) = -ahead;
    relax(offsets, i);
    relax(offsets, 0);
}

/* The one not FIXED that is known best; those without both limits come last. */
static size_t find_best(const struct offsets *offsets, const bool *fixed)
{
    size_t best = offsets->count;
    int64_t least = OFFSET_UNKNOWN;
    for (size_t i = 0; i < offsets->count; i++) {
        struct offset limits = limits_of(offsets, i);
        int64_t width = is_bounded(&limits) ? limits.high - limits.low : OFFSET_UNKNOWN;
        if (!fixed[i] && (best == offsets->count || width < least)) {
            best = i;
            least = width;
        }
    }
    return best;
}

/* No message says anything of it. */
static bool is_alone(const struct offsets *offsets, size_t i)
{
    for (size_t k = 0; k < offsets->count; k++)
        if (k != i && (*most_of(offsets, i, k) != OFFSET_UNKNOWN ||
                       *most_of(offsets, k, i) != OFFSET_UNKNOWN))
            return false;
    return true;
}

bool offsets_solve(struct offsets *offsets, struct offset *found, size_t *where)
{
    if (!close_all(offsets, where))
        return false;
    bool *fixed = memory_zeroed(offsets->count, sizeof *fixed);
    for (size_t i = 0; i < offsets->count; i++)
        found[i] = limits_of(offsets, i);
    for (size_t n = 0; n < offsets->count; n++) {
        size_t i = n ? find_best(offsets, fixed) : 0;
        found[i].ahead = choose(limits_of(offsets, i));
        if (!is_alone(offsets, i))
            fix(offsets, i, found[i].ahead);
        fixed[i] = true;
    }
    free(fixed);
    return true;
}
