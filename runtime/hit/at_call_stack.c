/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See argument.h: all arguments are on the stack, in words of four bytes. One of eight bytes
 * takes two words, and so does a float, which is converted to double. So the types say where each
 * one is. There are few different plans, made when they are first wanted, and kept for ever.
 */
#include "argument.h"

#include <stdlib.h>
#include <string.h>

enum { WORD = 4 };

/* Argument I, whose place is so many bytes above the first. */
#define FETCH_STACK(name, type)                                                                    \
    static uint64_t get_##name(const struct sdt_event *event, size_t index,                        \
                               const struct fetch *fetch)                                          \
    {                                                                                              \
        type value;                                                                                \
        memcpy(&value, (const char *)event->stack + fetch->place[index], sizeof value);            \
        return (uint64_t)value;                                                                    \
    }
FETCH_STACK(unsigned, uint32_t)
FETCH_STACK(signed, int32_t)
FETCH_STACK(wide, uint64_t)

static fetch_get *getter(uint8_t type)
{
    if (type & SDT_ARG_FLOAT || (type & SDT_ARG_SIZE) == sizeof(uint64_t))
        return get_wide;
    return type & SDT_ARG_SIGNED ? get_signed : get_unsigned;
}

static unsigned get_all(const struct sdt_event *event, uint64_t *to, const struct fetch *fetch)
{
    for (unsigned i = 0; i < fetch->count; i++)
        to[i] = fetch->get[i](event, i, fetch);
    return fetch->count;
}

struct plan {
    struct plan *next;
    struct fetch fetch;
};
static struct plan *plans;

static struct plan *new_plan(const struct args *args)
{
    struct plan *plan = calloc(1, sizeof *plan + args->count * sizeof(fetch_get *));
    unsigned place = 0;
    if (!plan)
        return NULL;
    plan->fetch.count = args->count;
    plan->fetch.all = get_all;
    for (unsigned i = 0; i < args->count; i++) {
        plan->fetch.get[i] = getter(args->type[i]);
        plan->fetch.place[i] = (uint8_t)place;
        place += plan->fetch.get[i] == get_wide ? 2 * WORD : WORD;
    }
    return plan;
}

/* The getters say the places as well. */
static bool is_same(const struct fetch *a, const struct fetch *b)
{
    return a->count == b->count && memcmp(a->get, b->get, a->count * sizeof(fetch_get *)) == 0;
}

const struct fetch *fetch_at_call(const struct args *args)
{
    struct plan *fresh = new_plan(args), *plan = plans;
    while (fresh && plan && !is_same(&plan->fetch, &fresh->fetch))
        plan = plan->next;
    if (!fresh || plan) {
        free(fresh);
        return fresh ? &plan->fetch : NULL;
    }
    fresh->next = plans;
    plans = fresh;
    return &fresh->fetch;
}

void at_call_start(void) {}
