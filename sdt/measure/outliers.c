/* SPDX-License-Identifier: BSD-2-Clause */
/* See outliers.h: reading. */
#include "outliers.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

const struct outlier_probe *outlier_probe_of(const struct outlier_probe *probes, size_t count,
                                             const struct live_side *side)
{
    static const struct outlier_probe unknown = {.kept = 0};
    return side->label < count ? &probes[side->label] : &unknown;
}

/* Not for the order of those that took as long: their moments. */
static int slowest_first(const void *one, const void *other)
{
    const struct live_outlier *a = one, *b = other;
    if (a->ns != b->ns)
        return a->ns > b->ns ? -1 : 1;
    return (a->time > b->time) - (a->time < b->time);
}

void outliers_add(struct outliers *outliers, const struct live_view *view, size_t most)
{
    const struct live_table *table = (const void *)view->memory;
    uint32_t places = view->layout.spec.outliers;
    if (!outliers->list)
        outliers->realtime = table->realtime;
    outliers->list =
        memory_resize(outliers->list, outliers->count + places + 1u, sizeof *outliers->list);
    for (uint32_t i = 0; i < places; i++) {
        struct live_outlier *one = &outliers->list[outliers->count];
        if (!live_outlier_read(view, i, one))
            continue;
        one->time += (uint64_t)table->realtime - (uint64_t)outliers->realtime;
        outliers->count++;
    }
    qsort(outliers->list, outliers->count, sizeof *outliers->list, slowest_first);
    if (outliers->count > most)
        outliers->count = most;
}

struct outliers outliers_read(const struct live_view *view, size_t most)
{
    struct outliers outliers = {.count = 0};
    outliers_add(&outliers, view, most);
    return outliers;
}

static bool has(const struct outliers *outliers, const struct live_outlier *one)
{
    for (size_t i = 0; i < outliers->count; i++)
        if (slowest_first(&outliers->list[i], one) == 0 &&
            outliers->list[i].side[1].tid == one->side[1].tid)
            return true;
    return false;
}

void outliers_subtract(struct outliers *now, const struct outliers *before)
{
    size_t kept = 0;
    for (size_t i = 0; i < now->count; i++)
        if (!has(before, &now->list[i]))
            now->list[kept++] = now->list[i];
    now->count = kept;
}
