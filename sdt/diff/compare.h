/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Groups become rows: how each differs between A and B, how sure that is, and what it contributes.
 *
 * A second of A has some time in each pair, and so has one of B. The difference is the sum of two
 * parts: each pair takes longer, at the mean rate; and there are more of them, at the mean
 * latency. The first of these parts is divided again: the slowest twentieth of all is mostly what
 * the machine did meanwhile, and is so large that the rest would not be seen beside it.
 *
 * Findings of usual latencies and rates are sorted by their parts; those of the slowest come after
 * them, and then the other rows by how sure they are.
 *
 * Three things are tested: latencies as a whole (test_ranks()), the slowest hundredth of them
 * (test_tail()), and how often (pace_test()). All tests of all rows are corrected together. A
 * difference that is sure is a *finding* only if it is also large enough: two runs of one program
 * on one machine differ by a percent, and with a million events that is sure as well.
 */
#ifndef SDT_DIFF_COMPARE_H
#define SDT_DIFF_COMPARE_H

#include "collect.h"
#include "statistics.h"

enum finding {
    FINDING_SLOWER = 1,
    FINDING_FASTER = 2,
    FINDING_TAIL_SLOWER = 4,
    FINDING_TAIL_FASTER = 8,
    FINDING_MORE = 16,
    FINDING_FEWER = 32
};

enum { TEST_RANKS, TEST_TAIL, TEST_RATE, TESTS };

struct row_side {
    uint64_t count;
    double rate;                /* per second */
    double statistics[CHANGES]; /* of latencies, in ns */
};

enum rank { RANK_USUAL, RANK_SLOWEST, RANK_NOTHING };

struct row {
    const struct group *group;
    const struct split *split;
    const struct subject *subject;
    struct row_side sides[2];
    double p[TESTS]; /* corrected; NAN: not tested, since there are too few events */
    double pace;     /* the same of the rate as it is, not corrected */
    double surest;   /* the least of P, before they were corrected */
    double greater;  /* the probability that one of B takes longer than one of A */
    double usual_part, slowest_part, rate_part; /* ns more in each second */
    enum rank rank;
    double part; /* ns more in each second, of what was found; else all of them */
    bool has_intervals;
    struct change changes[CHANGES]; /* intervals only if it has some */
    double rate_change;             /* 0.05: 5 % more; INFINITY: there were none */
    double share_change;            /* the same of the share in all events that are in rows */
    unsigned findings;
};

struct comparison {
    const struct groups *groups;
    const struct side *sides; /* A and B */
    double at_least[2];       /* change that is a finding: of latencies, and of rates */
    struct row *rows;
    size_t count, findings;
    uint64_t unkept;       /* hits of keys beyond the limit, in splits that are rows */
    const char **left_out; /* what splits have too many keys to explain anything */
    size_t left_out_count;
};

/* HAS_KEYS: splits were asked for, and none is left out. */
void comparison_make(struct comparison *comparison, bool has_keys);
void comparison_free(struct comparison *comparison);

/* The values of ROW on one side, in blocks, for those who show them; freed by the caller. */
struct sample row_sample(const struct comparison *comparison, const struct row *row,
                         unsigned which);
/* Whether both sides have latencies. */
bool row_has_latencies(const struct row *row);
/* Find the intervals of ROW, if it has latencies. */
void row_find_intervals(const struct comparison *comparison, struct row *row);

#endif
