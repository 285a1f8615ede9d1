/* SPDX-License-Identifier: BSD-2-Clause */
/* See when.h: the words. when_ask.c asks a process. */
#include "when.h"

#include "base/memory.h"

#include <shared/words.h>
#include <stdlib.h>
#include <string.h>

static const char blanks[] = " \t\n";

/* ---- Times. ---- */

/* TEXT, as `10ms` or `1.5 s`, in ns. */
static bool read_time(const char *text, uint64_t *ns)
{
    text += strspn(text, blanks);
    size_t length = word_time(text, ns);
    return length && *ns && !text[length + strspn(text + length, blanks)];
}

/* ---- Conditions. ---- */

/* BEGIN END [match EXPRESSION] > TIME, in TEXT, which is changed. */
static const char *parse_latency(struct when *when, char *text)
{
    static const char form[] = "a latency is written 'lat BEGIN END > 10ms'";
    char *more = strrchr(text, '>');
    if (!more || !read_time(more + 1, &when->limit))
        return form;
    while (more > text && strchr(blanks, more[-1]))
        more--;
    *more = '\0';
    when->pair = memory_format("%s", text + strspn(text, blanks));
    const char *problem = clauses_parse_text(&when->clauses, clauses_pair, text);
    return problem || !when->clauses.by[0] ? problem : form;
}

const char *when_parse(struct when *when, const char *text)
{
    const struct clauses_form one = {1, false, false};
    char *copy = memory_format("%s", text + strspn(text, blanks)), *words[] = {copy, NULL};
    const char *problem;
    *when = (struct when){.is_latency = !strncmp(copy, "lat", 3) && copy[3] != '\0' &&
                                        strchr(blanks, copy[3]) != NULL};
    problem = when->is_latency ? parse_latency(when, copy + 4)
                               : clauses_parse(&when->clauses, one, words);
    free(copy);
    return problem;
}

void when_free(struct when *when)
{
    clauses_free(&when->clauses);
    free(when->pair);
    *when = (struct when){0};
}
