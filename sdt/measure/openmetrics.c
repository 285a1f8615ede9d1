/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See openmetrics.h.
 *
 * A collector compares successive sets of buckets, so the limits do not depend on the counts: for
 * logarithmic histograms they are powers of two (an eighth of the existing buckets), for linear
 * ones all. Limits below zero are the exception: they appear only if there were such values.
 */
#include "openmetrics.h"

#include "base/escape.h"
#include "print/label.h"
#include "print/text.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_TIME = 8, LAST_TIME = 36, LAST_VALUE = 62 }; /* limits: 2^8 ns to 69 s */

static const struct {
    const char *name, *type, *unit, *help, *label;
} families[] = {
    {"sdt_hits", "counter", NULL, "Hits of static probes.", NULL},
    {"sdt_value", "histogram", NULL, "Values of an expression at hits of static probes.",
     "expression"},
    {"sdt_latency_seconds", "histogram", "seconds", "Time from one static probe to another.",
     "end"},
};

static void append_line(struct bytes *to, const char *what, const char *name, const char *suffix,
                        const char *text)
{
    text_append(to, what);
    text_append(to, name);
    text_append(to, suffix);
    text_char(to, ' ');
    text_append(to, text);
    text_char(to, '\n');
}

void openmetrics_begin(struct bytes *to, enum openmetrics_family family, enum openmetrics_form form)
{
    const char *name = families[family].name, *unit = families[family].unit;
    bool is_prometheus = form == OPENMETRICS_PROMETHEUS;
    const char *suffix = is_prometheus && family == OPENMETRICS_HITS ? "_total" : "";
    append_line(to, "# TYPE ", name, suffix, families[family].type);
    if (unit && !is_prometheus)
        append_line(to, "# UNIT ", name, suffix, unit);
    append_line(to, "# HELP ", name, suffix, families[family].help);
}

void openmetrics_end(struct bytes *to, enum openmetrics_form form)
{
    if (form == OPENMETRICS_1_0)
        text_append(to, "# EOF\n");
}

/* ---- Labels. ---- */

/* In quotes, three characters are escaped; all others stand for themselves, but must be UTF-8. */
void openmetrics_quote(struct bytes *to, struct slice text)
{
    text_char(to, '"');
    for (size_t i = 0; i < text.length;) {
        uint32_t code;
        size_t length = escape_decode(text.text + i, text.length - i, &code);
        char c = text.text[i];
        if (length == 0)
            text_append(to, "\xef\xbf\xbd"); /* U+FFFD */
        else if (c == '\n')
            text_append(to, "\\n");
        else if (c == '\\' || c == '"')
            bytes_append(to, (char[]){'\\', c}, 2);
        else
            bytes_append(to, text.text + i, length);
        i += length ? length : 1;
    }
    text_char(to, '"');
}

static void append_label(struct bytes *to, const char *before, const char *name, const char *value)
{
    text_append(to, before);
    text_append(to, name);
    text_char(to, '=');
    openmetrics_quote(to, slice_of(value));
}

/* A name, or a pattern, as it is shown everywhere. */
static void append_name(struct bytes *to, const char *before, const char *name, const char *value)
{
    char *shown = label_part(value);
    append_label(to, before, name, shown);
    free(shown);
}

static void append_part(struct bytes *to, const struct openmetrics_labels *labels, unsigned i)
{
    const struct live_key *key = labels->key;
    const char *label = labels->look ? aggregate_unique_label(key, i, labels->look) : NULL;
    if (key->type[i] == LIVE_STRING) {
        openmetrics_quote(to, (struct slice){key->text[i], key->length[i]});
        return;
    }
    if (label) {
        openmetrics_quote(to, slice_of(label));
        return;
    }
    text_char(to, '"');
    if (key->type[i] == LIVE_SIGNED)
        text_integer(to, (int64_t)key->number[i]);
    else
        text_natural(to, key->number[i]);
    text_char(to, '"');
}

/* The name of a sample and its labels, without the closing brace. */
static void append_sample(struct bytes *to, enum openmetrics_family family, const char *suffix,
                          const struct openmetrics_labels *labels)
{
    text_append(to, families[family].name);
    text_append(to, suffix);
    append_name(to, "{", "provider", labels->provider);
    append_name(to, ",", "probe", labels->name);
    append_label(to, ",", "program", labels->program);
    if (labels->pid) {
        text_append(to, ",pid=\"");
        text_integer(to, labels->pid);
        text_char(to, '"');
    }
    if (family == OPENMETRICS_LATENCY && labels->more)
        append_name(to, ",", families[family].label, labels->more);
    else if (families[family].label && labels->more)
        append_label(to, ",", families[family].label, labels->more);
    for (unsigned i = 0; labels->key && i < 2 && labels->key->type[i]; i++) {
        text_append(to, i ? ",key2=" : ",key=");
        append_part(to, labels, i);
    }
    if (labels->own)
        text_append(to, labels->own);
}

void openmetrics_identity(struct bytes *to, enum openmetrics_family family,
                          const struct openmetrics_labels *labels)
{
    append_sample(to, family, "", labels);
}

/* ---- Numbers. ---- */

/* A number is a double: a whole one has a point, as the format's canonical spelling does. */
static void append_real(struct bytes *to, double number)
{
    struct bytes text = {0};
    text_real(&text, number);
    bool is_whole = true;
    for (size_t i = 0; i < text.size; i++)
        is_whole = is_whole && !strchr(".en", text.data[i]);
    bytes_append(to, text.data, text.size);
    if (is_whole)
        text_append(to, ".0");
    bytes_free(&text);
}

/* In seconds, or all its digits, although readers make a double of them. */
static void append_number(struct bytes *to, __int128 number, bool is_time)
{
    if (is_time) {
        append_real(to, (double)number * 1e-9);
        return;
    }
    aggregate_number(to, number);
    text_append(to, ".0");
}

/* ---- Exemplars. ---- */

/* More than LOW, at most HIGH: the values of a bucket. */
struct values {
    __int128 low, high;
};
#define ALL_VALUES ((struct values){-((__int128)1 << 100), (__int128)1 << 100})

/* ` # {LABELS} VALUE TIME`, in seconds; if there is one, and it has labels. */
static void append_exemplar(struct bytes *to, enum openmetrics_family family,
                            const struct openmetrics_labels *labels, struct values values)
{
    static const struct live_key none = {.type = {LIVE_NONE, LIVE_NONE}};
    enum { SECOND_NS = 1000000000, DIGITS = 9 };
    const struct exemplar *one =
        labels->exemplars ? exemplars_find(labels->exemplars, labels->key ? labels->key : &none,
                                           values.low, values.high)
                          : NULL;
    if (!one || one->time < 0)
        return;
    text_append(to, " # {");
    bytes_append(to, one->labels.data, one->labels.size);
    text_append(to, "} ");
    append_number(to, one->value, family == OPENMETRICS_LATENCY);
    text_char(to, ' ');
    text_natural(to, (uint64_t)one->time / SECOND_NS);
    text_char(to, '.');
    text_zeros(to, (uint64_t)one->time % SECOND_NS, DIGITS);
}

void openmetrics_count(struct bytes *to, const struct openmetrics_labels *labels, uint64_t count)
{
    append_sample(to, OPENMETRICS_HITS, "_total", labels);
    text_append(to, "} ");
    text_natural(to, count);
    append_exemplar(to, OPENMETRICS_HITS, labels, ALL_VALUES);
    text_char(to, '\n');
}

/* ---- Histograms. ---- */

/* Whether the upper end of BUCKET is a limit. The last one of all is +Inf instead. */
static bool is_limit(const struct aggregate *aggregate, const struct aggregate_bucket *bucket,
                     bool is_time)
{
    __int128 end = bucket->high < 0 ? -bucket->high : bucket->high + 1;
    if (aggregate->layout.spec.step)
        return bucket->high < INT64_MAX;
    for (unsigned bit = is_time ? FIRST_TIME : 0; bit <= (is_time ? LAST_TIME : LAST_VALUE); bit++)
        if (end == (__int128)1 << bit)
            return true;
    return false;
}

/* What is more than LOW, which becomes its limit. */
static void append_bucket(struct bytes *to, enum openmetrics_family family,
                          const struct openmetrics_labels *labels,
                          const struct aggregate_bucket *last, uint64_t count, __int128 *low)
{
    append_sample(to, family, "_bucket", labels);
    text_append(to, ",le=\"");
    if (last)
        append_number(to, last->high, family == OPENMETRICS_LATENCY);
    else
        text_append(to, "+Inf");
    text_append(to, "\"} ");
    text_natural(to, count);
    struct values values = {*low, last ? last->high : ALL_VALUES.high};
    append_exemplar(to, family, labels, values);
    *low = values.high;
    text_char(to, '\n');
}

/* All buckets, cumulative; the last of them is the number of values. */
static uint64_t append_buckets(struct bytes *to, enum openmetrics_family family,
                               const struct openmetrics_labels *labels,
                               const struct aggregate *aggregate, const struct aggregate_row *row)
{
    bool is_time = family == OPENMETRICS_LATENCY;
    uint64_t count = 0;
    __int128 low = ALL_VALUES.low;
    for (size_t i = 0; i < live_bucket_count(&aggregate->layout); i++) {
        struct aggregate_bucket bucket;
        if (!aggregate_bucket(aggregate, row, i, &bucket))
            continue;
        count += bucket.count;
        bool is_wanted = bucket.high >= 0 || count || aggregate->layout.spec.step;
        if (is_wanted && is_limit(aggregate, &bucket, is_time))
            append_bucket(to, family, labels, &bucket, count, &low);
    }
    append_bucket(to, family, labels, NULL, count, &low);
    return count;
}

/* With values below zero there is no sum, since it could fall; and without sum no count. */
void openmetrics_histogram(struct bytes *to, enum openmetrics_family family,
                           const struct openmetrics_labels *labels,
                           const struct aggregate *aggregate, const struct aggregate_row *row)
{
    bool is_empty = row->sums.count == 0;
    uint64_t count = append_buckets(to, family, labels, aggregate, row);
    if (!is_empty && aggregate_min(aggregate, row) < 0)
        return;
    append_sample(to, family, "_sum", labels);
    text_append(to, "} ");
    bool is_time = family == OPENMETRICS_LATENCY;
    struct aggregate_sum sum = {.is_exact = true};
    if (row->sums.count)
        sum = aggregate_sum(aggregate, row);
    if (sum.is_exact)
        append_number(to, sum.whole, is_time);
    else
        append_real(to, sum.estimate * (is_time ? 1e-9 : 1));
    text_char(to, '\n');
    append_sample(to, family, "_count", labels);
    text_append(to, "} ");
    text_natural(to, count);
    text_char(to, '\n');
}
