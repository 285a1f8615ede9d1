/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See outlier.h.
 *
 * This file is compiled for general registers only.
 */
#include "outlier.h"

#include "hit/argument.h"
#include "hit/sync.h"
#include "process/pages.h"
#include "tally.h"

/* ---- Arguments. ---- */

static inline uint64_t argument(const struct sdt_event *event, unsigned index)
{
    const struct fetch *fetch = event->fetch;
    return index < fetch->count ? fetch->get[index](event, index, fetch) : 0;
}

/* At most MOST bytes at FROM, to TO; what is a word of a side. */
static uint64_t pack_text(struct pages_way way, char *to, uintptr_t from, uint64_t most,
                          bool is_text)
{
    /* One more than is shown: then it is known that there is more. */
    most = most <= LIVE_SIDE_TEXT ? most : LIVE_SIDE_TEXT + 1;
    long n = pages_copy(way, to, from, most, is_text);
    return n >= 0 ? (uint64_t)n : !is_text ? 0 : from ? LIVE_SIDE_FAULT : LIVE_SIDE_NULL;
}

static uint64_t pack_view(struct pages_way way, char *to, uintptr_t from)
{
    uint64_t view[sizeof(struct sdt_text) / 8 + 2];
    if (pages_copy(way, (char *)view, from, sizeof(struct sdt_text), false) !=
        (long)sizeof(struct sdt_text))
        return LIVE_SIDE_FAULT;
    return view[1] == 0 ? 0 : pack_text(way, to, view[0], view[1], true);
}

/* COUNT elements of SIZE bytes, as many as there is room for. */
static uint64_t pack_array(struct pages_way way, char *to, uintptr_t from, uint64_t count,
                           uint64_t size)
{
    uint64_t most = LIVE_SIDE_TEXT / size, kept = count < most ? count : most;
    if (count > INT64_MAX || pages_copy(way, to, from, kept * size, false) != (long)(kept * size))
        return 0;
    return kept | (uint64_t)(count > kept) << 32;
}

static uint64_t pack_memory(const struct sdt_event *event, struct pages_way way, unsigned i,
                            enum live_keep keep, char *to)
{
    uintptr_t from = argument(event, i);
    uint64_t length = keep == LIVE_KEEP_TEXT ? UINT64_MAX : argument(event, i + 1);
    if (keep == LIVE_KEEP_VIEW)
        return pack_view(way, to, from);
    return keep >= LIVE_KEEP_ARRAY
               ? pack_array(way, to, from, length, UINT64_C(1) << (keep - LIVE_KEEP_ARRAY))
               : pack_text(way, to, from, length, keep != LIVE_KEEP_BYTES);
}

void outlier_pack(const struct live_aggregation *aggregation, const struct sdt_event *event,
                  struct live_side *side)
{
    const struct pages_way way = {aggregation->is_guarded, aggregation->is_tsc};
    unsigned texts = 0, i = 0;
    ((struct sdt_event *)event)->fetch = event_fetch(event);
    uint64_t kept = aggregation->kept;
    side->tid = (uint32_t)sync_thread();
    side->label = (uint16_t)(kept >> LIVE_LABEL_SHIFT);
    for (kept &= LIVE_KEEPS; kept; kept >>= 4, i++) {
        enum live_keep keep = (enum live_keep)(kept & 15);
        if (keep == LIVE_KEEP_WORD)
            side->word[i] = argument(event, i);
        else if (keep != LIVE_KEEP_NOTHING && texts < LIVE_SIDE_TEXTS)
            side->word[i] = pack_memory(event, way, i, keep, side->text[texts++]);
    }
}

/* ---- Places. ---- */

static struct live_outlier *least_of(const struct table_view *view, uint64_t *tag, bool *has_busy)
{
    struct live_outlier *least = NULL;
    *has_busy = false;
    for (uint32_t i = 0; i < view->outlier_count; i++) {
        struct live_outlier *place = &view->outliers[i];
        uint64_t found = atomic_load_explicit(&place->tag, memory_order_acquire);
        if (found & LIVE_BUSY) {
            *has_busy = true;
        } else if (!least || place->ns < least->ns) { /* one that is free has 0 */
            least = place;
            *tag = found;
        }
    }
    return least;
}

/* A place for one of NS, BUSY and ours; NULL: it is none of the slowest, or that was counted. */
static struct live_outlier *take_place(const struct table_view *view, uint64_t ns, uint64_t *tag)
{
    enum { MAX_TRIES = 8 };
    bool has_busy;
    for (unsigned i = 0; i < MAX_TRIES; i++) {
        struct live_outlier *place = least_of(view, tag, &has_busy);
        if (place && place->ns >= ns)
            return NULL;
        uint64_t found = *tag;
        if (place && atomic_compare_exchange_strong(&place->tag, &found,
                                                    (found & ~(uint64_t)LIVE_STATES) | LIVE_BUSY))
            return place;
    }
    tally_missed(&view->table->unkept);
    return NULL;
}

/* In words, as gcc would call memcpy(). */
void outlier_copy(struct live_side *to, const struct live_side *from)
{
    for (size_t i = 0; i < sizeof *to / 8; i++)
        ((volatile uint64_t *)to)[i] = ((const uint64_t *)from)[i];
}

void outlier_keep(const struct live_aggregation *aggregation, const struct sdt_event *event,
                  const struct live_flight *flight, uint64_t ns, uint64_t now)
{
    const struct table_view *view = &aggregation->view;
    uint64_t tag = 0;
    bool has_busy;
    if (!view->outliers) /* the table was overwritten */
        return;
    struct live_outlier *place = take_place(view, ns, &tag);
    if (!place)
        return;
    place->ns = ns;
    place->time = run_monotonic(aggregation, now);
    outlier_copy(&place->side[0], outlier_side(view, flight));
    outlier_pack(aggregation, event, &place->side[1]);
    tag = (tag & ~(uint64_t)LIVE_STATES) + LIVE_STATES + 1;
    atomic_store_explicit(&place->tag, tag | LIVE_READY, memory_order_release);
    /* Places only get slower ones; so what is read here was never too much. */
    place = least_of(view, &tag, &has_busy);
    if (place && !has_busy)
        tally_raise(&view->table->slowest, place->ns);
}
