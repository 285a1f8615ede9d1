/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What --fail-if waits for: a change of a statistic that is larger than allowed,
 *
 *     mean|p50|p90|p99|rate  >|<  +|-NUMBER %|ns|us|ms|s
 *
 * It holds of a row if the change is beyond the limit, and is a change at all: noise must not fail
 * a build. For that, the interval of the change, made as much wider as there are rows, must not
 * contain 0.
 */
#ifndef SDT_DIFF_CONDITION_H
#define SDT_DIFF_CONDITION_H

#include "compare.h"

enum { CONDITION_RATE = CHANGES };

struct condition {
    const char *text;
    int statistic; /* enum of changes, or CONDITION_RATE */
    bool is_above;
    bool is_relative;
    double limit; /* a share, or ns */
};

/* NULL, or what is wrong with TEXT: a sentence. */
const char *condition_parse(struct condition *condition, const char *text);
/* How many rows of COMPARISON have enough values to be judged. */
size_t condition_judged(const struct condition *condition, const struct comparison *comparison);
/* Whether it holds of ROW, of JUDGED rows. */
bool condition_holds(const struct condition *condition, const struct comparison *comparison,
                     struct row *row, size_t judged);

#endif
