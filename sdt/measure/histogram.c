/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See histogram.h. The table has 8 buckets for each power of two; shown are as many as fit on a
 * screen: 8, 4, 2 or 1, each of which is made of whole buckets. Linear ones are put together by
 * twos, fours, and so on.
 */
#include "histogram.h"

#include "print/text.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>

enum { MAX_LINES = 24, LEAST_BAR = 10, MAX_BAR = 60 };

/* ---- Style. ---- */

static bool has_utf8(void)
{
    static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *value = getenv(names[i]);
        if (value && *value)
            return strstr(value, "UTF-8") || strstr(value, "utf8") || strstr(value, "UTF8") ||
                   strstr(value, "utf-8");
    }
    return false;
}

struct histogram_style histogram_style_of(FILE *out)
{
    struct winsize size;
    const char *columns = getenv("COLUMNS");
    unsigned width = columns ? (unsigned)strtoul(columns, NULL, 10) : 0;
    if (!width && ioctl(fileno(out), TIOCGWINSZ, &size) == 0)
        width = size.ws_col;
    return (struct histogram_style){.width = width >= 20 && width <= 1000 ? width : 80,
                                    .is_utf8 = has_utf8()};
}

/* ---- Values. ---- */

void histogram_value(struct bytes *to, __int128 value, bool is_time)
{
    static const char units[] = "\0KMGTPE";
    unsigned unit = 0;
    if (is_time) {
        text_latency(to, (double)value);
        return;
    }
    while (unit < 6 && value % 1024 == 0 && value != 0) {
        value /= 1024;
        unit++;
    }
    aggregate_number(to, value);
    if (unit)
        text_char(to, units[unit]);
}

void histogram_bar(struct bytes *to, double share, unsigned width, bool is_utf8)
{
    static const char *const parts[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
    double columns = share * width;
    unsigned eighths = (unsigned)(columns * 8 + 0.5);
    if (!is_utf8) {
        for (unsigned i = 0; i < (unsigned)(columns + 0.5); i++)
            text_char(to, '#');
        return;
    }
    for (unsigned i = 0; i < eighths / 8; i++)
        text_append(to, "█");
    text_append(to, share > 0 && !eighths ? parts[1] : parts[eighths % 8]);
}

/* ---- The line of numbers. ---- */

static void append_real(struct bytes *to, const char *name, struct aggregate_real number,
                        bool is_time)
{
    text_append(to, name);
    if (is_time)
        text_latency(to, aggregate_double(number));
    else
        aggregate_real_text(to, number);
}

static void append_end(struct bytes *to, const char *name, __int128 number, bool is_time)
{
    append_real(to, name, (struct aggregate_real){number, 0}, is_time);
}

void histogram_summary(struct bytes *to, const struct aggregate *aggregate,
                       const struct aggregate_row *row, const struct histogram_style *style)
{
    bool is_time = style->is_time;
    text_append(to, aggregate->is_total ? "total " : "count ");
    text_natural(to, row->sums.count);
    if (row->sums.count) {
        append_end(to, "  min ", aggregate_min(aggregate, row), is_time);
        append_real(to, "  mean ", aggregate_mean(aggregate, row), is_time);
        append_real(to, "  p50 ", aggregate_percentile(aggregate, row, 0.5), is_time);
        append_real(to, "  p90 ", aggregate_percentile(aggregate, row, 0.9), is_time);
        append_real(to, "  p99 ", aggregate_percentile(aggregate, row, 0.99), is_time);
        append_end(to, "  max ", aggregate_max(aggregate, row), is_time);
    }
    text_append(to, "\n");
}

/* ---- Bars. ---- */

struct lines {
    struct aggregate_bucket *line;
    size_t count;
};

/* Where the group begins that the values from LOW on belong to, of PARTS for a power of two. */
static __int128 group_of(__int128 low, unsigned parts)
{
    __int128 size = 1;
    if (low < 0)
        return -1 - group_of(-1 - low, parts);
    while (size * 2 <= low)
        size *= 2;
    __int128 step = size / parts > 0 ? size / parts : 1;
    return low < 1 ? 0 : size + (low - size) / step * step;
}

/* The buckets from the first that is not empty to the last, by groups. */
static struct lines make_lines(const struct aggregate *aggregate, const struct aggregate_row *row,
                               unsigned parts, size_t linear)
{
    size_t n = live_bucket_count(&aggregate->layout), last = 0, number = 0;
    struct lines lines = {memory_zeroed(n + 1, sizeof *lines.line), 0};
    struct aggregate_bucket bucket;
    __int128 group = 0;
    for (size_t i = 0; i < n; i++) {
        if (!aggregate_bucket(aggregate, row, i, &bucket) || (!lines.count && !bucket.count))
            continue;
        /* By its end that is nearer to 0. */
        __int128 next = aggregate->layout.spec.step
                            ? (__int128)(number++ / linear)
                            : group_of(bucket.high < 0 ? bucket.high : bucket.low, parts);
        if (lines.count && next == group) {
            lines.line[lines.count - 1].high = bucket.high;
            lines.line[lines.count - 1].count += bucket.count;
        } else
            lines.line[lines.count++] = bucket;
        group = next;
        last = bucket.count ? lines.count : last;
    }
    lines.count = last;
    return lines;
}

static struct lines fitting_lines(const struct aggregate *aggregate,
                                  const struct aggregate_row *row)
{
    unsigned parts = 8;
    size_t linear = 1;
    for (;;) {
        struct lines lines = make_lines(aggregate, row, parts, linear);
        bool is_last = aggregate->layout.spec.step ? linear >= LIVE_LINEAR : parts == 1;
        if (lines.count <= MAX_LINES || is_last)
            return lines;
        free(lines.line);
        parts /= 2;
        linear *= 2;
    }
}

/* What a line is called: where it begins; the first linear one may begin nowhere. */
static void append_label(struct bytes *to, const struct aggregate *aggregate,
                         const struct aggregate_bucket *line, bool is_time)
{
    const struct live_table_spec *spec = &aggregate->layout.spec;
    if (spec->step && line->high < spec->low) {
        text_append(to, "less");
        return;
    }
    histogram_value(to, line->low, is_time);
}

static size_t widest(const struct aggregate *aggregate, const struct lines *lines, bool is_time)
{
    size_t most = 0;
    struct bytes label = {0};
    for (size_t i = 0; i < lines->count; i++) {
        label.size = 0;
        append_label(&label, aggregate, &lines->line[i], is_time);
        most = label.size > most ? label.size : most;
    }
    bytes_free(&label);
    return most;
}

static unsigned bar_width(const struct histogram_style *style, size_t label, uint64_t most)
{
    struct bytes count = {0};
    text_natural(&count, most);
    size_t taken = 2 + label + 2 + 1 + count.size + 1;
    bytes_free(&count);
    return style->width < taken + LEAST_BAR ? LEAST_BAR
           : style->width - taken < MAX_BAR ? (unsigned)(style->width - taken)
                                            : MAX_BAR;
}

void histogram_bars(struct bytes *to, const struct aggregate *aggregate,
                    const struct aggregate_row *row, const struct histogram_style *style)
{
    struct lines lines = fitting_lines(aggregate, row);
    size_t label = widest(aggregate, &lines, style->is_time);
    uint64_t most = 1;
    for (size_t i = 0; i < lines.count; i++)
        most = lines.line[i].count > most ? lines.line[i].count : most;
    unsigned width = bar_width(style, label, most);
    for (size_t i = 0; i < lines.count; i++) {
        const struct aggregate_bucket *line = &lines.line[i];
        struct bytes name = {0};
        append_label(&name, aggregate, line, style->is_time);
        size_t start = to->size;
        text_pad(to, start, 2 + label - name.size);
        bytes_append(to, name.data, name.size);
        text_append(to, " |");
        histogram_bar(to, (double)line->count / (double)most, width, style->is_utf8);
        if (line->count) {
            text_char(to, ' ');
            text_natural(to, line->count);
        }
        text_char(to, '\n');
        bytes_free(&name);
    }
    free(lines.line);
}
