/* SPDX-License-Identifier: BSD-2-Clause */
/* See argument.h: every argument is a word of 64 bits, extended by the caller, and the first ones
 * are in registers. So their number alone says how they are fetched. */
#include "argument.h"

static uint64_t get_word(const struct sdt_event *event, size_t index, const struct fetch *fetch)
{
    (void)fetch;
    return event->words[index];
}

static uint64_t get_stack(const struct sdt_event *event, size_t index, const struct fetch *fetch)
{
    const uint64_t *stack = event->stack;
    (void)fetch;
    return stack[index - REGISTER_WORDS];
}

static unsigned all_words(const struct sdt_event *event, uint64_t *to, const struct fetch *fetch)
{
    unsigned count = fetch->count, in_registers = count < REGISTER_WORDS ? count : REGISTER_WORDS;
    const uint64_t *stack = event->stack;
    for (unsigned i = 0; i < in_registers; i++)
        to[i] = event->words[i];
    for (unsigned i = REGISTER_WORDS; i < count; i++)
        to[i] = stack[i - REGISTER_WORDS];
    return count;
}

enum { PLAN_WORDS = sizeof(struct fetch) / sizeof(uint64_t) + SDT_MAX_ARGS };
static union plan {
    struct fetch fetch;
    uint64_t words[PLAN_WORDS];
} at_call[SDT_MAX_ARGS + 1];

const struct fetch *fetch_at_call(const struct args *args)
{
    return &at_call[args->count].fetch;
}

void at_call_start(void)
{
    for (unsigned count = 0; count <= SDT_MAX_ARGS; count++) {
        struct fetch *fetch = &at_call[count].fetch;
        fetch->count = count;
        fetch->all = all_words;
        for (unsigned i = 0; i < count; i++)
            fetch->get[i] = i < REGISTER_WORDS ? get_word : get_stack;
    }
}
