/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Whether two samples differ, and by how much. Pure.
 *
 * Latencies are not normally distributed, and neighbouring ones resemble each other: a cold cache,
 * a busy minute. So nothing here assumes a distribution, and nothing takes values for independent:
 * a sample is divided into *blocks* of values that were measured one after the other, and the
 * variance is that between blocks. With a block for each value, these are the tests of the books.
 */
#ifndef SDT_STATISTICS_H
#define SDT_STATISTICS_H

#include <stddef.h>
#include <stdint.h>

struct sample_value {
    int64_t value;
    uint32_t block;
};

struct sample {
    struct sample_value *values; /* by value */
    size_t count;
    uint32_t blocks; /* each has values */
};

/* By value, for qsort. */
int sample_compare(const void *a, const void *b);

/* The quantile SHARE, between the values around it as in most other programs; count is not 0. */
double sample_quantile(const struct sample *sample, double share);
double sample_mean(const struct sample *sample);
/* The mean, if those above LIMIT were LIMIT. */
double sample_mean_below(const struct sample *sample, int64_t limit);
/* About the quantile SHARE of both together. */
int64_t sample_common_quantile(const struct sample *a, const struct sample *b, double share);

struct test_result {
    double p; /* of a difference at least as large, in either direction, if there is none */
    double t, freedom;
};

/*
 * Is a value of B rather greater than one of A? The test of Brunner and Munzel: that of Mann and
 * Whitney, but right if the two differ in spread as well. *GREATER becomes the probability that a
 * value of B is greater than one of A, ties counted half. Both have two blocks or more.
 */
struct test_result test_ranks(const struct sample *a, const struct sample *b, double *greater);

/* Are there more values above the quantile SHARE of A and B together in one of them? */
struct test_result test_tail(const struct sample *a, const struct sample *b, double share);

/* Do the means differ? Welch's test of two lists of two numbers or more. A variance that is less
 * than LEAST is taken for that. */
struct test_result test_means(const double *a, size_t a_count, const double *b, size_t b_count,
                              double least);

/* The probability that Student's t with that many degrees of freedom is further from 0 than T. */
double student_tails(double t, double freedom);

/* Make of COUNT probabilities of single tests those of all together, by Holm: the probability that
 * any of the tests that are at least as sure is wrong. */
void holm_correct(double *p, size_t count);

/* A change from A to B, with the interval that it is in with 95 % confidence: 0.05 is 5 % more. */
struct change {
    double change, low, high;
};

enum { CHANGE_MEAN, CHANGE_P50, CHANGE_P90, CHANGE_P99, CHANGES };
extern const double change_shares[CHANGES]; /* that of the mean is 0 */

/*
 * The changes of the mean and of quantiles, by bootstrap: blocks are drawn at random, as many as
 * there are, many times, and the interval is where 95 % of the results are. It needs no formula for
 * the variance of a quantile. The same SEED gives the same numbers.
 */
void bootstrap_changes(const struct sample *a, const struct sample *b, uint64_t seed,
                       struct change changes[CHANGES]);

#endif
