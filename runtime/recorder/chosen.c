/* SPDX-License-Identifier: BSD-2-Clause */
/* See chosen.h. This file is compiled for general registers only, as hit.c is. */
#define _GNU_SOURCE
#include "chosen.h"

#include "clock.h"

#include "../fault.h"

#include <limits.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

static inline bool passes(const struct sdt_event *event, const struct chosen *chosen)
{
    return !chosen->passes || chosen->passes(event, chosen->condition);
}

bool chosen_record(const struct sdt_event *event, const struct chosen *chosen)
{
    if (!passes(event, chosen))
        return false;
    recorder_hit(event, (void *)(uintptr_t)chosen->rings);
    return true;
}

void chosen_hit(const struct sdt_event *event, void *data)
{
    chosen_record(event, data);
}

void chosen_snapshot(const struct rings *rings)
{
    struct ring_file *file = (struct ring_file *)(uintptr_t)rings->file;
    uint32_t none = 0;
    atomic_store(&file->wanted_at, file->is_tsc ? clock_cycles() : clock_monotonic());
    if (atomic_compare_exchange_strong(&file->wanted, &none, 1))
        syscall(SYS_futex, &file->wanted, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}

void chosen_trigger(const struct sdt_event *event, void *data)
{
    const struct chosen *chosen = data;
    const struct rings *rings = chosen->rings;
    if (passes(event, chosen) && atomic_load_explicit(&rings->is_on, memory_order_relaxed) &&
        !atomic_load_explicit(&rings->file->wanted, memory_order_relaxed))
        chosen_snapshot(rings);
}
