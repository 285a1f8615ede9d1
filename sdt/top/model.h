/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What `sdt top` shows: a row for each probe of a process, its rate now and over the last minute,
 * and which rows are shown in which order. Pure: no terminal, no process, no clock of its own.
 */
#ifndef SDT_TOP_MODEL_H
#define SDT_TOP_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { TOP_HISTORY = 60 }; /* rates that are kept of a probe */

/* A row's latency: the time from this probe to the one that ends it. */
struct top_latency {
    bool is_known;
    bool overlaps;   /* some began before others had ended: ends cannot be matched */
    double p50, p99; /* ns */
};

/* The time of a function: what it and all its callees took, and its own. */
struct top_time {
    uint64_t self, total;           /* ns so far */
    double self_share, total_share; /* of the last interval: 1 is one processor */
};

struct top_row {
    char *label;     /* PROVIDER:NAME as people read it; the model's */
    char *arguments; /* "(path: string, n: int32)"; the model's */
    uint64_t sites;
    bool is_counted;             /* by this screen */
    bool is_seen;                /* by the last update: the process still has it */
    uint64_t hits;               /* while it was counted */
    double rate;                 /* hits a second, in the last interval */
    double history[TOP_HISTORY]; /* a ring: the newest is at (next - 1) */
    unsigned next, count;
    struct top_latency latency;
    struct top_time time; /* if the rows are functions */
};

enum top_order {
    TOP_BY_RATE,
    TOP_BY_HITS,
    TOP_BY_NAME,
    TOP_BY_LATENCY, /* of probes */
    TOP_BY_SELF,    /* of functions, as the next one */
    TOP_BY_TOTAL,
    TOP_ORDERS
};

struct top_model {
    struct top_row *rows;
    size_t count, capacity;
    size_t *shown; /* indices of rows, in order */
    size_t shown_count;
    size_t selected;    /* index into shown */
    size_t first;       /* index into shown: of the line at the top */
    bool has_functions; /* the rows are functions, and not probes */
    enum top_order order;
    bool is_reversed;
    char filter[128]; /* a part of the label, in any case; "": all */
};

/* The row of LABEL, made if there is none. */
struct top_row *top_row_of(struct top_model *model, const char *label);
/* Before the rows of an update are looked up: none of them is there any more. */
void top_begin(struct top_model *model);
/* HITS so far, SECONDS after the last call. The first call after it was switched on has no rate. */
void top_count(struct top_row *row, uint64_t hits, double seconds);
/* The same of the time of a function: nanoseconds so far. */
void top_time(struct top_row *row, uint64_t self, uint64_t total, double seconds);
/* The order by the next column. */
void top_next_order(struct top_model *model);
/* Which rows are shown, in order; the selection stays on its row, if that is still shown. */
void top_arrange(struct top_model *model);
/* Move the selection by LINES, and what is visible of VISIBLE lines along with it. */
void top_move(struct top_model *model, long lines, size_t visible);
/* The selected row; NULL: nothing is shown. */
struct top_row *top_selected(struct top_model *model);
/* All rates that are counted, together. */
double top_total(const struct top_model *model);
void top_free(struct top_model *model);

/* RATE as text of at most 6 columns: "0", "12.3", "4.56 M". SIZE: 16 are enough. */
void top_format_rate(char *text, size_t size, double rate);
/* NS as text of at most 7 columns: "850 ns", "1.23 us" (with MICRO for the u), "42.0 ms". */
void top_format_time(char *text, size_t size, double ns, const char *micro);
/* The level from 0 to LEVELS - 1 of the rate AGO samples back, relative to the row's highest; -1:
 * there is none that old. */
int top_level(const struct top_row *row, unsigned ago, int levels);

#endif
