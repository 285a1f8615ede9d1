/* SPDX-License-Identifier: BSD-2-Clause */
/* See functions.h. */
#include "functions.h"

#include "base/memory.h"
#include "base/now.h"
#include "base/probe_words.h"
#include "command/command.h"
#include "print/text.h"
#include "target/patterns.h"

#include <inttypes.h>
#include <sdt/format.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* PART, if it means functions, as calls_pattern() takes them: of `fn::serve:entry` the function, of
 * `fn:entry` all. The caller's; NULL: it means other probes. */
static char *function_of(const char *part)
{
    struct probe_words words;
    char *function = NULL;
    int count = probe_words_split(&words, part, SDT_FUNCTION_PROVIDER);
    bool is_provider = patterns_are_functions(part);
    if (is_provider && count == PROBE_WORDS)
        function = memory_format(SDT_FUNCTION_PROVIDER ":%s:%s", words.word[WORD_MODULE],
                                 words.word[WORD_FUNCTION]);
    else if (is_provider)
        function = memory_format("*");
    probe_words_free(&words);
    if (!is_provider && strchr(part, ':') && probe_words_function(&words, part, NULL)) {
        function = memory_format("%s", part);
        probe_words_free(&words);
    }
    return function;
}

char **top_functions_of(char **words)
{
    char *all = target_patterns(words), *rest = all, **functions = memory_zeroed(1, sizeof all);
    size_t count = 0;
    for (char *part; functions && (part = probe_words_next(&rest));) {
        functions = memory_resize(functions, count + 2, sizeof all);
        functions[count] = function_of(part);
        functions[count + 1] = NULL;
        if (!functions[count++]) {
            top_functions_free(functions);
            functions = NULL;
        }
    }
    free(all);
    return functions;
}

void top_functions_free(char **functions)
{
    for (size_t i = 0; functions && functions[i]; i++)
        free(functions[i]);
    free(functions);
}

int top_functions_take(struct top *top, char **words)
{
    if (top->starts_off || top->wanted_count)
        return command_wrong("top", "--functions shows no probes: without --off and --pair");
    return calls_pattern("top", words, &top->pattern, &top->calls.request.pattern);
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
