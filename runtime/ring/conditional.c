/* SPDX-License-Identifier: BSD-2-Clause */
/* See conditional.h. This file is compiled for general registers only, as hit.c is. */
#define _GNU_SOURCE
#include "conditional.h"

#include "clock.h"

#include "process/fault.h"

#include <limits.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

static void record(const struct sdt_event *event, const struct conditional *conditional,
                   uint64_t ns)
{
    (void)ns;
    recorder_hit(event, (void *)(uintptr_t)conditional->rings);
}

static void ask_for_snapshot(const struct sdt_event *event, const struct conditional *conditional,
                             uint64_t ns)
{
    const struct rings *rings = conditional->rings;
    if (atomic_load_explicit(&rings->is_on, memory_order_relaxed) &&
        !atomic_load_explicit(&rings->file->wanted, memory_order_relaxed))
        conditional_snapshot(rings, event, ns);
}

static void always(const struct sdt_event *event, const struct conditional *conditional)
{
    conditional->then(event, conditional, 0);
}

void conditional_make(struct conditional *conditional, const struct rings *rings, bool is_trigger)
{
    *conditional =
        (struct conditional){always, is_trigger ? ask_for_snapshot : record, NULL, rings};
}

/* A copy of one, that notes what came of it. */
struct noting {
    struct conditional conditional; /* first */
    bool *has_passed;
};

static void record_and_note(const struct sdt_event *event, const struct conditional *conditional,
                            uint64_t ns)
{
    *((const struct noting *)conditional)->has_passed = true;
    record(event, conditional, ns);
}

bool conditional_record(const struct sdt_event *event, const struct conditional *conditional)
{
    bool has_passed = false;
    struct noting noting = {*conditional, &has_passed};
    noting.conditional.then = record_and_note;
    conditional->decide(event, &noting.conditional);
    return has_passed;
}

void conditional_hit(const struct sdt_event *event, void *data)
{
    ((const struct conditional *)data)->decide(event, data);
}

/*
 * Become the one whose snapshot it is. Another that has just done so is about to ask for one, or
 * has been killed before it could: after a second, that is certain enough.
 */
static bool claim(struct ring_file *file, uint64_t now)
{
    uint64_t before = atomic_load(&file->claimed);
    if (before && now - before < file->frequency)
        return false;
    return atomic_compare_exchange_strong(&file->claimed, &before, now);
}

void conditional_snapshot(const struct rings *rings, const struct sdt_event *event, uint64_t ns)
{
    struct ring_file *file = (struct ring_file *)(uintptr_t)rings->file;
    uint64_t now = file->is_tsc ? clock_cycles() : clock_monotonic();
    uint32_t none = 0;
    if (!claim(file, now))
        return;
    recorder_cause(rings, event, now, ns, &file->cause);
    atomic_store(&file->wanted_at, now);
    if (atomic_compare_exchange_strong(&file->wanted, &none, 1))
        syscall(SYS_futex, &file->wanted, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}

void conditional_trigger(const struct sdt_event *event, void *data)
{
    ((const struct conditional *)data)->decide(event, data);
}
