/* SPDX-License-Identifier: BSD-2-Clause */
/* A line for each row, what contributes most first. */
#include "base/json.h"
#include "print/text.h"
#include "show.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* What is not a number in JSON is null. */
static void add_real(struct bytes *to, const char *key, double number)
{
    json_key(to, key);
    char *text = isfinite(number) ? memory_format("%.9g", number) : memory_format("null");
    text_append(to, text);
    free(text);
}

static void add_findings(struct bytes *to, const struct row *row)
{
    static const char *const names[] = {"slower",      "faster", "tail_slower",
                                        "tail_faster", "more",   "fewer"};
    json_open(to, "findings", '[');
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
        if (row->findings >> i & 1)
            json_string(to, NULL, names[i]);
    json_close(to, ']');
}

static void add_tests(struct bytes *to, const struct row *row)
{
    static const char *const names[TESTS] = {"ranks", "tail", "rate"};
    json_open(to, "p_values", '{');
    for (int i = 0; i < TESTS; i++)
        add_real(to, names[i], row->p[i]);
    json_close(to, '}');
}

static void add_two(struct bytes *to, double a, double b)
{
    add_real(to, "a", a);
    add_real(to, "b", b);
}

/* Latencies in ns, their changes as shares. */
static void add_latencies(struct bytes *to, const struct row *row)
{
    static const char *const names[CHANGES] = {"mean", "p50", "p90", "p99"};
    for (int i = 0; i < CHANGES && row->subject->end; i++) {
        json_open(to, names[i], '{');
        for (unsigned which = 0; which < 2; which++)
            add_real(to, which ? "b" : "a",
                     row->sides[which].count ? row->sides[which].statistics[i] : NAN);
        if (row->has_intervals) {
            add_real(to, "change", row->changes[i].change);
            add_real(to, "low", row->changes[i].low);
            add_real(to, "high", row->changes[i].high);
        }
        json_close(to, '}');
    }
}

static void add_key(struct bytes *to, const struct row *row)
{
    json_string(to, "by", row->split->by);
    if (!row->split->by)
        json_null(to, "key");
    else if (row->group->is_text || /* nan, inf */
             memchr(row->group->key.text, 'n', row->group->key.length))
        json_slice(to, "key", row->group->key);
    else {
        json_key(to, "key");
        bytes_append(to, row->group->key.text, row->group->key.length);
    }
}

static void add_row(struct bytes *to, const struct row *row)
{
    json_open(to, NULL, '{');
    json_string(to, row->subject->end ? "pair" : "probe", row->subject->name);
    if (row->subject->end) {
        json_string(to, "begin", row->subject->begin);
        json_string(to, "end", row->subject->end);
    }
    add_key(to, row);
    add_findings(to, row);
    json_open(to, "count", '{');
    json_natural(to, "a", row->sides[0].count);
    json_natural(to, "b", row->sides[1].count);
    json_close(to, '}');
    json_open(to, "rate", '{');
    add_two(to, row->sides[0].rate, row->sides[1].rate);
    add_real(to, "change", row->rate_change);
    json_close(to, '}');
    add_latencies(to, row);
    json_open(to, "time", '{');
    add_real(to, "usual", row->usual_part);
    add_real(to, "slowest", row->slowest_part);
    add_real(to, "rate", row->rate_part);
    json_close(to, '}');
    add_tests(to, row);
    json_close(to, '}');
    text_char(to, '\n');
}

void show_json(const struct show *show)
{
    struct bytes text = {0};
    for (size_t i = 0; i < show->count; i++) {
        row_find_intervals(show->comparison, &show->comparison->rows[i]);
        add_row(&text, &show->comparison->rows[i]);
        fwrite(text.data, 1, text.size, stdout);
        text.size = 0;
    }
    bytes_free(&text);
}
