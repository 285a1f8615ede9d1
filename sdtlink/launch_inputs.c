/* SPDX-License-Identifier: BSD-2-Clause */
#include "launch_inputs.h"

#include "diag.h"
#include "launch_place.h"
#include "launch_scan.h"
#include "launch_search.h"
#include "launch_work.h"
#include "run.h"

#include <string.h>

unsigned inputs_scan(struct line *line)
{
    unsigned found = 0;
    search_libraries(line);
    for (size_t i = 0; i < line->input_count; i++) {
        struct line_input *input = &line->inputs[i];
        if (!input->path)
            continue;
        input->found = scan_file(input->path);
        found |= input->found;
    }
    return found;
}

/* One object to be processed. */
struct job {
    const char *input;
    char *output;
};

static int process(size_t index, void *data)
{
    const struct job *job = (struct job *)data + index;
    struct options options = {.input = job->input, .output = job->output};
    return sdtlink_run(&options);
}

/* The same file twice on the line is one copy. */
static char *find_copy(const struct line *line, size_t before)
{
    for (size_t i = 0; i < before; i++)
        if (line->inputs[i].replacement && !strcmp(line->inputs[i].path, line->inputs[before].path))
            return line->inputs[i].replacement;
    return NULL;
}

int inputs_process(struct line *line, struct words *at_start, struct words *at_end)
{
    struct job *jobs = memory_zeroed(line->input_count, sizeof *jobs);
    size_t count = 0;
    (void)at_start, (void)at_end;
    for (size_t i = 0; i < line->input_count; i++) {
        struct line_input *input = &line->inputs[i];
        if (!(input->found & SCAN_PROBES))
            continue;
        input->replacement = find_copy(line, i);
        if (input->replacement)
            continue;
        input->replacement = place_for(input->path);
        if (!input->replacement)
            return STATUS_FAILED;
        jobs[count++] = (struct job){input->path, input->replacement};
    }
    return work_run(process, count, jobs);
}
