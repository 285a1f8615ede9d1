/* SPDX-License-Identifier: BSD-2-Clause */
#include "pace.h"

#include "statistics.h"

#include <math.h>
#include <stdlib.h>

/* How many events SIDE of a group has in each stretch. */
static void count_events(const struct pace *pace, const struct group_side *side, unsigned which,
                         double *counts)
{
    if (!pace->is_by_recording)
        for (size_t i = 0; i < pace->count[which]; i++)
            counts[i] += side->slices[i];
    for (size_t i = 0; pace->is_by_recording && i < side->run_count; i++)
        counts[side->runs[i].recording] += (double)side->runs[i].count;
}

void pace_make(struct pace *pace, const struct groups *groups, const struct side sides[2],
               bool is_by_recording)
{
    *pace = (struct pace){.is_by_recording = is_by_recording};
    for (unsigned which = 0; which < 2; which++) {
        size_t count =
            is_by_recording ? sides[which].recordings : slices_count(&groups->time[which]);
        pace->count[which] = count;
        pace->seconds[which] = memory_zeroed(count + 1, sizeof(double));
        pace->events[which] = memory_zeroed(count + 1, sizeof(double));
        for (size_t i = 0; i < count; i++)
            pace->seconds[which][i] =
                (double)(is_by_recording ? sides[which].durations[i] : groups->time[which].width) /
                1e9;
        for (size_t i = 0; i < groups->count; i++)
            if (!group_split(groups, groups->list[i])->by) {
                const struct group_side *side = &groups->list[i]->sides[which];
                count_events(pace, side, which, pace->events[which]);
                pace->all[which] += (double)side->count;
            }
        pace->all[which] = fmax(pace->all[which], 1);
    }
}

void pace_free(struct pace *pace)
{
    for (unsigned which = 0; which < 2; which++) {
        free(pace->seconds[which]);
        free(pace->events[which]);
    }
    *pace = (struct pace){0};
}

/* For each stretch that has any, the share or the rate of GROUP; *COUNT of them. *LEAST becomes at
 * least what half an event more would be. */
static double *numbers_of(const struct pace *pace, const struct group *group, unsigned which,
                          bool is_share, size_t *count, double *least)
{
    const double *of = is_share ? pace->events[which] : pace->seconds[which];
    double *numbers = memory_zeroed(pace->count[which] + 1, sizeof *numbers), sum = 0;
    count_events(pace, &group->sides[which], which, numbers);
    *count = 0;
    for (size_t i = 0; i < pace->count[which]; i++)
        if (of[i] > 0) {
            numbers[(*count)++] = numbers[i] / of[i];
            sum += of[i];
        }
    if (*count)
        *least = fmax(*least, 0.5 * (double)*count / sum);
    return numbers;
}

double pace_test(const struct pace *pace, const struct group *group, bool is_share)
{
    size_t counts[2];
    double *numbers[2], least = 0, p = NAN;
    for (unsigned which = 0; which < 2; which++)
        numbers[which] = numbers_of(pace, group, which, is_share, &counts[which], &least);
    if (counts[0] > 1 && counts[1] > 1)
        p = test_means(numbers[0], counts[0], numbers[1], counts[1], least * least).p;
    free(numbers[0]);
    free(numbers[1]);
    return p;
}
