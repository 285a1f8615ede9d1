/* SPDX-License-Identifier: BSD-2-Clause */
#include "condition.h"

#include <math.h>
#include <stdlib.h>

/* For each statistic, values of both sides without which it is noise: five are beyond it. */
static const struct {
    const char *name;
    uint64_t least;
} statistics[] = {{"mean", 20}, {"p50", 20}, {"p90", 50}, {"p99", 500}, {"rate", 20}};
enum { STATISTICS = sizeof statistics / sizeof *statistics };
static const double level = 0.05;

static const char *skip_blanks(const char *text)
{
    return text + strspn(text, " \t");
}

/* The unit after the number; 0: there is no such one. */
static double unit_of(const char *text)
{
    static const struct {
        const char *name;
        double size;
    } units[] = {{"%", 0.01}, {"ns", 1}, {"us", 1e3}, {"ms", 1e6}, {"s", 1e9}};
    size_t length = strlen(text);
    while (length && strchr(" \t", text[length - 1]))
        length--;
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (strlen(units[i].name) == length && !memcmp(units[i].name, text, length))
            return units[i].size;
    return 0;
}

static const char *parse_limit(struct condition *condition, const char *text)
{
    char *end;
    if (*text != '+' && *text != '-')
        return "the limit is a change: it needs a + or - before it";
    if (!strchr("0123456789.", text[1]) || !text[1])
        return "the limit is not a number";
    double number = strtod(text, &end), unit = unit_of(skip_blanks(end));
    if (!unit || !isfinite(number))
        return "the limit needs a unit: ns, us, ms, s or a percent sign";
    condition->limit = number * unit;
    condition->is_relative = *skip_blanks(end) == '%';
    if (condition->statistic == CONDITION_RATE && !condition->is_relative)
        return "the limit of a rate needs a percent sign";
    return NULL;
}

const char *condition_parse(struct condition *condition, const char *text)
{
    *condition = (struct condition){.text = text, .statistic = STATISTICS};
    text = skip_blanks(text);
    size_t length = strcspn(text, " \t<>=+-");
    for (int i = 0; i < STATISTICS; i++)
        if (strlen(statistics[i].name) == length && !memcmp(statistics[i].name, text, length))
            condition->statistic = i;
    if (condition->statistic == STATISTICS)
        return "a condition begins with mean, p50, p90, p99 or rate";
    text = skip_blanks(text + length);
    if (*text != '<' && *text != '>')
        return "after the name there is > or <";
    condition->is_above = *text == '>';
    return parse_limit(condition, skip_blanks(text + 1));
}

/* ---- Rows. ---- */

static bool is_judged(const struct condition *condition, const struct row *row)
{
    uint64_t least = statistics[condition->statistic].least;
    if (condition->statistic == CONDITION_RATE)
        return !isnan(row->pace);
    return row_has_latencies(row) && row->sides[0].count >= least && row->sides[1].count >= least;
}

size_t condition_judged(const struct condition *condition, const struct comparison *comparison)
{
    size_t count = 0;
    for (size_t i = 0; i < comparison->count; i++)
        count += is_judged(condition, &comparison->rows[i]);
    return count;
}

static double change_of(const struct condition *condition, const struct row *row)
{
    int i = condition->statistic;
    if (i == CONDITION_RATE)
        return row->rate_change;
    return condition->is_relative ? row->changes[i].change
                                  : row->sides[1].statistics[i] - row->sides[0].statistics[i];
}

/* As far from 0, in the interval's own width, as JUDGED rows together must be. Logarithms, since a
 * change of -50 % is as far as one of +100 %. */
static bool is_sure(const struct change *change, size_t judged)
{
    enum { FREEDOM = 31 }; /* of 32 blocks */
    const double width = 2 * 1.96;
    double error = (log1p(fmax(change->high, -0.999)) - log1p(fmax(change->low, -0.999))) / width;
    double distance = fabs(log1p(fmax(change->change, -0.999)));
    if (error <= 0)
        return distance > 0;
    return student_tails(distance / error, FREEDOM) * (double)judged < level;
}

bool condition_holds(const struct condition *condition, const struct comparison *comparison,
                     struct row *row, size_t judged)
{
    double change = change_of(condition, row);
    bool is_beyond = condition->is_above ? change > condition->limit : change < condition->limit;
    if (!is_judged(condition, row) || !is_beyond)
        return false;
    if (condition->statistic == CONDITION_RATE)
        return row->pace * (double)judged < level;
    row_find_intervals(comparison, row);
    return is_sure(&row->changes[condition->statistic], judged);
}
