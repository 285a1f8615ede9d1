/* SPDX-License-Identifier: BSD-2-Clause */
/* A set of events, by their numbers: a bit each. All zero is the empty set. */
#ifndef SDT_EVENT_SET_H
#define SDT_EVENT_SET_H

#include <stdbool.h>
#include <stdint.h>

struct event_set {
    uint8_t *bits;
    uint64_t size; /* in bytes */
};

void event_set_add(struct event_set *set, uint64_t number);
void event_set_free(struct event_set *set);

static inline bool event_set_has(const struct event_set *set, uint64_t number)
{
    return number / 8 < set->size && set->bits[number / 8] >> number % 8 & 1;
}

#endif
