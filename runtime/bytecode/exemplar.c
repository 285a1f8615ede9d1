/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See exemplar.h.
 *
 * This file is compiled for general registers only.
 */
#include "exemplar.h"

#include "outlier.h"
#include "process/context.h"
#include "tally.h"

/* The number of the range that VALUE is in; 0 of what is counted. */
static uint64_t range_of(const struct live_aggregation *aggregation, uint64_t value)
{
    enum { BUCKETS_OF_A_POWER = 8 };
    const struct table_view *view = &aggregation->view;
    uint64_t bucket = tally_any_bucket(view, value, aggregation->bias);
    return aggregation->action == LIVE_COUNT ? 0
           : view->step                      ? bucket
                                             : bucket / BUCKETS_OF_A_POWER;
}

/* Of two values in one range, which is not partly below zero: the one that is farther from it. */
static bool is_farther(const struct live_aggregation *aggregation, uint64_t value, uint64_t other)
{
    bool is_negative = aggregation->bias && (int64_t)value < 0;
    return is_negative ? value < other : value > other;
}

/* Whether PLACE, which is in use, is rather left than given to VALUE. */
static bool is_better(const struct live_aggregation *aggregation, const struct live_exemplar *place,
                      uint64_t row, uint64_t value, uint64_t range, uint64_t time)
{
    if ((int64_t)(time - place->time) >= (int64_t)aggregation->view.period)
        return false;
    return place->row != row || range_of(aggregation, place->value) != range ||
           !is_farther(aggregation, value, place->value);
}

void exemplar_offer(const struct live_aggregation *aggregation, const struct sdt_event *event,
                    const struct live_side *begin, uint64_t row, uint64_t value, uint64_t now)
{
    const struct table_view *view = &aggregation->view;
    const struct pages_way way = {aggregation->is_guarded, aggregation->is_tsc};
    uint64_t time = run_monotonic(aggregation, now), range = range_of(aggregation, value);
    struct live_exemplar *place =
        &view->exemplars[(tally_hash(0, row) + range) & view->exemplar_mask];
    uint64_t words[CONTEXT_ROOM];
    uint64_t tag = atomic_load_explicit(&place->tag, memory_order_acquire);
    if (tag & LIVE_BUSY || (tag && is_better(aggregation, place, row, value, range, time)) ||
        (!context_read(way, words) && !view->takes_bare))
        return;
    if (!atomic_compare_exchange_strong(&place->tag, &tag,
                                        (tag & ~(uint64_t)LIVE_STATES) | LIVE_BUSY))
        return;
    place->row = row;
    place->value = value;
    place->time = time;
    for (unsigned i = 0; i < CONTEXT_WORDS; i++)
        ((volatile uint64_t *)place->context)[i] = words[i];
    if (begin)
        outlier_copy(&place->side[0], begin);
    outlier_pack(aggregation, event, &place->side[1]);
    tag = (tag & ~(uint64_t)LIVE_STATES) + LIVE_STATES + 1;
    atomic_store_explicit(&place->tag, tag | LIVE_READY, memory_order_release);
}
