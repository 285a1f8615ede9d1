/* SPDX-License-Identifier: BSD-2-Clause */
/* See choices.h. */
#include "choices.h"

#include "base/memory.h"
#include "probes.h"

#include <stdlib.h>

const char *record_choose(struct record *record, const char *text)
{
    const struct clauses_form one = {1, false, false};
    char *word = memory_format("%s", text), *words[] = {word, NULL};
    struct clauses choice = {0};
    const char *problem = clauses_parse(&choice, one, words);
    free(word);
    size_t count = record->choice_count + 1;
    record->choices = memory_resize(record->choices, count, sizeof choice);
    record->choices[record->choice_count++] = choice;
    return problem;
}

void record_free_choices(struct record *record)
{
    for (size_t i = 0; i < record->process_count; i++) {
        struct recorded *recorded = &record->processes[i];
        for (size_t k = 0; k < record->choice_count; k++)
            record_probes_free(&recorded->choices[k]);
        free(recorded->choices);
        when_asked_free(&recorded->when);
    }
    free(record->processes);
    for (size_t i = 0; i < record->choice_count; i++)
        clauses_free(&record->choices[i]);
    free(record->choices);
    when_free(&record->when);
}
