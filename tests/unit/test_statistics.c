/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The statistics of sdt diff, against numbers that scipy 1.10 and numpy 1.24 give (the calls stand
 * beside them), and, where no book has a number, against what must hold.
 */
#include "check.h"

#include <diff/slices.h>
#include <diff/statistics.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool is_near(double number, double expected)
{
    return fabs(number - expected) <= 1e-9 * fabs(expected);
}

/* The COUNT values at VALUES, in order of time; a block for each if BLOCKS is 0. */
static struct sample make(const int64_t *values, size_t count, uint32_t blocks)
{
    struct sample sample = {calloc(count, sizeof *sample.values), count,
                            blocks ? blocks : (uint32_t)count};
    for (size_t i = 0; i < count; i++)
        sample.values[i] = (struct sample_value){values[i], (uint32_t)(i * sample.blocks / count)};
    qsort(sample.values, count, sizeof *sample.values, sample_compare);
    return sample;
}

static void test_quantiles(void)
{
    struct sample sample = make((const int64_t[]){20, 1, 7, 5}, 4, 0);
    /* numpy.quantile([1, 5, 7, 20], [0, .5, .9, .99, 1]) */
    CHECK(is_near(sample_quantile(&sample, 0), 1));
    CHECK(is_near(sample_quantile(&sample, 0.5), 6));
    CHECK(is_near(sample_quantile(&sample, 0.9), 16.1));
    CHECK(is_near(sample_quantile(&sample, 0.99), 19.61));
    CHECK(is_near(sample_quantile(&sample, 1), 20));
    CHECK(is_near(sample_mean(&sample), 8.25));
    free(sample.values);
}

static void test_student(void)
{
    /* 2 * scipy.stats.t.sf(t, freedom) */
    CHECK(is_near(student_tails(2.0, 10), 0.07338803477074039));
    CHECK(is_near(student_tails(-4.5, 38), 6.243141215626563e-05));
    CHECK(is_near(student_tails(0.3, 2.5), 0.7873423714951973));
    CHECK(is_near(student_tails(12, 62), 8.187065586522846e-18));
    CHECK(student_tails(0, 5) == 1 && student_tails(INFINITY, 5) == 0);
}

static void test_the_test_of_ranks(void)
{
    /* scipy.stats.brunnermunzel(a, b) */
    const int64_t a[] = {1, 2, 1, 1, 1, 1, 1, 1, 1, 1, 2, 4, 1, 1};
    const int64_t b[] = {3, 3, 4, 3, 1, 2, 3, 1, 1, 5, 4};
    struct sample one = make(a, 14, 0), other = make(b, 11, 0);
    double greater;
    struct test_result result = test_ranks(&one, &other, &greater);
    CHECK(is_near(result.t, 3.1374674823029505));
    CHECK(is_near(result.p, 0.005786208666151538));
    /* (rank sum of b - 11 * 12 / 2) / (14 * 11): scipy.stats.mannwhitneyu(b, a).statistic is 121.5
     */
    CHECK(is_near(greater, 121.5 / 154));
    result = test_ranks(&other, &one, &greater);
    CHECK(is_near(result.t, -3.1374674823029505) && is_near(greater, 1 - 121.5 / 154));
    free(one.values);
    free(other.values);
}

static void test_samples_without_variance(void)
{
    const int64_t low[] = {1, 2, 3, 4}, high[] = {11, 12, 13, 14};
    struct sample one = make(low, 4, 0), other = make(high, 4, 0);
    double greater;
    struct test_result result = test_ranks(&one, &other, &greater);
    CHECK(greater == 1 && result.p > 0 && result.p < 0.2);
    result = test_ranks(&one, &one, &greater);
    CHECK(greater == 0.5 && result.p == 1);
    free(one.values);
    free(other.values);
}

static void test_means_of_lists(void)
{
    /* scipy.stats.ttest_ind(a, b, equal_var=False) */
    const double a[] = {3, 5, 4, 6, 9}, b[] = {8, 7, 12, 9};
    struct test_result result = test_means(a, 5, b, 4, 0);
    CHECK(is_near(result.t, 2.4125420786873595) && is_near(result.p, 0.047880389472794466));
    const double flat[] = {2, 2, 2, 2};
    CHECK(test_means(flat, 4, flat, 4, 0.25).p == 1);
    CHECK(is_near(test_means(flat, 4, (const double[]){3, 3, 3, 3}, 4, 0.25).t, sqrt(8)));
}

static void test_holm(void)
{
    double p[] = {0.01, 0.04, 0.03, 0.005}; /* statsmodels: multipletests(p, method="holm") */
    holm_correct(p, 4);
    CHECK(is_near(p[0], 0.03) && is_near(p[1], 0.06));
    CHECK(is_near(p[2], 0.06) && is_near(p[3], 0.02));
    double large[] = {0.9, 0.8};
    holm_correct(large, 2);
    CHECK(large[0] == 1 && large[1] == 1);
    holm_correct(large, 0);
}

/* ---- Invented samples. ---- */

static uint64_t state;

static double uniform(void)
{
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(state >> 11) / 9007199254740992.0;
}

/* Values of 100 us and more, with a tail: 2 % of them take three times as long. Each run of RUN
 * values has a noise in common. */
static void invent(int64_t *values, size_t count, size_t run, double factor)
{
    double common = 1;
    for (size_t i = 0; i < count; i++) {
        if (i % run == 0)
            common = 1 + (run > 1 ? 0.2 * uniform() : 0);
        double tail = uniform() < 0.02 ? 3 : 1;
        values[i] = (int64_t)(1e5 * factor * common * tail * (1 + 0.2 * uniform()));
    }
}

enum { MANY = 4000 };
static int64_t values_a[MANY], values_b[MANY];

/* How many of ROUNDS comparisons are sure at 5 %. */
static int sure(uint64_t seed, int rounds, size_t run, double factor, uint32_t blocks)
{
    int count = 0;
    state = seed;
    for (int i = 0; i < rounds; i++) {
        double greater;
        invent(values_a, MANY, run, 1);
        invent(values_b, MANY, run, factor);
        struct sample a = make(values_a, MANY, blocks), b = make(values_b, MANY, blocks);
        count += test_ranks(&a, &b, &greater).p < 0.05;
        free(a.values);
        free(b.values);
    }
    return count;
}

/* What blocks are for: with common noise, a test that takes each value for itself finds differences
 * where there are none. */
static void test_blocks(void)
{
    CHECK(sure(1, 100, 1, 1, 32) <= 11);   /* of independent values, as promised: 5 of 100 */
    CHECK(sure(2, 100, 125, 1, 32) <= 11); /* as long as a block */
    CHECK(sure(2, 100, 125, 1, 0) >= 40);  /* without blocks */
    CHECK(sure(3, 20, 1, 1.02, 32) == 20); /* 2 %, with noise of 20 % */
}

static void test_the_test_of_tails(void)
{
    struct test_result same, longer;
    state = 4;
    invent(values_a, MANY, 1, 1);
    invent(values_b, MANY, 1, 1);
    struct sample a = make(values_a, MANY, 32), b = make(values_b, MANY, 32);
    same = test_tail(&a, &b, 0.99);
    free(b.values);
    for (size_t i = 0; i < MANY; i += 50) /* 2 % more of the slowest */
        values_b[i] = 400000;
    b = make(values_b, MANY, 32);
    longer = test_tail(&a, &b, 0.99);
    CHECK(same.p > 0.05 && longer.p < 1e-6 && longer.t > 0);
    free(a.values);
    free(b.values);
}

/* In how many of ROUNDS the interval of change I has a change of 5 % that is there. */
static int covered(int rounds, int i)
{
    int count = 0;
    for (int round = 0; round < rounds; round++) {
        struct change changes[CHANGES];
        invent(values_a, 1000, 1, 1);
        invent(values_b, 1000, 1, 1.05);
        struct sample a = make(values_a, 1000, 32), b = make(values_b, 1000, 32);
        bootstrap_changes(&a, &b, (uint64_t)round, changes);
        count += changes[i].low <= 0.05 && changes[i].high >= 0.05;
        free(a.values);
        free(b.values);
    }
    return count;
}

static void test_bootstrap(void)
{
    struct change once[CHANGES], again[CHANGES], other[CHANGES];
    state = 5;
    invent(values_a, MANY, 1, 1);
    invent(values_b, MANY, 1, 1.05);
    struct sample a = make(values_a, MANY, 32), b = make(values_b, MANY, 32);
    bootstrap_changes(&a, &b, 7, once);
    bootstrap_changes(&a, &b, 7, again);
    bootstrap_changes(&a, &b, 8, other);
    CHECK(!memcmp(once, again, sizeof once) && memcmp(once, other, sizeof once) != 0);
    for (int i = 0; i < CHANGES; i++)
        CHECK(once[i].low <= once[i].change && once[i].change <= once[i].high);
    CHECK(once[CHANGE_P50].low > 0.03 && once[CHANGE_P50].high < 0.07);
    free(a.values);
    free(b.values);
    CHECK(covered(100, CHANGE_MEAN) >= 88 && covered(100, CHANGE_P50) >= 88);
}

static void test_slices(void)
{
    struct slices time = {0};
    uint32_t counts[SLICES] = {0};
    for (int64_t at = 0; at <= 1000000; at += 1000) { /* a hit each us, for 1 ms */
        while (!slices_have(&time, at)) {
            slices_widen(&time);
            slices_join(counts);
        }
        counts[at / time.width]++;
        time.time = at;
    }
    CHECK(slices_count(&time) > SLICES / 2 - 2 && slices_count(&time) <= SLICES);
    uint32_t sum = 0;
    for (unsigned i = 0; i < SLICES; i++)
        sum += counts[i];
    CHECK(sum == 1001);
    for (unsigned i = 0; i < slices_count(&time); i++)
        CHECK(counts[i] + 1 >= time.width / 1000 && counts[i] <= time.width / 1000 + 1);
}

int main(void)
{
    test_quantiles();
    test_student();
    test_the_test_of_ranks();
    test_samples_without_variance();
    test_means_of_lists();
    test_holm();
    test_blocks();
    test_the_test_of_tails();
    test_bootstrap();
    test_slices();
    return check_failures != 0;
}
