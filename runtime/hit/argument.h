/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The values of a site's arguments.
 *
 * Where each one is does not change, so the descriptor is compiled once, when a handler first asks
 * at that site (counting never asks): for each argument, a function that fetches it. Most are a
 * general register or memory at a distance from one, of one of seven integer types, and have a
 * specialised function without branches. sdt_arg() is a jump to it.
 *
 * sdt_args() runs the same plan as threaded code (the machine's fetch.S): each step ends in a jump
 * to the next one, and if all operands are ordinary it calls no function and uses only general
 * registers.
 */
#ifndef SDT_ARGUMENT_H
#define SDT_ARGUMENT_H

#include "event.h"

#include <arch/operand.h>
#include <stddef.h>

/* Argument INDEX of EVENT. INDEX is below the plan's count. */
typedef uint64_t fetch_get(const struct sdt_event *event, size_t index, const struct fetch *fetch);
/* All of them, to WORDS; returns how many. */
typedef unsigned fetch_all(const struct sdt_event *event, uint64_t *words,
                           const struct fetch *fetch);
/* A piece of threaded code: not a C function. */
typedef void fetch_step(void);

/*
 * The plan. Constant once it is published (site->of_argument.fetch); it lives as long as its
 * object. Offsets are known to the machine's fetch.S.
 */
struct fetch {
    uint32_t count;
    uint8_t place[SDT_MAX_ARGS]; /* of a register: its offset in struct registers */
    fetch_all *all;
    const struct operand *operands; /* one each */
    fetch_get *get[];               /* one each; after them one fetch_step * each, and the last */
};

/* Words of memory that the plan for COUNT arguments takes. */
static inline size_t fetch_words(size_t count)
{
    return (sizeof(struct fetch) + count * sizeof(struct operand)) / sizeof(uint64_t) + 2 * count +
           1;
}

/* The plan of any site whose arguments were never asked for: it finds the site, makes its plan. */
extern __attribute__((visibility("hidden"))) const struct fetch *const fetch_unread;
/* Make that plan. Locked; before any site is indexed. */
void fetch_start(void);

/* Plans of call sites, whose arguments are where the calling convention says: the first ones in
 * registers (at_call_words.c), or all on the stack (at_call_stack.c). Those of sites with ARGS, the
 * same for all that are fetched alike; NULL: there is no memory. Locked. */
const struct fetch *fetch_at_call(const struct args *args);
void at_call_start(void); /* fetch_start() calls it */

/*
 * Make the plan of SITE, if it has none yet, instead of waiting for the first that asks. False:
 * another thread is making it right now.
 */
bool argument_prepare(struct site *site);

/*
 * How the arguments of EVENT are fetched, as far as that can be known without a call: by the plan
 * of its site, or else by fetch_unread, which makes one. Inline: every hit of a probe with several
 * sites asks.
 */
static inline const struct fetch *event_fetch(const struct sdt_event *event)
{
    const struct site *site = event->site;
    if (event->fetch != fetch_unread || !event->registers)
        return event->fetch;
    if (!site) {
        const struct probe *probe = state_probe(event->probe);
        site = probe ? probe_described(probe, event_record(event)) : NULL;
        ((struct sdt_event *)event)->site = site;
    }
    return site ? site_fetch(site) : fetch_unread;
}

#endif
