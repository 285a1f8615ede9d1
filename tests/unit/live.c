/* SPDX-License-Identifier: BSD-2-Clause */
#include "live.h"

#include <hit/argument.h>
#include <registry/dispatch.h>

void hit(struct live_aggregation *aggregation, const uint64_t *arguments, unsigned count)
{
    static struct sdt_probe record; /* of no object */
    struct sdt_event event = {.probe = &record};
    fetch_start();
    const struct args args = {.count = (uint8_t)count};
    event.fetch = fetch_at_call(&args);
    memcpy(event.words, arguments, count * sizeof *arguments);
    live_hit(&event, aggregation);
}
