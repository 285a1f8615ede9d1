/* SPDX-License-Identifier: BSD-2-Clause */
#include "print/text.h"
#include "show.h"

#include <math.h>
#include <stdlib.h>

static void append(struct bytes *to, char *text)
{
    text_append(to, text);
    free(text);
}

void words_key(struct bytes *to, const struct row *row)
{
    if (!row->split->by)
        return;
    text_escaped(to, slice_of(row->split->by));
    text_append(to, row->group->is_text ? "=\"" : "=");
    text_escaped(to, row->group->key);
    text_append(to, row->group->is_text ? "\"" : "");
}

void words_row(struct bytes *to, const struct row *row)
{
    text_escaped(to, slice_of(row->subject->name));
    text_append(to, row->split->by ? " with " : "");
    words_key(to, row);
}

void words_findings(struct bytes *to, const struct row *row)
{
    static const char *const names[] = {
        "slower",     "faster",    "slower in the slowest 1 %", "faster in the slowest 1 %",
        "more often", "less often"};
    const char *comma = "";
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
        if (row->findings >> i & 1) {
            text_append(to, comma);
            text_append(to, names[i]);
            comma = ", ";
        }
}

static void append_percent(struct bytes *to, double change)
{
    int digits = fabs(change) < 0.0995 ? 2 : fabs(change) < 0.995 ? 1 : 0;
    append(to, memory_format("%+.*f", digits, 100 * change));
}

void words_change(struct bytes *to, double change)
{
    if (isinf(change)) {
        text_append(to, "new");
        return;
    }
    append_percent(to, change);
    text_append(to, " %");
}

void words_interval(struct bytes *to, const struct change *change)
{
    words_change(to, change->change);
    text_append(to, " [");
    append_percent(to, change->low);
    text_append(to, ", ");
    append_percent(to, change->high);
    text_char(to, ']');
}

void words_part(struct bytes *to, double ns)
{
    text_append(to, ns < 0 ? "-" : "+");
    text_latency(to, fabs(ns));
}

void words_side(struct bytes *to, const struct side *side)
{
    double duration = (double)side_duration(side);
    text_natural(to, side->events);
    text_append(to, side->events == 1 ? " event" : " events");
    if (duration > 0)
        append(to, memory_format(", %.1f a second", (double)side->events * 1e9 / duration));
    text_append(to, ", ");
    text_natural(to, side->pairs);
    text_append(to, side->pairs == 1 ? " pair, " : " pairs, ");
    text_latency(to, duration);
    if (side->recordings == 1)
        return;
    text_append(to, ", ");
    text_natural(to, side->recordings);
    text_append(to, " recordings");
}

/* ---- A sentence. ---- */

static void append_latencies(struct bytes *to, const struct row *row)
{
    text_append(to, ": p50 ");
    text_latency(to, row->sides[0].statistics[CHANGE_P50]);
    text_append(to, " to ");
    text_latency(to, row->sides[1].statistics[CHANGE_P50]);
    text_append(to, ", ");
    words_change(to, row->changes[CHANGE_P50].change);
    text_append(to, ", p99 ");
    words_change(to, row->changes[CHANGE_P99].change);
}

static void append_rates(struct bytes *to, const struct row *row)
{
    char *text = memory_format(": %.1f to %.1f a second, ", row->sides[0].rate, row->sides[1].rate);
    text_append(to, text);
    words_change(to, row->rate_change);
    free(text);
}

void words_sentence(struct bytes *to, const struct row *row)
{
    bool is_rate = row->findings & (FINDING_MORE | FINDING_FEWER);
    words_row(to, row);
    if (row->findings) {
        text_append(to, ": ");
        words_findings(to, row);
    }
    if (row_has_latencies(row))
        append_latencies(to, row);
    if (is_rate || !row_has_latencies(row))
        append_rates(to, row);
    if (row->subject->end) {
        text_append(to, "; ");
        words_part(to, row->part);
        text_append(to, " in each second");
    }
}
