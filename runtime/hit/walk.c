/* SPDX-License-Identifier: BSD-2-Clause */
/* See walk.h. This file is compiled for general registers only, as it runs in hits. */
#include "walk.h"

#include <machine/frame.h>

/*
 * At a call, the return address is in the probed function; at a tail site it is in that one's
 * caller, which is left out: the site says where the hit was, and the first step leads to who
 * called.
 */
static bool begin_at_call(struct stack_walk *walk, const struct sdt_event *event)
{
    uintptr_t stack = (uintptr_t)event->stack;
    bool returns = event->site->form && event->site->form->returns;
    walk->sp = returns ? stack + CALL_CFA : stack;
    walk->has_link = FRAME_HAS_LINK && !returns; /* else the call has overwritten it */
    return stack_load(walk, stack + CALL_POINTER, &walk->bp) &&
           (!walk->has_link || stack_load(walk, stack + CALL_LINK, &walk->link));
}

bool walk_begin(struct stack_walk *walk, const struct sdt_event *event, struct pages_way way)
{
    const struct site *site = event_site(event);
    if (!site || !stack_begin(walk, way))
        return false;
    walk->pc = (uintptr_t)site_pc(site);
    if (!event->registers)
        return begin_at_call(walk, event);
    walk->sp = event->registers->general[REGISTERS_STACK];
    walk->bp = event->registers->general[REGISTERS_FRAME];
    walk->link = event->registers->general[REGISTERS_LINK];
    walk->has_link = FRAME_HAS_LINK;
    return true;
}
