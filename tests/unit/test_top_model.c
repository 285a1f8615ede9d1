/* SPDX-License-Identifier: BSD-2-Clause */
/* What sdt top shows (sdt/top/model.c): order, filter, selection, rates, numbers. */
#include "check.h"

#include <string.h>
#include <top/model.h>

/* A model with a row for each of LABELS, counted, with RATES. */
static void make(struct top_model *model, const char *const *labels, const double *rates, size_t n)
{
    *model = (struct top_model){.count = 0};
    top_begin(model);
    for (size_t i = 0; i < n; i++) {
        struct top_row *row = top_row_of(model, labels[i]);
        row->is_seen = true;
        top_count(row, 100, 0);
        top_count(row, 100 + (uint64_t)rates[i], 1);
    }
    top_arrange(model);
}

static const char *const names[] = {"web:read", "db:query", "web:write", "db:commit"};
static const double rates[] = {5, 7, 7, 0};

/* The labels that are shown, with blanks between. */
static const char *shown(const struct top_model *model)
{
    static char text[256];
    *text = '\0';
    for (size_t i = 0; i < model->shown_count; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "%s%s", i ? " " : "",
                 model->rows[model->shown[i]].label);
    return text;
}

#define SHOWS(model, text) CHECK(!strcmp(shown(model), text))

static void order(void)
{
    struct top_model model;
    make(&model, names, rates, 4);
    SHOWS(&model, "db:query web:write web:read db:commit"); /* equal ones by name */
    model.is_reversed = true;
    top_arrange(&model);
    SHOWS(&model, "db:commit web:read db:query web:write");
    model.order = TOP_BY_NAME;
    top_arrange(&model);
    SHOWS(&model, "web:write web:read db:query db:commit");
    model.is_reversed = false;
    top_arrange(&model);
    SHOWS(&model, "db:commit db:query web:read web:write");
    model.order = TOP_BY_LATENCY;
    top_row_of(&model, "web:read")->latency = (struct top_latency){true, false, 1, 2};
    top_row_of(&model, "db:commit")->latency = (struct top_latency){true, false, 1, 0};
    top_arrange(&model);
    SHOWS(&model, "web:read db:commit db:query web:write");
    model.order = TOP_BY_HITS;
    top_row_of(&model, "db:commit")->hits = UINT64_C(1) << 40;
    top_arrange(&model);
    SHOWS(&model, "db:commit db:query web:write web:read");
    top_free(&model);
}

static void filter(void)
{
    struct top_model model;
    make(&model, names, rates, 4);
    snprintf(model.filter, sizeof model.filter, "wR");
    top_arrange(&model);
    SHOWS(&model, "web:write");
    snprintf(model.filter, sizeof model.filter, "B:");
    top_arrange(&model);
    SHOWS(&model, "db:query web:write web:read db:commit");
    snprintf(model.filter, sizeof model.filter, "commits");
    top_arrange(&model);
    SHOWS(&model, "");
    CHECK(!top_selected(&model));
    model.filter[0] = '\0';
    top_begin(&model); /* the process has only one of them left */
    top_row_of(&model, "db:query")->is_seen = true;
    top_arrange(&model);
    SHOWS(&model, "db:query");
    CHECK(top_total(&model) == 7);
    top_free(&model);
}

static void selection(void)
{
    struct top_model model;
    make(&model, names, rates, 4);
    top_move(&model, 2, 2);
    CHECK(!strcmp(top_selected(&model)->label, "web:read"));
    CHECK(model.first == 1);
    model.order = TOP_BY_NAME; /* it stays on its row */
    top_arrange(&model);
    CHECK(!strcmp(top_selected(&model)->label, "web:read") && model.selected == 2);
    top_row_of(&model, "aaa:first")->is_seen = true;
    top_arrange(&model);
    CHECK(!strcmp(top_selected(&model)->label, "web:read") && model.selected == 3);
    top_move(&model, 100, 2);
    CHECK(model.selected == 4 && model.first == 3);
    top_move(&model, -100, 2);
    CHECK(model.selected == 0 && model.first == 0);
    top_move(&model, 4, 2);
    top_move(&model, 0, 10); /* the screen is larger now */
    CHECK(model.selected == 4 && model.first == 0);
    snprintf(model.filter, sizeof model.filter, "db:");
    top_arrange(&model);
    CHECK(model.selected == 1 && !strcmp(top_selected(&model)->label, "db:query"));
    top_free(&model);
}

static void counting(void)
{
    struct top_model model = {.count = 0};
    struct top_row *row = top_row_of(&model, "a:b");
    row->is_seen = true;
    top_count(row, 50, 0.5);
    CHECK(row->rate == 0 && row->count == 0); /* the first time has none */
    top_count(row, 150, 0.5);
    CHECK(row->rate == 200 && row->count == 1 && top_total(&model) == 200);
    top_count(row, 100, 0.5); /* what is smaller than before is no negative rate */
    CHECK(row->rate == 0 && row->hits == 100);
    top_count(row, 200, 0); /* no time has passed */
    CHECK(row->rate == 0 && row->count == 2);
    CHECK(top_level(row, 0, 9) == 0 && top_level(row, 1, 9) == 8 && top_level(row, 2, 9) == -1);
    for (unsigned i = 1; i <= TOP_HISTORY + 5; i++)
        top_count(row, 200 + i * (i + 1) / 2, 1); /* rates 1, 2, 3 … */
    CHECK(row->count == TOP_HISTORY && row->rate == TOP_HISTORY + 5);
    CHECK(top_level(row, 0, 9) == 8 && top_level(row, TOP_HISTORY - 1, 9) == 1);
    CHECK(top_level(row, TOP_HISTORY, 9) == -1);
    row->is_counted = false;
    CHECK(top_total(&model) == 0);
    top_free(&model);
}

static void check_rate(double rate, const char *wanted)
{
    char text[16];
    top_format_rate(text, sizeof text, rate);
    if (strcmp(text, wanted) != 0)
        printf("%.17g is '%s', not '%s'\n", rate, text, wanted);
    CHECK(!strcmp(text, wanted));
    CHECK(strlen(text) <= 6 || rate > 999e9);
}

static void check_time(double ns, const char *wanted)
{
    char text[24];
    top_format_time(text, sizeof text, ns, "u");
    if (strcmp(text, wanted) != 0)
        printf("%.17g ns is '%s', not '%s'\n", ns, text, wanted);
    CHECK(!strcmp(text, wanted));
}

/* On both sides of where the number of places, or the unit, changes. */
static void numbers(void)
{
    check_rate(0, "0");
    check_rate(7, "7");
    check_rate(0.25, "0.25");
    check_rate(9.994, "9.99");
    check_rate(9.996, "10.0");
    check_rate(99.94, "99.9");
    check_rate(99.96, "100");
    check_rate(999, "999");
    check_rate(999.4, "999");
    check_rate(999.5, "1.00 k");
    check_rate(1000, "1.00 k");
    check_rate(9994, "9.99 k");
    check_rate(9996, "10.0 k");
    check_rate(999499, "999 k");
    check_rate(999500, "1.00 M");
    check_rate(999.5e6, "1.00 G");
    check_rate(1e12, "1000 G");
    check_time(0, "0 ns");
    check_time(850.4, "850 ns");
    check_time(999.4, "999 ns");
    check_time(999.6, "1.00 us");
    check_time(9996, "10.0 us");
    check_time(42e6, "42.0 ms");
    check_time(999.6e6, "1.00 s");
    check_time(3600e9, "3600 s");
}

/* Of functions: what they took in each interval, and the columns that they have. */
static void functions(void)
{
    struct top_model model = {.has_functions = true, .order = TOP_BY_SELF};
    struct top_row *row = top_row_of(&model, "serve");
    top_time(row, 1000000000, 3000000000, 2);
    CHECK(row->time.self_share == 0.5 && row->time.total_share == 1.5);
    top_time(row, 1000000000, 3500000000, 1);
    CHECK(row->time.self_share == 0 && row->time.total_share == 0.5);
    top_time(row, 900000000, 3500000000, 1); /* a callee of an open call has returned */
    CHECK(row->time.self_share == 0 && row->time.total_share == 0);
    const enum top_order orders[] = {TOP_BY_TOTAL, TOP_BY_RATE, TOP_BY_HITS, TOP_BY_NAME,
                                     TOP_BY_SELF};
    for (size_t i = 0; i < sizeof orders / sizeof *orders; i++) {
        top_next_order(&model);
        CHECK(model.order == orders[i]);
    }
    model = (struct top_model){
        .order = TOP_BY_NAME, .rows = model.rows, .count = model.count, .shown = model.shown};
    top_next_order(&model);
    CHECK(model.order == TOP_BY_LATENCY);
    top_next_order(&model);
    CHECK(model.order == TOP_BY_RATE);
    top_free(&model);
}

int main(void)
{
    functions();
    order();
    filter();
    selection();
    counting();
    numbers();
    return check_failures != 0;
}
