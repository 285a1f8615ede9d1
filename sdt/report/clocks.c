/* SPDX-License-Identifier: BSD-2-Clause */
/* See clocks.h. */
#include "clocks.h"

#include "base/diag.h"
#include "print/text.h"
#include "trace/machines.h"

#include <stdio.h>
#include <stdlib.h>

static char *duration(int64_t ns)
{
    struct bytes text = {0};
    if (ns < 0)
        text_char(&text, '-');
    text_latency(&text, (double)(ns < 0 ? -(uint64_t)ns : (uint64_t)ns));
    return bytes_take_text(&text);
}

static const struct message_link *link_of(const struct messages *messages, size_t from, size_t to)
{
    return &messages->links[from * messages->machines + to];
}

/* ---- Contradictions. ---- */

/* The fastest message from A to B, in words. */
static char *describe(const struct recording *recording, const struct messages *messages, size_t a,
                      size_t b)
{
    const struct message_link *link = link_of(messages, a, b);
    struct bytes when = {0};
    char *time = duration(link->least);
    text_time(&when, link->sent);
    text_char(&when, '\0');
    char *text =
        memory_format("from %s to %s in %s (key %s, sent at %s)", recording->machines[a].host,
                      recording->machines[b].host, time, link->key, (const char *)when.data);
    bytes_free(&when);
    free(time);
    return text;
}

static const char option[] = "--match";
static const char remedy[] = "choose a key that no two messages have at once; lost events and "
                             "clocks that drift are other reasons";

/* WHERE is on a way around machines that takes less than no time: it may have only two. */
static int refuse(const struct recording *recording, const struct messages *messages, size_t where)
{
    for (size_t a = 0; a < messages->machines; a++)
        for (size_t b = 0; b < a; b++) {
            const struct message_link *there = link_of(messages, a, b),
                                      *back = link_of(messages, b, a);
            if (!there->count || !back->count || there->least + back->least >= 0)
                continue;
            char *one = describe(recording, messages, a, b);
            char *other = describe(recording, messages, b, a);
            char *problem = memory_format("by the recorded clocks, messages go %s and %s: together "
                                          "less than no time, whatever the clocks say",
                                          one, other);
            diag_refuse(&(struct diag_place){.file = there->kind->text}, problem, NULL, NULL,
                        remedy);
            free(problem);
            free(other);
            free(one);
            return -1;
        }
    char *problem =
        memory_format("by the recorded clocks, messages around several machines, of "
                      "which one is %s, take less than no time, whatever the clocks say",
                      recording->machines[where].host);
    diag_refuse(&(struct diag_place){.file = option}, problem, NULL, NULL, remedy);
    free(problem);
    return -1;
}

/* ---- Alignment. ---- */

static void limit(struct offsets *offsets, const struct messages *messages)
{
    for (size_t a = 0; a < messages->machines; a++)
        for (size_t b = 0; b < messages->machines; b++)
            if (link_of(messages, a, b)->count)
                offsets_limit(offsets, a, b, link_of(messages, a, b)->least);
}

/* How wrong it is at most that machine I is no more ahead than AHEAD, by the kernels' accounts. */
static int64_t error_by_kernel(const struct recording *recording, size_t i, int64_t ahead)
{
    const struct trace_machine *first = &recording->machines[0], *machine = &recording->machines[i];
    if (first->bound < 0 || machine->bound < 0)
        return -1;
    return first->bound + llabs(first->step) + machine->bound + llabs(machine->step) + llabs(ahead);
}

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static struct clock judge(const struct recording *recording, const struct offset *offset, size_t i)
{
    struct clock clock = {.how = i ? CLOCK_AS_RECORDED : CLOCK_FIRST, .ahead = offset->ahead};
    bool has_low = offset->low != -OFFSET_UNKNOWN, has_high = offset->high != OFFSET_UNKNOWN;
    if (i && has_low && has_high) {
        clock.how = CLOCK_BY_MESSAGES;
        clock.error = larger(offset->high - offset->ahead, offset->ahead - offset->low);
    } else if (i) {
        clock.how = has_low || has_high ? CLOCK_ONE_WAY : CLOCK_AS_RECORDED;
        clock.error = error_by_kernel(recording, i, offset->ahead);
    }
    return clock;
}

static void count_messages(struct clocks *clocks)
{
    for (size_t a = 0; a < clocks->count; a++)
        for (size_t b = 0; b < clocks->count; b++) {
            clocks->list[a].from += link_of(&clocks->messages, a, b)->count;
            clocks->list[b].to += link_of(&clocks->messages, a, b)->count;
        }
}

static int solve(struct clocks *clocks, struct recording *recording)
{
    struct offsets offsets;
    struct offset *found = memory_zeroed(clocks->count, sizeof *found);
    size_t where = 0;
    offsets_start(&offsets, clocks->count);
    limit(&offsets, &clocks->messages);
    bool is_solved = offsets_solve(&offsets, found, &where);
    for (size_t i = 0; is_solved && i < clocks->count; i++) {
        clocks->list[i] = judge(recording, &found[i], i);
        machines_shift(recording, i, -found[i].ahead);
    }
    offsets_free(&offsets);
    free(found);
    if (!is_solved)
        return refuse(recording, &clocks->messages, where);
    count_messages(clocks);
    return 0;
}

int clocks_align(struct clocks *clocks, const struct match *match, struct recording *recording)
{
    clocks->count = recording->machine_count;
    clocks->list = memory_zeroed(clocks->count, sizeof *clocks->list);
    messages_find(&clocks->messages, match, recording);
    return solve(clocks, recording);
}

/* ---- What was done. ---- */

static const char *plural(uint64_t count)
{
    return count == 1 ? "" : "s";
}

char *clocks_how(const struct clocks *clocks, size_t i)
{
    const struct clock *clock = &clocks->list[i];
    unsigned long long to = clock->to, from = clock->from;
    switch (clock->how) {
    case CLOCK_FIRST:
        return memory_format("all times are shown by it");
    case CLOCK_BY_MESSAGES:
        return memory_format("by %llu message%s to it and %llu from it", to, plural(to), from);
    case CLOCK_ONE_WAY:
        return memory_format("by %llu message%s to it and %llu from it, which leave one side open",
                             to, plural(to), from);
    default:
        return memory_format(clock->ahead       ? "by messages, but none reach the first host"
                             : clock->error < 0 ? "as recorded; no message and no kernel says more"
                                                : "as recorded; by what the kernels say of theirs");
    }
}

static void tell(const struct clock *clock, const struct trace_machine *machine, const char *how)
{
    struct bytes text = {0};
    text_duration(&text, clock->ahead < 0 ? -clock->ahead : clock->ahead);
    char *ahead = bytes_take_text(&text);
    char *error = clock->error < 0 ? memory_format("an unknown error") : duration(clock->error);
    fprintf(stderr, "sdt: clock of %s (%s): ", machine->host, machine->directory);
    if (clock->how == CLOCK_FIRST)
        fprintf(stderr, "%s\n", how);
    else if (clock->ahead)
        fprintf(stderr, "%s s %s, put right, ± %s, %s\n", ahead,
                clock->ahead > 0 ? "ahead" : "behind", error, how);
    else
        fprintf(stderr, "not shifted, ± %s, %s\n", error, how);
    free(error);
    free(ahead);
}

void clocks_tell(const struct clocks *clocks, const struct recording *recording)
{
    const struct messages *messages = &clocks->messages;
    for (size_t i = 0; clocks->count > 1 && i < clocks->count; i++) {
        char *how = clocks_how(clocks, i);
        tell(&clocks->list[i], &recording->machines[i], how);
        free(how);
    }
    if (!messages->compared && (messages->local || messages->left_over))
        fprintf(stderr,
                "sdt: no message went from one host to another: of %llu both ends are on one host, "
                "of %llu one end is missing\n",
                (unsigned long long)messages->local, (unsigned long long)messages->left_over);
    if (messages->ambiguous)
        fprintf(stderr, "sdt: %llu key%s ambiguous: sent or received by two processes at once\n",
                (unsigned long long)messages->ambiguous,
                messages->ambiguous == 1 ? " was" : "s were");
    if (messages->too_many)
        fprintf(stderr, "sdt: %llu messages were not compared: too many are open\n",
                (unsigned long long)messages->too_many);
}

void clocks_free(struct clocks *clocks)
{
    free(clocks->list);
    messages_free(&clocks->messages);
    *clocks = (struct clocks){0};
}

/* ---- Recordings apart. ---- */

struct range {
    const char *directory;
    int64_t first, last;
};

static size_t find_ranges(const struct recording *recording, struct range *ranges)
{
    size_t count = 0;
    for (size_t i = 0; i < recording->trace_count; i++) {
        const struct trace *trace = &recording->traces[i];
        for (size_t k = 0; k < trace->stream_count; k++) {
            const struct stream *stream = &trace->streams[k];
            if (!stream->events)
                continue;
            int64_t first = trace_time(trace, stream->earliest);
            int64_t last = trace_time(trace, stream->timestamp);
            struct range *range = count ? &ranges[count - 1] : NULL;
            if (!range || range->directory != trace->directory) {
                ranges[count++] = (struct range){trace->directory, first, last};
                continue;
            }
            range->first = first < range->first ? first : range->first;
            range->last = last > range->last ? last : range->last;
        }
    }
    return count;
}

void clocks_warn_apart(const struct recording *recording)
{
    struct range *ranges = memory_zeroed(recording->trace_count + 1, sizeof *ranges);
    size_t count = find_ranges(recording, ranges);
    for (size_t i = 0; count > 1 && i < count; i++) {
        bool overlaps = false;
        for (size_t k = 0; k < count; k++)
            overlaps = overlaps || (k != i && ranges[k].first <= ranges[i].last &&
                                    ranges[i].first <= ranges[k].last);
        if (!overlaps)
            diag_warn(&(struct diag_place){.file = ranges[i].directory},
                      "no other recording overlaps with it in time",
                      "if they should, look at the clocks of the hosts, or name messages: --match");
    }
    free(ranges);
}
