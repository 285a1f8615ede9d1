/* SPDX-License-Identifier: BSD-2-Clause */
/* `sdt report`: a loop over the events, and one printer for each form of output. */
#ifndef SDT_REPORT_H
#define SDT_REPORT_H

#include "call_tree.h"
#include "clocks.h"
#include "filter.h"
#include "pairs.h"
#include "requests.h"
#include "snapshot_text.h"
#include "trace/merge.h"
#include "trace/symbols.h"

#include <stdbool.h>
#include <stdint.h>

enum report_time { TIME_ABSOLUTE, TIME_RELATIVE, TIME_DELTA };

struct report {
    char **directories;                    /* up to NULL */
    const char *filter_text, *description; /* NULL: none */
    const struct report_printer *printer;
    const char *page; /* the output of --html */
    struct pairs pairs;
    struct match match;
    struct clocks clocks;
    enum report_time time;
    uint64_t limit;           /* events printed at most; */
    uint64_t most;            /* or requests */
    struct requests requests; /* if they are wanted */
    bool has_colour;
    struct filter filter;
    struct recording recording;
    int64_t start;     /* time of the recording's first event */
    uint64_t seen;     /* events, printed or not */
    uint64_t printed;  /* so far */
    struct bytes line; /* that is being composed */
    bool shows_stack;  /* as text */
    bool shows_hosts;  /* there are several recordings */
    uint64_t only;     /* events of snapshot number ONLY; 0: all */
    struct snapshots snapshots;
    const struct snapshot *marked; /* that the event begins or ends; NULL: none */
    struct symbols symbols;
    bool has_calls;        /* sdt trace: ends of calls say how long these took: */
    int64_t call_ns;       /* that of this event; -1: unknown, or it ends none */
    bool has_tree;         /* --tree, */
    bool is_folded;        /* as stacks for viewers of flame graphs */
    double least;          /* that part of the time: less is not printed */
    struct call_tree tree; /* with what is asked for */
};

struct report_printer {
    void (*begin)(struct report *report); /* NULL: nothing; and so is an end */
    void (*event)(struct report *report, const struct event *event);
    void (*end)(struct report *report);
};

extern const struct report_printer report_text, report_json, report_csv, report_summary,
    report_requests, report_requests_json;

/* report.c: write what is in report->line, and empty it. */
void report_put(struct report *report);
/* text.c: append EVENT's line up to its arguments, with PROBE as the probe's name; and ` <1.2 us>`,
 * unless NS is -1. */
void report_text_head(struct report *report, const struct event *event, const char *probe);
void report_text_duration(struct bytes *to, int64_t ns);
/* html.c: write the page; returns the exit status. */
int report_page(struct report *report);
/* tree.c: print the tree. */
void report_tree(struct report *report);
/* pager.c: let a pager show standard output, if that is a terminal; pager_end() waits for it. */
void pager_begin(void);
void pager_end(void);

#endif
