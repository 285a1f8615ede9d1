/* SPDX-License-Identifier: BSD-2-Clause */
/* See functions.h. */
#include "functions.h"

#include "base/memory.h"
#include "base/now.h"
#include "command/command.h"
#include "print/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

int top_functions_take(struct top *top, char **words)
{
    if (top->starts_off || top->wanted_count)
        return command_wrong("top", "--functions shows no probes: without --off and --pair");
    int status = calls_pattern("top", words, &top->pattern, &top->calls.request.pattern);
    return status == STATUS_DONE ? target_check("top", &top->target) : status;
}

int top_functions_begin(struct top *top)
{
    const struct calls_request request = {
        .pattern = top->calls.request.pattern, .depth = LIVE_MAX_DEPTH, .paths = CALLS_PATHS};
    top->model.order = TOP_BY_SELF;
    return calls_begin(&top->calls, &top->target, &request);
}

static void show_function(struct top *top, const struct tree_function *function, double seconds)
{
    struct bytes name = {0};
    text_function(&name, function->function);
    char *label = bytes_take_text(&name);
    struct top_row *row = top_row_of(&top->model, label);
    row->is_seen = true;
    top_count(row, function->calls, seconds);
    top_time(row, function->self, function->ns, seconds);
    free(label);
}

/* What is in no number. */
static void show_lost(struct top *top, const struct calls_lost *lost)
{
    uint64_t missing = lost->roomless + lost->threadless + lost->deeper + lost->unreturned;
    top->doubt[0] = '\0';
    if (missing)
        snprintf(top->doubt, sizeof top->doubt,
                 "%" PRIu64 " calls are in no number: sdt tree says why", missing);
}

int top_functions_look(struct top *top)
{
    int64_t time = now();
    double seconds = top->last > 0 ? (double)(time - top->last) / (double)SECOND : 0;
    struct tree_node whole;
    struct calls_lost lost;
    size_t count;
    if (calls_look(&top->calls) != STATUS_DONE)
        return -1;
    calls_read(&top->calls, &whole, &lost);
    tree_sort(&whole);
    struct tree_function *functions = tree_functions(&whole, &count);
    for (size_t i = 0; i < count; i++)
        show_function(top, &functions[i], seconds);
    show_lost(top, &lost);
    free(functions);
    tree_free(&whole);
    top->last = time;
    if (!top->view.is_paused)
        top_arrange(&top->model);
    return 0;
}
