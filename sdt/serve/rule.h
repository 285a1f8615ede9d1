/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A line of the configuration: a command `count`, `hist` or `lat`, as on a command line of sdt, of
 * the processes that a selector names.
 */
#ifndef SDT_RULE_H
#define SDT_RULE_H

#include "base/words.h"
#include "measure/measure.h"
#include "measure/openmetrics.h"
#include "selector.h"
#include "series.h"

struct rule {
    size_t line;
    char *text;         /* its words: a rule with the same text is the same rule */
    char *place;        /* FILE:LINE */
    struct words words; /* that stay: selector and OWN point into them */
    struct measure_request request;
    struct selector selector;
    bool is_plain;    /* a count without conditions, keys and exemplars, which is one table */
    bool by_process;  /* a series for each process */
    struct words own; /* NAME=VALUE of --label */
    char *labels;     /* the same, as openmetrics.h wants them; NULL: none */
    struct series series;
    int64_t told; /* now(): when a message about it was last printed; 0: never */
};

/* What WORDS, which become the rule's, say. NULL: after a message that names FILE and LINE. */
struct rule *rule_parse(const char *file, size_t line, struct words *words);
void rule_free(struct rule *rule);

enum openmetrics_family rule_family(const struct rule *rule);
/* The expression of a histogram, or where a latency ends; NULL: of counts. */
const char *rule_more(const struct rule *rule);
/* Keys that are kept of processes that have ended. */
size_t rule_most_keys(const struct rule *rule);
/* Whether both give series with the same labels, whatever the processes are. */
bool rule_is_twin(const struct rule *one, const struct rule *other);

/* Messages from now on are about RULE; they are not printed if there was one within a minute. Call
 * rule_end_messages() afterwards. */
void rule_begin_messages(struct rule *rule);
/* HAS_FAILED: there was one. */
void rule_end_messages(struct rule *rule, bool has_failed);

#endif
