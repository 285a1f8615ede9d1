/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A hit, as handlers get it: what the assembly of the machine has noted, and which site that is.
 */
#ifndef SDT_EVENT_H
#define SDT_EVENT_H

#include "site/site.h"
#include "state.h"

#include <machine/registers.h>
#include <machine/site.h>
#include <sdt/runtime.h>

/*
 * What the trampoline, or what an entry calls, fills in; its offsets are known to
 * <machine/layout.h>. `site` is NULL, and looked up when a handler first asks for something that
 * the registers do not say.
 */
struct sdt_event {
    /* At a call only: */
    uint64_t words[REGISTER_WORDS]; /* arguments that are in registers */
    const void *stack;              /* the others */
    uintptr_t patch;                /* the address of the patch byte */

    struct sdt_probe *probe;
    const struct site *site;
    /* All registers, at a site where they are live; NULL at a call, where `words` has them. */
    const struct registers *registers;
    const struct fetch *fetch; /* dispatch_event() fills it in: how the arguments are fetched */
};

/* The record of the entry through which the thread came. Only if `registers` is set. */
static inline const struct sdt_site *event_record(const struct sdt_event *event)
{
    uintptr_t entry = event->registers->entry - SITE_ENTRY_RETURN;
    return (const struct sdt_site *)record_target((const int32_t *)(entry + SDT_ENTRY_RECORD));
}

/* Its site, looked up if it is not known yet; NULL: the object is gone. Async-signal-safe. */
const struct site *event_site(const struct sdt_event *event);

#endif
