/* SPDX-License-Identifier: BSD-2-Clause */
#include "live.h"

#include <hit/argument.h>
#include <registry/dispatch.h>

void hit(struct live_aggregation *aggregation, const uint64_t *arguments, unsigned count)
{
    static struct sdt_probe record; /* of no object */
    struct sdt_event event = {.probe = &record};
    fetch_start();
    event.fetch = fetch_at_call(count);
    memcpy(event.words, arguments, count * sizeof *arguments);
    live_hit(&event, aggregation);
}
