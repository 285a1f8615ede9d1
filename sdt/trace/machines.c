/* SPDX-License-Identifier: BSD-2-Clause */
/* See machines.h. */
#include "machines.h"

#include "base/diag.h"
#include "metadata.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What setting a clock changes less by is no more than how exactly it is read. */
enum { LEAST_STEP = 1000000 };
static const double seconds = 1e-9;

static bool is_same_machine(const struct trace *a, const struct trace *b)
{
    if (*a->boot || *b->boot)
        return strcmp(a->boot, b->boot) == 0;
    return a->directory == b->directory && strcmp(a->host, b->host) == 0;
}

/* A process that is recorded twice is two: its number may be another one's the second time. */
static bool is_same_space(const struct trace *a, const struct trace *b)
{
    return a->directory == b->directory && a->machine == b->machine && a->pid_space == b->pid_space;
}

static void add_machine(struct recording *recording, struct trace *trace)
{
    size_t count = recording->machine_count;
    recording->machines =
        memory_resize(recording->machines, count + 1, sizeof *recording->machines);
    recording->machines[count] = (struct trace_machine){
        .host = trace->host, .boot = trace->boot, .directory = trace->directory, .bound = -1};
    trace->machine = count;
    recording->machine_count++;
}

/* TRACE is of the machine of FIRST. Whose clocks count from different moments, they cannot be
 * compared. */
static void follow_steps(struct trace *trace, const struct trace *first)
{
    int64_t step = first->wall - trace->wall;
    if (!*trace->boot || trace->time_space != first->time_space || llabs(step) < LEAST_STEP)
        return;
    trace->shift = step;
}

static void find_machine(struct recording *recording, size_t i)
{
    struct trace *trace = &recording->traces[i];
    for (size_t k = 0; k < i; k++)
        if (is_same_machine(&recording->traces[k], trace)) {
            trace->machine = recording->traces[k].machine;
            follow_steps(trace, &recording->traces[k]);
            return;
        }
    add_machine(recording, trace);
}

static int find_space(struct recording *recording, size_t i)
{
    struct trace *trace = &recording->traces[i];
    for (size_t k = 0; k < i; k++)
        if (is_same_space(&recording->traces[k], trace)) {
            trace->space = recording->traces[k].space;
            return 0;
        }
    trace->space = (unsigned)recording->space_count++;
    return recording->space_count > TRACE_MAX_SPACES
               ? diag_error("%s: more than %d recordings and containers: report fewer at once",
                            trace->directory, TRACE_MAX_SPACES)
               : 0;
}

/* ---- What `sdt record` has noted. ---- */

struct noted_clock {
    const char *boot;
    int64_t wall, bound;
};

static bool read_signed(const char *word, int64_t *number)
{
    char *end;
    *number = word ? (int64_t)strtoll(word, &end, 10) : 0;
    return word && *word && !*end;
}

static bool read_clock(char *line, struct noted_clock *clock)
{
    line[strcspn(line, "\n")] = '\0';
    const char *what = metadata_word(&line);
    clock->boot = what && !strcmp(what, CLOCK_WORD) ? metadata_word(&line) : NULL;
    return clock->boot && read_signed(metadata_word(&line), &clock->wall) &&
           read_signed(metadata_word(&line), &clock->bound);
}

static struct trace_machine *machine_of(struct recording *recording, const char *boot)
{
    for (size_t i = 0; i < recording->machine_count; i++)
        if (*boot && !strcmp(recording->machines[i].boot, boot))
            return &recording->machines[i];
    return NULL;
}

/* The worst of all lines about a machine; one that was not synchronised has no bound. */
static void read_clocks(struct recording *recording, const char *directory)
{
    char *path = memory_format("%s/" CLOCK_FILE, directory), line[256];
    FILE *file = fopen(path, "re");
    bool is_first = true;
    int64_t before = 0;
    struct noted_clock clock;
    for (unsigned n = 0; file && n < 1024 && fgets(line, sizeof line, file); n++) {
        struct trace_machine *machine =
            read_clock(line, &clock) ? machine_of(recording, clock.boot) : NULL;
        if (!machine)
            continue;
        if (clock.bound < 0 || clock.bound > machine->bound || is_first)
            machine->bound = machine->bound < 0 && !is_first ? -1 : clock.bound;
        if (!is_first && llabs(clock.wall - before) >= LEAST_STEP)
            machine->step += clock.wall - before;
        before = clock.wall;
        is_first = false;
    }
    if (file)
        fclose(file);
    free(path);
}

static const char as_before[] = "its times are shown as if the clock had not been set",
                  before_that[] = "times are those of the clock before that";

void machines_warn(const struct recording *recording)
{
    for (size_t i = 0; i < recording->trace_count; i++) {
        const struct trace *trace = &recording->traces[i];
        if (!trace->shift)
            continue;
        char *text = memory_format("the clock of %s was set by %.6f s before this began",
                                   trace->host, (double)-trace->shift * seconds);
        diag_warn(&(struct diag_place){.file = trace->path}, text, as_before);
        free(text);
    }
    for (size_t i = 0; i < recording->machine_count; i++) {
        const struct trace_machine *machine = &recording->machines[i];
        if (!machine->step)
            continue;
        char *text = memory_format("the clock of %s was set by %.6f s while it was recorded",
                                   machine->host, (double)machine->step * seconds);
        diag_warn(&(struct diag_place){.file = machine->directory}, text, before_that);
        free(text);
    }
}

/* ---- All together. ---- */

int machines_find(struct recording *recording)
{
    const char *last = NULL;
    for (size_t i = 0; i < recording->trace_count; i++) {
        find_machine(recording, i);
        if (find_space(recording, i) != 0)
            return -1;
    }
    for (size_t i = 0; i < recording->trace_count; i++) {
        if (recording->traces[i].directory != last)
            read_clocks(recording, recording->traces[i].directory);
        last = recording->traces[i].directory;
    }
    return 0;
}

void machines_shift(struct recording *recording, size_t machine, int64_t shift)
{
    recording->machines[machine].shift += shift;
    for (size_t i = 0; i < recording->trace_count; i++)
        if (recording->traces[i].machine == machine)
            recording->traces[i].shift += shift;
}
