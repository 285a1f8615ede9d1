/* SPDX-License-Identifier: BSD-2-Clause */
/* The contract for scripts, and keys for people: see aggregate.h. */
#include "aggregate.h"
#include "base/json.h"
#include "print/label.h"
#include "print/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void append_number(struct bytes *to, const char *key, __int128 number)
{
    json_key(to, key);
    aggregate_number(to, number);
}

static void append_real(struct bytes *to, const char *key, struct aggregate_real number)
{
    json_key(to, key);
    aggregate_real_json(to, number);
}

const char *aggregate_label(const struct live_key *key, unsigned i, const struct key_look *look)
{
    uint64_t mask =
        look[i].size && look[i].size < 8 ? ((uint64_t)1 << 8 * look[i].size) - 1 : UINT64_MAX;
    for (size_t k = 0; k < look[i].label_count && key->type[i] != LIVE_STRING; k++)
        if (((look[i].labels[k].value ^ key->number[i]) & mask) == 0)
            return look[i].labels[k].text;
    return look[i].is_bool ? key->number[i] ? "true" : "false" : NULL;
}

/* Whether two values are called LABEL, or a number could be. */
static bool is_ambiguous(const struct key_look *look, const char *label)
{
    size_t count = 0;
    for (size_t i = 0; i < look->label_count; i++)
        count += !strcmp(look->labels[i].text, label);
    return count > 1 || label[strspn(label, "-0123456789")] == '\0';
}

const char *aggregate_unique_label(const struct live_key *key, unsigned i,
                                   const struct key_look *look)
{
    const char *label = aggregate_label(key, i, look);
    return label && !is_ambiguous(&look[i], label) ? label : NULL;
}

static const struct key_look plain[2];

static void append_part(struct bytes *to, const struct live_key *key, unsigned i,
                        const struct key_look *look)
{
    const char *label = aggregate_label(key, i, look);
    if (label && look[i].is_bool)
        text_append(to, label);
    else if (label)
        json_quote(to, slice_of(label));
    else if (key->type[i] == LIVE_STRING)
        json_quote(to, (struct slice){key->text[i], key->length[i]});
    else if (key->type[i] == LIVE_SIGNED)
        text_integer(to, (int64_t)key->number[i]);
    else
        text_natural(to, key->number[i]);
}

/* Nothing, a value, or two in an array. */
static void append_key(struct bytes *to, const struct live_key *key, const struct key_look *look)
{
    look = look ? look : plain;
    if (!key->type[0])
        return;
    json_key(to, "key");
    if (!key->type[1]) {
        append_part(to, key, 0, look);
        return;
    }
    text_char(to, '[');
    append_part(to, key, 0, look);
    text_append(to, ", ");
    append_part(to, key, 1, look);
    text_char(to, ']');
}

static void append_end(struct bytes *to, const struct aggregate *aggregate)
{
    text_append(to, aggregate->is_total ? ", \"total\": true}\n" : "}\n");
}

void aggregate_json_count(struct bytes *to, int64_t time, const char *provider, const char *name,
                          const struct aggregate *aggregate, const struct aggregate_row *row,
                          const struct key_look *look, double rate)
{
    json_open(to, NULL, '{');
    json_integer(to, "time", time);
    json_string(to, "provider", provider);
    json_string(to, "name", name);
    append_key(to, &row->key, look);
    json_natural(to, "count", row->sums.count);
    json_key(to, "rate");
    text_real(to, round(rate * 10) / 10);
    append_end(to, aggregate);
}

static void append_buckets(struct bytes *to, const struct aggregate *aggregate,
                           const struct aggregate_row *row)
{
    size_t n = live_bucket_count(&aggregate->layout);
    json_open(to, "buckets", '[');
    for (size_t i = 0; i < n; i++) {
        struct aggregate_bucket bucket;
        if (!aggregate_bucket(aggregate, row, i, &bucket) || !bucket.count)
            continue;
        json_open(to, NULL, '[');
        append_number(to, NULL, bucket.low);
        append_number(to, NULL, bucket.high);
        json_natural(to, NULL, bucket.count);
        json_close(to, ']');
    }
    json_close(to, ']');
}

void aggregate_json_histogram(struct bytes *to, const char *provider, const char *name,
                              const struct aggregate *aggregate, const struct aggregate_row *row,
                              const struct key_look *look)
{
    json_open(to, NULL, '{');
    json_string(to, "provider", provider);
    json_string(to, "name", name);
    append_key(to, &row->key, look);
    json_natural(to, "count", row->sums.count);
    if (row->sums.count) {
        append_number(to, "min", aggregate_min(aggregate, row));
        append_number(to, "max", aggregate_max(aggregate, row));
        append_real(to, "mean", aggregate_mean(aggregate, row));
        append_real(to, "p50", aggregate_percentile(aggregate, row, 0.5));
        append_real(to, "p90", aggregate_percentile(aggregate, row, 0.9));
        append_real(to, "p99", aggregate_percentile(aggregate, row, 0.99));
    }
    append_buckets(to, aggregate, row);
    append_end(to, aggregate);
}

/* Of people, names of probes have dashes, and functions are as in their source. */
static void append_text(struct bytes *to, struct slice text, const struct key_look *look)
{
    char *copy = memory_format("%.*s", (int)text.length, text.text);
    if (look->is_name)
        label_part_append(to, copy);
    else if (look->is_function)
        text_function(to, copy);
    else
        text_escaped(to, text);
    free(copy);
}

void aggregate_key_text(struct bytes *to, const struct live_key *key, const struct key_look *look)
{
    look = look ? look : plain;
    for (unsigned i = 0; i < 2 && key->type[i]; i++) {
        if (i)
            text_char(to, ' ');
        if (key->type[i] == LIVE_STRING)
            append_text(to, (struct slice){key->text[i], key->length[i]}, &look[i]);
        else if (aggregate_label(key, i, look))
            text_escaped(to, slice_of(aggregate_label(key, i, look)));
        else if (look[i].is_hex)
            text_hex(to, key->number[i]);
        else
            append_part(to, key, i, plain);
    }
}
