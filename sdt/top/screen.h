/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The screen of `sdt top`: what a model looks like on a terminal, whatever its size. Only this file
 * knows ncurses.
 */
#ifndef SDT_TOP_SCREEN_H
#define SDT_TOP_SCREEN_H

#include "model.h"

/* Beside the model. */
struct top_view {
    const char *title; /* what is traced: "orders (4711)" */
    const char *note;  /* of the last thing done, "" if nothing: */
    const char *doubt; /* then what is doubtful, "" if nothing */
    bool is_paused;
    bool is_help;      /* the keys are shown instead of the rows */
    bool is_filtering; /* the filter is being typed */
    double interval;   /* seconds */
};

/* What a key means. */
enum top_key {
    TOP_NONE,
    TOP_QUIT,
    TOP_UP,
    TOP_DOWN,
    TOP_PAGE_UP,
    TOP_PAGE_DOWN,
    TOP_FIRST,
    TOP_LAST,
    TOP_SWITCH,
    TOP_SWITCH_SHOWN,
    TOP_LATENCY,
    TOP_ORDER,
    TOP_REVERSE,
    TOP_FILTER,
    TOP_PAUSE,
    TOP_SLOWER,
    TOP_FASTER,
    TOP_HELP,
    TOP_REDRAW
};

/* -1: a message was printed; there is no terminal that can do it. */
int screen_begin(void);
void screen_end(void);
/* Lines for rows; changes when the window does. */
size_t screen_lines(void);
void screen_draw(struct top_model *model, const struct top_view *view);
/* The next key that was pressed; TOP_NONE: there is none (left). */
enum top_key screen_key(void);
/* The same while the filter is typed: changes TEXT, of SIZE. False: it is done; *ESCAPED: by Esc.
 */
bool screen_type(char *text, size_t size, bool *escaped);

#endif
