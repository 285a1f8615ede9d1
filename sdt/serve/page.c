/* SPDX-License-Identifier: BSD-2-Clause */
/* See page.h. */
#include "page.h"

#include "base/diag.h"
#include "base/texts.h"

struct page {
    struct bytes *to;
    struct numbers *numbers;
    size_t most;
    bool has_exemplars;
    struct texts identities; /* the labels of all series so far */
};

static bool is_new(struct page *page, struct rule *rule, const struct openmetrics_labels *labels)
{
    struct bytes text = {0};
    size_t before = page->identities.count;
    openmetrics_identity(&text, rule_family(rule), labels);
    texts_number(&page->identities, (struct slice){(const char *)text.data, text.size});
    bytes_free(&text);
    if (page->identities.count > before)
        return true;
    page->numbers->duplicates++;
    rule_begin_messages(rule);
    diag_error("its series have the labels of others, and are left out: add --label=NAME=VALUE");
    rule_end_messages(rule, true);
    return false;
}

/* How many lines TEXT has, from byte START on. */
static size_t lines_of(const struct bytes *text, size_t start)
{
    size_t lines = 0;
    for (size_t i = start; i < text->size; i++)
        lines += text->data[i] == '\n';
    return lines;
}

static void append_row(struct page *page, struct rule *rule, struct openmetrics_labels *labels,
                       const struct aggregate *aggregate, const struct aggregate_row *row)
{
    enum openmetrics_family family = rule_family(rule);
    size_t start = page->to->size;
    labels->key = &row->key;
    if (!is_new(page, rule, labels))
        return;
    if (family == OPENMETRICS_HITS)
        openmetrics_count(page->to, labels, row->sums.count);
    else
        openmetrics_histogram(page->to, family, labels, aggregate, row);
    size_t lines = lines_of(page->to, start);
    if (page->numbers->series + lines > page->most) {
        page->numbers->dropped += lines;
        page->to->size = start;
    } else {
        page->numbers->series += lines;
    }
}

static void append_group(struct page *page, struct rule *rule, const struct group *group)
{
    for (size_t i = 0; i < group->count; i++) {
        const struct total *total = &group->totals[i];
        if (!series_is_current(group, i))
            continue;
        struct openmetrics_labels labels = {
            .provider = total->provider,
            .name = total->name,
            .program = group->program,
            .pid = group->pid,
            .more = rule_more(rule),
            .look = total->look,
            .exemplars = page->has_exemplars ? &total->exemplars : NULL,
            .own = rule->labels,
        };
        for (size_t k = 0; k < total->now.count; k++)
            append_row(page, rule, &labels, &total->now, &total->now.rows[k]);
    }
}

static void append_family(struct page *page, const struct config *config,
                          enum openmetrics_family family, enum openmetrics_form form)
{
    bool has_begun = false;
    for (size_t i = 0; i < config->count; i++) {
        struct rule *rule = config->rules[i];
        if (rule_family(rule) != family)
            continue;
        if (!has_begun)
            openmetrics_begin(page->to, family, form);
        has_begun = true;
        for (size_t k = 0; k < rule->series.count; k++)
            append_group(page, rule, &rule->series.groups[k]);
    }
}

void page_append(struct bytes *to, const struct config *config, struct numbers *numbers,
                 size_t most, enum openmetrics_form form)
{
    static const enum openmetrics_family families[] = {OPENMETRICS_HITS, OPENMETRICS_VALUES,
                                                       OPENMETRICS_LATENCY};
    struct page page = {
        .to = to, .numbers = numbers, .most = most, .has_exemplars = form == OPENMETRICS_1_0};
    numbers->series = numbers->dropped = numbers->duplicates = 0;
    for (size_t i = 0; i < sizeof families / sizeof *families; i++)
        append_family(&page, config, families[i], form);
    texts_free(&page.identities);
    numbers_append(to, numbers, form);
    openmetrics_end(to, form);
}
