/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Two distributions over each other. The axis is logarithmic, as latencies are; each curve shows
 * which share of its own side is where, so that sides of different sizes can be compared.
 */
#include "page.h"
#include "print/text.h"

#include <math.h>
#include <stdlib.h>

enum { BINS = 100, WIDTH = 1000, HEIGHT = 150, AXIS = 18 };

struct axis {
    double low, high; /* logarithms of ns */
};

static double place_of(const struct axis *axis, double ns)
{
    double share = (log(fmax(ns, 1)) - axis->low) / (axis->high - axis->low);
    return WIDTH * fmin(fmax(share, 0), 1);
}

/* From the fastest to the slowest of both, and at least a factor of two. */
static struct axis make_axis(const struct sample samples[2])
{
    double low = INFINITY, high = 0;
    for (unsigned which = 0; which < 2; which++)
        if (samples[which].count) {
            low = fmin(low, (double)samples[which].values[0].value);
            high = fmax(high, (double)samples[which].values[samples[which].count - 1].value);
        }
    low = log(fmax(low, 1));
    high = log(fmax(high, 1));
    double margin = fmax(0.02 * (high - low), high - low < M_LN2 ? M_LN2 / 2 : 0);
    return (struct axis){low - margin, high + margin};
}

static void count_bins(const struct axis *axis, const struct sample *sample, double bins[BINS])
{
    for (size_t i = 0; i < BINS; i++)
        bins[i] = 0;
    for (size_t i = 0; i < sample->count; i++) {
        size_t bin = (size_t)(place_of(axis, (double)sample->values[i].value) * BINS / WIDTH);
        bins[bin < BINS ? bin : BINS - 1] += 1 / (double)sample->count;
    }
}

static void append_curve(struct bytes *to, const double bins[BINS], double most, const char *class)
{
    text_append(to, "<path class=\"");
    text_append(to, class);
    page_number(to, "\" d=\"M0 ", HEIGHT, "");
    for (size_t i = 0; i < BINS; i++) {
        page_number(to, "L", (double)i * WIDTH / BINS, " ");
        page_number(to, "", HEIGHT * (1 - bins[i] / most), "");
        page_number(to, "H", (double)(i + 1) * WIDTH / BINS, "");
    }
    page_number(to, "V", HEIGHT, "Z\"/>\n");
}

static void append_tick(struct bytes *to, const struct axis *axis, double ns)
{
    double x = place_of(axis, ns);
    if (log(ns) < axis->low || log(ns) > axis->high)
        return;
    page_number(to, "<path class=\"axis\" d=\"M", x, " 0");
    page_number(to, "V", HEIGHT, "\"/><text class=\"tick\" text-anchor=\"middle\" ");
    page_number(to, "x=\"", x, "\" ");
    page_number(to, "y=\"", HEIGHT + AXIS - 4, "\">");
    text_latency(to, ns);
    text_append(to, "</text>\n");
}

/* Powers of ten, with 2 and 5 of them if there are few. */
static void append_ticks(struct bytes *to, const struct axis *axis)
{
    static const unsigned digits[] = {1, 2, 5};
    size_t count = axis->high - axis->low < 3 * M_LN10 ? 3 : 1;
    uint64_t power = 1;
    for (unsigned i = 0; i <= 15; i++, power *= 10)
        for (size_t k = 0; k < count; k++)
            append_tick(to, axis, (double)(digits[k] * power));
}

void page_curves(struct bytes *to, const struct comparison *comparison, const struct row *row)
{
    struct sample samples[2];
    double bins[2][BINS], most = 0;
    for (unsigned which = 0; which < 2; which++)
        samples[which] = row_sample(comparison, row, which);
    struct axis axis = make_axis(samples);
    for (unsigned which = 0; which < 2; which++) {
        count_bins(&axis, &samples[which], bins[which]);
        for (size_t i = 0; i < BINS; i++)
            most = fmax(most, bins[which][i]);
        free(samples[which].values);
    }
    page_number(to, "<svg class=\"distribution\" role=\"img\" viewBox=\"0 0 ", WIDTH, " ");
    page_number(to, "", HEIGHT + AXIS, "\" aria-label=\"Latencies of A and B\">\n");
    append_ticks(to, &axis);
    append_curve(to, bins[0], most, "a");
    append_curve(to, bins[1], most, "b");
    text_append(to, "</svg>\n");
}
