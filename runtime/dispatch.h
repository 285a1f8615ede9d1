/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * From a hit to the handlers: the lists of handlers, and what runs when a probe is executed.
 */
#ifndef SDT_DISPATCH_H
#define SDT_DISPATCH_H

#include "argument.h"
#include "registry.h"

#include <machine/registers.h>
#include <machine/site.h>
#include <sdt/runtime.h>

struct pattern;

/*
 * What the trampoline, or what an entry calls, fills in; its offsets are known to
 * <machine/layout.h>. `site` is NULL, and looked up when a handler first asks for something that
 * the registers do not say.
 */
struct sdt_event {
    /* At a call only: */
    uint64_t words[REGISTER_WORDS]; /* arguments that are in registers */
    const uint64_t *stack;          /* the others */
    uintptr_t patch;                /* the address of the patch byte */

    struct sdt_probe *record;
    const struct site *site;
    /* All registers, at a site where they are live; NULL at a call, where `words` has them. */
    const struct registers *registers;
    const struct fetch *fetch; /* dispatch_event() fills it in: how the arguments are fetched */
};

/* One handler of one probe. */
struct handler {
    int id; /* of the subscription */
    sdt_handler *call;
    void *data;
    bool is_general;              /* it promised to leave vector registers alone */
    const struct pattern *filter; /* NULL: every site of the probe */
    const atomic_bool *ended;     /* the subscription was ended inside a handler */
};

/*
 * Handlers of PROBE, locked. Both publish a changed copy and leave the old list as garbage, to be
 * freed after a grace period. 0 or -ENOMEM (nothing changed).
 */
int dispatch_add(struct probe *probe, const struct handler *handler);
int dispatch_remove(struct probe *probe, int id);
void *dispatch_take_garbage(void); /* locked */
void dispatch_free_garbage(void *taken);
/* All handlers of PROBE and its counters, when its object is gone and a grace period is over. */
void dispatch_free(struct probe *probe);

/* The record that the entry leads to by which the thread came: registers are there. */
static inline const struct sdt_site *event_record(const struct sdt_event *event)
{
    uintptr_t entry = event->registers->entry - SITE_ENTRY_RETURN;
    return (const struct sdt_site *)record_target((const int32_t *)(entry + SDT_ENTRY_RECORD));
}

/* Its site, looked up if it is not known yet; NULL: the object is gone. Async-signal-safe. */
const struct site *event_site(const struct sdt_event *event);

/*
 * How the arguments of EVENT are fetched, as far as that takes no call: by the plan of its site, or
 * else by fetch_unread, which makes one. In line, and not written down: of the hits of a probe with
 * several sites, each asks.
 */
static inline const struct fetch *event_fetch(const struct sdt_event *event)
{
    const struct site *site = event->site;
    if (event->fetch != fetch_unread || !event->registers)
        return event->fetch;
    if (!site) {
        const struct probe *probe = __atomic_load_n(&event->record->runtime, __ATOMIC_ACQUIRE);
        site = probe ? probe_described(probe, event_record(event)) : NULL;
        ((struct sdt_event *)event)->site = site;
    }
    return site ? site_fetch(site) : fetch_unread;
}

/* Called by the trampoline. */
void dispatch_event(struct sdt_event *event);

/* In the machine's trampoline.S: what sdt_probe.entry can be. */
void trampoline_dispatch(void); /* call dispatch_event */
void trampoline_record(void);   /* call recorder_dispatch_call (recorder/hit.h) */
void trampoline_count(void);    /* count the hit, and nothing else */
/* In the machine's entry.S: the same for sdt_probe.enter; the second of each is for live flags. */
void entry_nothing(void);
void entry_count(void);
void entry_count_flags(void);
void entry_save(void);
void entry_save_flags(void);
void entry_general(void); /* no handler changes vector registers */
void entry_general_flags(void);
void entry_record(void); /* call recorder_dispatch (recorder/hit.h) */
void entry_record_flags(void);

#endif
