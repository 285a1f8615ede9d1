/* SPDX-License-Identifier: BSD-2-Clause */
/* See event.h. This file is compiled for general registers only, as it runs in hits. */
#include "event.h"

const struct site *event_site(const struct sdt_event *event)
{
    if (!event->site) {
        const struct probe *probe = state_probe(event->probe);
        const struct site *site = !probe             ? NULL
                                  : event->registers ? probe_described(probe, event_record(event))
                                                     : probe_find(probe, event->patch);
        ((struct sdt_event *)event)->site = site;
    }
    return event->site;
}
