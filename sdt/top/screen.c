/* SPDX-License-Identifier: BSD-2-Clause */
/* See screen.h. */
#include "screen.h"

#include "base/diag.h"

#include <langinfo.h>
#include <locale.h>
#include <ncurses.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ABOVE = 3, BELOW = 2 }; /* lines around the rows: title, blank, heads; arguments, keys */
enum { RATE = 8, HITS = 13, TIME = 9, LEAST_LABEL = 16, LEAST_HISTORY = 10 };
enum { COLOUR_HEAD = 1, COLOUR_ON, COLOUR_NOTE, COLOUR_HISTORY };

static const char *const utf8_levels[] = {" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
static const char *const ascii_levels[] = {" ", ".", ":", "-", "=", "+", "*", "#", "@"};
enum { LEVELS = sizeof utf8_levels / sizeof utf8_levels[0] };

static SCREEN *screen;
static bool is_utf8;

int screen_begin(void)
{
    const char *none = getenv("NO_COLOR");
    setlocale(LC_CTYPE, "");
    is_utf8 = !strcmp(nl_langinfo(CODESET), "UTF-8");
    if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO))
        return diag_error("top needs a terminal; for a script there is 'sdt count -i 1 --json'");
    screen = newterm(NULL, stdout, stdin);
    if (!screen)
        return diag_error("the terminal '%s' (TERM) cannot be used as a screen",
                          getenv("TERM") ? getenv("TERM") : "");
    cbreak();
    noecho();
    curs_set(0);
    keypad(stdscr, TRUE);
    nodelay(stdscr, TRUE);
    set_escdelay(25);
    if (!(none && *none) && has_colors() && start_color() == OK) {
        use_default_colors();
        init_pair(COLOUR_HEAD, COLOR_CYAN, -1);
        init_pair(COLOUR_ON, COLOR_GREEN, -1);
        init_pair(COLOUR_NOTE, COLOR_YELLOW, -1);
        init_pair(COLOUR_HISTORY, COLOR_BLUE, -1);
    }
    return 0;
}

void screen_end(void)
{
    if (!screen)
        return;
    endwin();
    delscreen(screen);
    screen = NULL;
}

size_t screen_lines(void)
{
    return LINES > ABOVE + BELOW ? (size_t)(LINES - ABOVE - BELOW) : 0;
}

/* ---- Columns. ---- */

/* How wide each is; 0: there is no room for it. */
struct columns {
    int label, rate, hits, history, median, high;
};

static int widest_label(const struct top_model *model)
{
    size_t widest = LEAST_LABEL;
    for (size_t i = 0; i < model->shown_count; i++) {
        size_t length = strlen(model->rows[model->shown[i]].label) + 1;
        widest = length > widest ? length : widest;
    }
    return widest < 60 ? (int)widest : 60;
}

static bool has_latency(const struct top_model *model)
{
    for (size_t i = 0; i < model->count; i++)
        if (model->rows[i].latency.is_known)
            return true;
    return false;
}

/* What tells most comes first; what has no room left is not shown. */
static struct columns lay_out(const struct top_model *model)
{
    struct columns columns = {.label = LEAST_LABEL, .rate = RATE};
    int left = COLS - 2 - LEAST_LABEL - RATE, label = widest_label(model) - LEAST_LABEL;
    columns.hits = left >= HITS ? HITS : 0;
    left -= columns.hits;
    bool has_times = model->has_functions || has_latency(model);
    columns.median = columns.high = has_times && left >= 2 * TIME ? TIME : 0;
    left -= 2 * columns.high;
    label = label < left ? label : left > 0 ? left : 0;
    columns.label += label;
    left -= label;
    columns.history = left > LEAST_HISTORY + 2 ? left - 2 : 0;
    if (columns.history > TOP_HISTORY)
        columns.history = TOP_HISTORY;
    return columns;
}

/* TEXT in WIDTH columns, cut off or filled with blanks. */
static void cell(const char *text, int width, bool is_right)
{
    int length = (int)strlen(text);
    if (is_right && length < width)
        printw("%*s", width - length, "");
    addnstr(text, width);
    if (!is_right && length < width)
        printw("%*s", width - length, "");
}

static void head(const struct top_model *model, const char *text, int width, int order)
{
    bool is_order = order == (int)model->order;
    int length = (int)strlen(text) + is_order;
    bool is_right = order != TOP_BY_NAME;
    if (!width)
        return;
    if (is_right && length < width)
        printw("%*s", width - length, "");
    attron(is_order ? A_BOLD : A_NORMAL);
    addnstr(text, width);
    if (is_order)
        addch(model->is_reversed ? '^' : 'v');
    attroff(A_BOLD);
    if (!is_right && length < width)
        printw("%*s", width - length, "");
}

static void draw_heads(const struct top_model *model, const struct columns *columns)
{
    move(2, 0);
    attron(COLOR_PAIR(COLOUR_HEAD));
    addstr("  ");
    if (model->has_functions) {
        head(model, "FUNCTION", columns->label, TOP_BY_NAME);
        head(model, "CALLS/s", columns->rate, TOP_BY_RATE);
        head(model, "CALLS", columns->hits, TOP_BY_HITS);
        head(model, "SELF", columns->median, TOP_BY_SELF);
        head(model, "TOTAL", columns->high, TOP_BY_TOTAL);
    } else {
        head(model, "PROBE", columns->label, TOP_BY_NAME);
        head(model, "HITS/s", columns->rate, TOP_BY_RATE);
        head(model, "HITS", columns->hits, TOP_BY_HITS);
        head(model, "p50", columns->median, -1);
        head(model, "p99", columns->high, TOP_BY_LATENCY);
    }
    if (columns->history)
        printw("  LAST %d", columns->history);
    attroff(COLOR_PAIR(COLOUR_HEAD));
}

static void draw_time(const struct top_latency *latency, double ns, int width)
{
    char text[24] = "~";
    if (latency->is_known)
        top_format_time(text + latency->overlaps, sizeof text - 1, ns, "u");
    cell(latency->is_known ? text : "", width, true);
}

static void draw_share(double share, int width)
{
    char text[24];
    snprintf(text, sizeof text, "%.1f %%", share * 100);
    cell(text, width, true);
}

/* Of a function its time, of a probe its latency. */
static void draw_times(const struct top_row *row, const struct columns *columns, bool is_function)
{
    if (!columns->median)
        return;
    if (is_function) {
        draw_share(row->time.self_share, columns->median);
        draw_share(row->time.total_share, columns->high);
    } else {
        draw_time(&row->latency, row->latency.p50, columns->median);
        draw_time(&row->latency, row->latency.p99, columns->high);
    }
}

static void draw_history(const struct top_row *row, int width)
{
    const char *const *levels = is_utf8 ? utf8_levels : ascii_levels;
    addstr("  ");
    attron(COLOR_PAIR(COLOUR_HISTORY));
    for (int ago = width - 1; ago >= 0; ago--) {
        int level = top_level(row, (unsigned)ago, LEVELS);
        addstr(level < 0 ? " " : levels[level]);
    }
    attroff(COLOR_PAIR(COLOUR_HISTORY));
}

static void draw_row(const struct top_row *row, const struct columns *columns, bool is_function)
{
    char text[32] = "-";
    attron(row->is_counted ? COLOR_PAIR(COLOUR_ON) : A_NORMAL);
    addstr(row->is_counted ? "* " : "  ");
    attroff(COLOR_PAIR(COLOUR_ON));
    cell(row->label, columns->label, false);
    if (row->is_counted && row->count)
        top_format_rate(text, sizeof text, row->rate);
    cell(text, columns->rate, true);
    snprintf(text, sizeof text, "%llu", (unsigned long long)row->hits);
    if (columns->hits)
        cell(text, columns->hits, true);
    draw_times(row, columns, is_function);
    if (columns->history)
        draw_history(row, columns->history);
}

static void draw_rows(const struct top_model *model, const struct columns *columns)
{
    size_t lines = screen_lines();
    for (size_t i = 0; i < lines && model->first + i < model->shown_count; i++) {
        bool is_selected = model->first + i == model->selected;
        move(ABOVE + (int)i, 0);
        attron(is_selected ? A_REVERSE : A_NORMAL);
        draw_row(&model->rows[model->shown[model->first + i]], columns, model->has_functions);
        attroff(A_REVERSE);
    }
    if (!model->shown_count)
        mvaddnstr(ABOVE, 2,
                  model->count           ? "nothing has this in its name"
                  : model->has_functions ? "no calls yet"
                                         : "no probes",
                  COLS - 2);
}

/* ---- What is around them. ---- */

static void draw_title(const struct top_model *model, const struct top_view *view)
{
    char rate[16];
    size_t counted = 0;
    for (size_t i = 0; i < model->count; i++)
        counted += model->rows[i].is_seen && model->rows[i].is_counted;
    top_format_rate(rate, sizeof rate, top_total(model));
    move(0, 0);
    attron(A_BOLD);
    addnstr(view->title, COLS);
    attroff(A_BOLD);
    char text[160];
    const char *plural = model->shown_count == 1 ? "" : "s";
    const char *paused = view->is_paused ? ", paused" : "";
    if (model->has_functions)
        snprintf(text, sizeof text, "   %zu function%s, %s calls/s, every %g s%s",
                 model->shown_count, plural, rate, view->interval, paused);
    else
        snprintf(text, sizeof text, "   %zu probe%s, %zu counted, %s hits/s, every %g s%s",
                 model->shown_count, plural, counted, rate, view->interval, paused);
    addnstr(text, COLS > getcurx(stdscr) ? COLS - getcurx(stdscr) : 0);
    attron(COLOR_PAIR(COLOUR_NOTE));
    if (view->is_filtering || *model->filter) {
        mvprintw(1, 0, "filter: ");
        addnstr(model->filter, COLS - 10);
        addstr(view->is_filtering ? "_" : "");
    } else {
        mvaddnstr(1, 0, *view->note ? view->note : view->doubt, COLS);
    }
    attroff(COLOR_PAIR(COLOUR_NOTE));
}

static void draw_below(struct top_model *model)
{
    const struct top_row *row = top_selected(model);
    if (LINES < ABOVE + BELOW)
        return;
    if (row) {
        mvaddnstr(LINES - 2, 0, row->label, COLS);
        if (row->arguments && COLS > getcurx(stdscr))
            addnstr(row->arguments, COLS - getcurx(stdscr));
    }
    attron(COLOR_PAIR(COLOUR_HEAD));
    mvaddnstr(LINES - 1, 0,
              "space on/off  a all  l latency  s sort  r reverse  / filter  p pause  +/- interval  "
              "h help  "
              "q quit",
              COLS - 1);
    attroff(COLOR_PAIR(COLOUR_HEAD));
}

static void draw_help(void)
{
    static const char *const lines[] = {
        "Up, Down, PgUp, PgDn, Home, End   choose a probe (also k, j)",
        "space, Enter                      count it, or stop counting it",
        "a                                 count all that are shown, or none",
        "l                                 latencies, of --pair and of probes like NAME-begin and",
        "                                  NAME-end; ~: see the line below the title",
        "s                                 sort by the next column",
        "r                                 reverse the order",
        "/                                 show only probes with a text in their name; Esc: all",
        "p                                 pause: the screen stands still, counting goes on",
        "+, -                              update more often, less often",
        "h, ?                              this; any key leads back",
        "q                                 quit: what was switched on here is switched off",
    };
    for (size_t i = 0; i < sizeof lines / sizeof lines[0] && ABOVE + (int)i < LINES; i++)
        mvaddnstr(ABOVE + (int)i, 2, lines[i], COLS > 2 ? COLS - 2 : 0);
}

void screen_draw(struct top_model *model, const struct top_view *view)
{
    top_move(model, 0, screen_lines());
    erase();
    draw_title(model, view);
    if (view->is_help) {
        draw_help();
    } else {
        struct columns columns = lay_out(model);
        draw_heads(model, &columns);
        draw_rows(model, &columns);
        draw_below(model);
    }
    refresh();
}

/* ---- Keys. ---- */

enum top_key screen_key(void)
{
    static const struct {
        int code;
        enum top_key key;
    } keys[] = {
        {'q', TOP_QUIT},
        {KEY_UP, TOP_UP},
        {'k', TOP_UP},
        {'j', TOP_DOWN},
        {KEY_DOWN, TOP_DOWN},
        {KEY_PPAGE, TOP_PAGE_UP},
        {KEY_NPAGE, TOP_PAGE_DOWN},
        {KEY_HOME, TOP_FIRST},
        {KEY_END, TOP_LAST},
        {' ', TOP_SWITCH},
        {'\n', TOP_SWITCH},
        {KEY_ENTER, TOP_SWITCH},
        {'a', TOP_SWITCH_SHOWN},
        {'s', TOP_ORDER},
        {'l', TOP_LATENCY},
        {'r', TOP_REVERSE},
        {'/', TOP_FILTER},
        {'p', TOP_PAUSE},
        {'-', TOP_SLOWER},
        {'+', TOP_FASTER},
        {'=', TOP_FASTER},
        {'h', TOP_HELP},
        {'?', TOP_HELP},
        {KEY_RESIZE, TOP_REDRAW},
    };
    int code = getch();
    if (code == ERR)
        return TOP_NONE;
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        if (keys[i].code == code)
            return keys[i].key;
    return TOP_REDRAW;
}

bool screen_type(char *text, size_t size, bool *escaped)
{
    size_t length = strlen(text);
    int code;
    while ((code = getch()) != ERR) {
        *escaped = code == 27;
        if (code == 27 || code == '\n' || code == KEY_ENTER)
            return false;
        if (code == KEY_BACKSPACE || code == 127 || code == '\b')
            length -= length > 0;
        else if (code > ' ' && code < 127 && length + 1 < size)
            text[length++] = (char)code;
        text[length] = 0;
    }
    return true;
}
