/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See statistics.h. The tests are of three steps: a number for each value (how many of the other
 * sample it exceeds, or whether it is in the tail), its mean in each sample, and the variance of
 * that mean from the sums of blocks. bootstrap.c has the intervals.
 */
#include "statistics.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

int sample_compare(const void *a, const void *b)
{
    int64_t one = ((const struct sample_value *)a)->value;
    int64_t other = ((const struct sample_value *)b)->value;
    return (one > other) - (one < other);
}

double sample_quantile(const struct sample *sample, double share)
{
    double place = share * (double)(sample->count - 1);
    size_t below = (size_t)place;
    double low = (double)sample->values[below].value;
    if (below + 1 >= sample->count)
        return low;
    double high = (double)sample->values[below + 1].value;
    return low + (place - (double)below) * (high - low);
}

double sample_mean(const struct sample *sample)
{
    double sum = 0;
    for (size_t i = 0; i < sample->count; i++)
        sum += (double)sample->values[i].value;
    return sum / (double)sample->count;
}

double sample_mean_below(const struct sample *sample, int64_t limit)
{
    double sum = 0;
    for (size_t i = 0; i < sample->count; i++)
        sum += (double)(sample->values[i].value < limit ? sample->values[i].value : limit);
    return sum / (double)sample->count;
}

/* ---- Student's distribution. ---- */

/*
 * The continued fraction of the incomplete beta function, by Lentz: each turn multiplies the value
 * by the next two of its parts.
 */
static double beta_fraction(double a, double b, double x)
{
    const double least = 1e-300;
    double c = 1, d = 1 - (a + b) * x / (a + 1);
    d = 1 / (fabs(d) < least ? least : d);
    double value = d;
    for (int n = 1; n < 1000; n++) {
        double even = n * (b - n) * x / ((a + 2 * n - 1) * (a + 2 * n));
        double odd = -(a + n) * (a + b + n) * x / ((a + 2 * n) * (a + 2 * n + 1));
        double before = value;
        for (int part = 0; part < 2; part++) {
            double factor = part ? odd : even;
            d = 1 + factor * d;
            d = 1 / (fabs(d) < least ? least : d);
            c = 1 + factor / c;
            c = fabs(c) < least ? least : c;
            value *= c * d;
        }
        if (fabs(value - before) < 1e-15 * fabs(value))
            break;
    }
    return value;
}

/* The regularized incomplete beta function: the share of its integral that is below X. */
static double beta_share(double a, double b, double x)
{
    if (x <= 0 || x >= 1)
        return x <= 0 ? 0 : 1;
    double front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x));
    return x < (a + 1) / (a + b + 2) ? front * beta_fraction(a, b, x) / a
                                     : 1 - front * beta_fraction(b, a, 1 - x) / b;
}

double student_tails(double t, double freedom)
{
    return isfinite(t) ? beta_share(freedom / 2, 0.5, freedom / (freedom + t * t)) : 0;
}

/* ---- Tests. ---- */

/* A mean, the variance of that mean, and the number of independent parts that it comes from. */
struct mean {
    double mean, variance, parts;
};

/* LEAST: what the variance is at least. */
static struct test_result compare_means(struct mean a, struct mean b, double least)
{
    double variance = a.variance + b.variance;
    double freedom =
        variance * variance /
        (a.variance * a.variance / (a.parts - 1) + b.variance * b.variance / (b.parts - 1));
    if (!(variance > least)) {
        variance = least;
        freedom = a.parts + b.parts - 2;
    }
    double difference = b.mean - a.mean;
    double t = difference == 0 ? 0 : difference / sqrt(variance);
    return (struct test_result){student_tails(t, freedom), t, freedom};
}

/* The mean of a number for each value of SAMPLE: NUMBERS[I] for value I. */
static struct mean mean_of(const struct sample *sample, const double *numbers)
{
    double *sums = memory_zeroed(sample->blocks, sizeof *sums), sum = 0, squares = 0;
    double n = (double)sample->count, blocks = sample->blocks;
    for (size_t i = 0; i < sample->count; i++)
        sum += numbers[i];
    for (size_t i = 0; i < sample->count; i++)
        sums[sample->values[i].block] += numbers[i] - sum / n;
    for (size_t i = 0; i < sample->blocks; i++)
        squares += sums[i] * sums[i];
    free(sums);
    return (struct mean){sum / n, blocks / (blocks - 1) * squares / (n * n), blocks};
}

/* Two samples in which everything is in order have no variance at all: then one value more or less
 * on the wrong side is what there could have been. */
static double least_variance(const struct sample *a, const struct sample *b)
{
    return 1 / ((double)a->count * (double)b->count);
}

/* For each value of A, the share of B that is below it, ties counted half. */
static double *shares_below(const struct sample *a, const struct sample *b)
{
    double *shares = memory_zeroed(a->count, sizeof *shares);
    size_t below = 0, equal = 0;
    for (size_t i = 0; i < a->count; i++) {
        int64_t value = a->values[i].value;
        while (below < b->count && b->values[below].value < value)
            below++;
        equal = equal > below ? equal : below;
        while (equal < b->count && b->values[equal].value == value)
            equal++;
        shares[i] = ((double)below + (double)(equal - below) / 2) / (double)b->count;
    }
    return shares;
}

struct test_result test_ranks(const struct sample *a, const struct sample *b, double *greater)
{
    double *of_a = shares_below(a, b), *of_b = shares_below(b, a);
    struct mean mean_a = mean_of(a, of_a), mean_b = mean_of(b, of_b);
    free(of_a);
    free(of_b);
    *greater = mean_b.mean;
    mean_a.mean = 0.5; /* both means say the same: they add up to 1 */
    return compare_means(mean_a, mean_b, least_variance(a, b));
}

int64_t sample_common_quantile(const struct sample *a, const struct sample *b, double share)
{
    size_t i = 0, k = 0, wanted = (size_t)(share * (double)(a->count + b->count - 1));
    while (i + k < wanted)
        if (k == b->count || (i < a->count && a->values[i].value <= b->values[k].value))
            i++;
        else
            k++;
    return k == b->count || (i < a->count && a->values[i].value <= b->values[k].value)
               ? a->values[i].value
               : b->values[k].value;
}

/* The share of values above LIMIT. */
static struct mean mean_above(const struct sample *sample, int64_t limit)
{
    double *is_above = memory_zeroed(sample->count, sizeof *is_above);
    for (size_t i = 0; i < sample->count; i++)
        is_above[i] = sample->values[i].value > limit;
    struct mean mean = mean_of(sample, is_above);
    free(is_above);
    return mean;
}

struct test_result test_tail(const struct sample *a, const struct sample *b, double share)
{
    int64_t limit = sample_common_quantile(a, b, share);
    return compare_means(mean_above(a, limit), mean_above(b, limit), least_variance(a, b));
}

static struct mean mean_of_list(const double *list, size_t count, double least)
{
    double sum = 0, squares = 0, n = (double)count;
    for (size_t i = 0; i < count; i++)
        sum += list[i];
    for (size_t i = 0; i < count; i++)
        squares += (list[i] - sum / n) * (list[i] - sum / n);
    double variance = squares / (n - 1);
    return (struct mean){sum / n, (variance > least ? variance : least) / n, n};
}

struct test_result test_means(const double *a, size_t a_count, const double *b, size_t b_count,
                              double least)
{
    return compare_means(mean_of_list(a, a_count, least), mean_of_list(b, b_count, least), 0);
}

/* ---- Many tests. ---- */

struct place {
    double p;
    size_t at;
};

static int by_p(const void *a, const void *b)
{
    const struct place *one = a, *other = b;
    return one->p != other->p ? (one->p < other->p ? -1 : 1)
                              : (one->at > other->at) - (one->at < other->at);
}

/* The surest of N is held against all N, the next one against N - 1, and so on; and none becomes
 * surer than the one before it. */
void holm_correct(double *p, size_t count)
{
    struct place *places = memory_zeroed(count + 1, sizeof *places);
    double most = 0;
    for (size_t i = 0; i < count; i++)
        places[i] = (struct place){p[i], i};
    qsort(places, count, sizeof *places, by_p);
    for (size_t i = 0; i < count; i++) {
        most = fmax(most, fmin(1, places[i].p * (double)(count - i)));
        p[places[i].at] = most;
    }
    free(places);
}
