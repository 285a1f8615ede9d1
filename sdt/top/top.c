/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sdt top: a live screen of the probes of a running process.
 *
 * The hits are read from the memory in which the process counts, as `sdt count` does; the displayed
 * data is in a model (model.h), drawn by screen.c. Everything that was enabled here ends
 * with this program's session.
 */
#include "base/diag.h"
#include "base/memory.h"
#include "base/now.h"
#include "command/command.h"
#include "follow.h"
#include "functions.h"
#include "latency.h"
#include "print/label.h"
#include "state.h"
#include "target/patterns.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char usage[] =
    "Usage: sdt top [OPTION...] [PATTERN...] -p PID|NAME\n"
    "       sdt top [OPTION...] [PATTERN...] -- COMMAND [ARGUMENT...]\n"
    "\n"
    "Show which probes are hit, and how often, in all processes if several have that NAME: a\n"
    "screen that changes each second. All probes that match (default: all) are counted; keys\n"
    "switch them off and on, sort and filter: 'h' lists the keys.\n"
    "\n"
    "  -p, --process=PID|NAME  an attachable process (see 'sdt ps')\n"
    "  -f, --follow            also children that are forked later, and what COMMAND executes\n"
    "  -i, --interval=SECONDS  time between updates (default: 1)\n"
    "  -o, --off               count nothing at first\n"
    "      --pair='BEGIN [/PREDICATE/] END [/PREDICATE/] [match EXPR]'\n"
    "                          show also the time from probe BEGIN to probe END, as in sdt lat; "
    "may\n"
    "                          be repeated. Key 'l' shows that of pairs with names such as "
    "x-begin\n"
    "                          and x-end\n"
    "      --functions         show functions, of a program that was built by 'sdtlink\n"
    "                          --functions': calls, and the time of their own and in total. A\n"
    "                          PATTERN is a function whose calls, and those below them, are "
    "shown.\n"
    "                          fn::NAME and NAMESPACE::NAME mean that without the option\n"
    "  -h, --help              print this and exit\n"
    "\n"
    "Exit status: 0 done; 1 the work failed; 2 the command line is wrong; 3 no probe matches.\n";

enum { TICK = 50 /* ms: how long a key waits */, OPTION_PAIR = 256, OPTION_FUNCTIONS };

/* ---- The command line. ---- */

static int wrong(const char *problem)
{
    return command_wrong("top", problem);
}

static int take_option(void *data, int option)
{
    struct top *top = data;
    char *end;
    switch (option) {
    case 'p':
        top->target.who = optarg;
        return STATUS_DONE;
    case 'f':
        top->target.follows = true;
        return STATUS_DONE;
    case 'i':
        top->interval = strtod(optarg, &end);
        return end != optarg && !*end && top->interval >= 0.1 && top->interval <= 3600
                   ? STATUS_DONE
                   : wrong("an interval is a number of seconds, from 0.1 to 3600");
    case 'o':
        top->starts_off = true;
        return STATUS_DONE;
    case OPTION_FUNCTIONS:
        top->model.has_functions = true;
        return STATUS_DONE;
    case OPTION_PAIR:
    default:
        return top_add_pair(top, optarg);
    }
}

/* Patterns of functions alone are a screen of functions, unless it is asked for what has none. */
static int take_words(struct top *top, char **words)
{
    bool may_be_functions = !top->model.has_functions && !top->starts_off && !top->wanted_count;
    char **functions = may_be_functions ? top_functions_of(words) : NULL;
    int status = STATUS_DONE;
    top->model.has_functions = top->model.has_functions || functions;
    if (top->model.has_functions)
        status = top_functions_take(top, functions ? functions : words);
    else
        top->pattern = target_patterns(words);
    top_functions_free(functions);
    return status == STATUS_DONE ? target_check("top", &top->target) : status;
}

static int parse(struct top *top, int argc, char **argv)
{
    static char all[] = "*", *everything[] = {all, NULL};
    static const struct option options[] = {
        {"process", required_argument, NULL, 'p'},
        {"follow", no_argument, NULL, 'f'},
        {"interval", required_argument, NULL, 'i'},
        {"off", no_argument, NULL, 'o'},
        {"pair", required_argument, NULL, OPTION_PAIR},
        {"functions", no_argument, NULL, OPTION_FUNCTIONS},
        {"help", no_argument, NULL, 'h'},
        {NULL, 0, NULL, 0},
    };
    static const struct command_line line = {"top", usage, "p:fi:oh", options};
    top->interval = 1;
    top->target.takes_all = true;
    target_split(&top->target, &argc, argv);
    int status = command_options(&line, argc, argv, take_option, top);
    if (status != STATUS_DONE)
        return status;
    return take_words(top, argv[optind] ? argv + optind : everything);
}

/* ---- What is counted. ---- */

static int ask_to_count(struct top *top, struct top_switch *change)
{
    struct attach_request request = {.op = LIVE_ENABLE, .text = change->pattern};
    if (top_is_shared(top)) {
        change->id = 1;
        return top_follow_obey(top);
    }
    if (attach_send(&top->target.process, &request) != 0)
        return -1;
    if (request.result > 0)
        change->id = (uint64_t)request.result;
    else
        top_note(top, request.message);
    return 0;
}

static int ask_to_cease(struct top *top, struct top_switch *change)
{
    struct attach_request request = {.op = LIVE_DISABLE, .argument = change->id};
    change->id = 0;
    struct top_row *row = top_row_of(&top->model, change->label);
    row->is_counted = false;
    row->rate = 0;
    if (top_is_shared(top))
        return top_follow_obey(top);
    return attach_send(&top->target.process, &request);
}

static int set_counted(struct top *top, const char *label, bool is_wanted)
{
    struct top_switch *change = top_switch_of(top, label);
    if (!change || (change->id != 0) == is_wanted)
        return 0;
    return is_wanted ? ask_to_count(top, change) : ask_to_cease(top, change);
}

/* Of all rows that are shown: count them, unless they are counted already. */
static int set_shown(struct top *top)
{
    bool is_wanted = false;
    for (size_t i = 0; i < top->model.shown_count; i++)
        is_wanted = is_wanted || !top->model.rows[top->model.shown[i]].is_counted;
    for (size_t i = 0; i < top->model.shown_count; i++)
        if (set_counted(top, top->model.rows[top->model.shown[i]].label, is_wanted) != 0)
            return -1;
    return 0;
}

/* ---- What there is. ---- */

/* List the probes; those that are new are counted, if that is what we do. */
static int learn(struct top *top)
{
    struct live_sites sites;
    struct attached *process = &top->target.process;
    size_t known = top->switch_count;
    uint64_t generation = atomic_load(&process->page->generation);
    uint64_t freed = atomic_load(&process->page->freed);
    if (live_sites_ask(process, top->resolved, &sites) != 0)
        return -1;
    top_begin(&top->model);
    for (size_t i = 0; i < sites.count; i++)
        top_learn_site(top, &sites.site[i]);
    count_rows_learn(&top->rows, process, &sites, false);
    top->rows.generation = generation;
    top->rows.freed = freed;
    live_sites_free(&sites);
    for (size_t i = known; i < top->switch_count && !top->starts_off; i++)
        if (ask_to_count(top, &top->switches[i]) != 0)
            return -1;
    return 0;
}

/* The same, with the words that are counted in since then. */
static int learn_words(struct top *top)
{
    struct live_sites sites;
    if (top_is_shared(top))
        return top_follow_learn(top);
    if (learn(top) != 0 || live_sites_ask(&top->target.process, top->resolved, &sites) != 0)
        return -1;
    count_rows_learn(&top->rows, &top->target.process, &sites, true);
    live_sites_free(&sites);
    return 0;
}

static void show_hits(struct top *top, double seconds)
{
    for (size_t i = 0; i < top->rows.count; i++) {
        const struct count_row *counted = &top->rows.row[i];
        char *label = label_of(counted->provider, counted->name);
        const struct top_switch *is_on = top_switch_of(top, label);
        if (is_on && is_on->id)
            top_count(top_row_of(&top->model, label), counted->total, seconds);
        free(label);
    }
}

/* Read what the process counts in. -1: after a message. */
static int read_words(struct top *top)
{
    const struct live_page *page = top->target.process.page;
    bool is_old = atomic_load(&page->generation) != top->rows.generation ||
                  atomic_load(&page->freed) != top->rows.freed || top->rows.must_ask;
    count_rows_read(&top->rows, page);
    if (is_old && attach_is_there(&top->target.process) && learn_words(top) != 0)
        return -1;
    count_rows_read(&top->rows, page);
    return 0;
}

static int read_tables(struct top *top)
{
    if (top_follow_learn(top) != 0)
        return -1;
    top_follow_read(top);
    return 0;
}

/* Read the hits. -1: after a message. */
static int look(struct top *top)
{
    int64_t time = now();
    if (top->model.has_functions)
        return top_functions_look(top);
    if ((top_is_shared(top) ? read_tables(top) : read_words(top)) != 0)
        return -1;
    show_hits(top, top->last > 0 ? (double)(time - top->last) / (double)SECOND : 0);
    top_show_latencies(top);
    top->last = time;
    if (!top->view.is_paused)
        top_arrange(&top->model);
    return 0;
}

/* ---- Keys. ---- */

static void move_to(struct top *top, enum top_key key)
{
    long page = (long)screen_lines();
    long lines = key == TOP_UP          ? -1
                 : key == TOP_DOWN      ? 1
                 : key == TOP_PAGE_UP   ? -page
                 : key == TOP_PAGE_DOWN ? page
                 : key == TOP_FIRST     ? -(long)top->model.count
                                        : (long)top->model.count;
    top_move(&top->model, lines, (size_t)page);
}

static int switch_selected(struct top *top)
{
    const struct top_row *row = top_selected(&top->model);
    if (!row || set_counted(top, row->label, !row->is_counted) != 0)
        return row ? -1 : 0;
    return learn_words(top);
}

/* Obey KEY. False: quit. */
static bool obey(struct top *top, enum top_key key)
{
    struct top_view *view = &top->view;
    bool was_help = view->is_help;
    view->is_help = false;
    top_note(top, "");
    if (top->model.has_functions &&
        (key == TOP_SWITCH || key == TOP_SWITCH_SHOWN || key == TOP_LATENCY)) {
        top_note(top, "of functions, all are counted");
        return true;
    }
    switch (key) {
    case TOP_QUIT:
        return false;
    case TOP_SWITCH:
        return switch_selected(top) == 0 && look(top) == 0;
    case TOP_SWITCH_SHOWN:
        return set_shown(top) == 0 && learn_words(top) == 0 && look(top) == 0;
    case TOP_LATENCY:
        return top_switch_latencies(top) == 0;
    case TOP_ORDER:
        top_next_order(&top->model);
        break;
    case TOP_REVERSE:
        top->model.is_reversed = !top->model.is_reversed;
        break;
    case TOP_FILTER:
        view->is_filtering = true;
        break;
    case TOP_PAUSE:
        view->is_paused = !view->is_paused;
        break;
    case TOP_SLOWER:
        view->interval = view->interval < 60 ? view->interval * 2 : 60;
        break;
    case TOP_FASTER:
        view->interval = view->interval > 0.25 ? view->interval / 2 : 0.125;
        break;
    case TOP_HELP:
        view->is_help = !was_help;
        break;
    case TOP_REDRAW:
        break;
    default:
        move_to(top, key);
        return true;
    }
    top_arrange(&top->model);
    return true;
}

/* All keys that were pressed. False: quit. */
static bool obey_keys(struct top *top)
{
    for (enum top_key key;;) {
        if (top->view.is_filtering) {
            bool escaped = false;
            top->view.is_filtering =
                screen_type(top->model.filter, sizeof top->model.filter, &escaped);
            if (escaped)
                top->model.filter[0] = '\0';
            top_arrange(&top->model);
            if (top->view.is_filtering)
                return true;
        }
        key = screen_key();
        if (key == TOP_NONE)
            return true;
        if (!obey(top, key))
            return false;
    }
}

/* ---- The screen, until it ends. ---- */

static int64_t next_look(const struct top *top)
{
    return now() + (int64_t)(top->view.interval * (double)SECOND);
}

/* Processes and libraries that have come. */
static int learn_more(struct top *top)
{
    return top->model.has_functions ? calls_look(&top->calls)
           : top_is_shared(top)     ? top_follow_learn(top)
                                    : 0;
}

static int watch(struct top *top)
{
    int64_t next = next_look(top);
    for (;;) {
        screen_draw(&top->model, &top->view);
        enum target_event event = target_wait(&top->target, TICK);
        if (event == TARGET_CAME && learn_more(top) != 0)
            return STATUS_FAILED;
        target_go(&top->target);
        if (event == TARGET_ENDED || event == TARGET_INTERRUPTED || event == TARGET_LOST) {
            screen_end();
            return event == TARGET_LOST ? target_lost(&top->target) : STATUS_DONE;
        }
        if (!obey_keys(top))
            return STATUS_DONE;
        if (now() < next || top->view.is_paused)
            continue;
        next = next_look(top);
        if (look(top) != 0)
            return STATUS_FAILED;
    }
}

/* With a command, probes may come later. */
static int begin(struct top *top)
{
    const struct attach_request none = {.result = -ENOENT};
    if (top->model.has_functions) {
        int status = top_functions_begin(top);
        return status != STATUS_DONE ? status : screen_begin() == 0 ? STATUS_DONE : STATUS_FAILED;
    }
    top->resolved = patterns_resolve(&top->target.process, top->pattern);
    if (top_is_shared(top) && top_follow_begin(top) != 0)
        return STATUS_FAILED;
    if (!top->resolved || learn_words(top) != 0)
        return STATUS_FAILED;
    if (top->model.count == 0 && !top->target.is_started)
        return target_refused(&top->target, top->pattern, &none);
    if (top->wanted_count && top_switch_latencies(top) != 0)
        return STATUS_FAILED;
    return screen_begin() == 0 ? STATUS_DONE : STATUS_FAILED;
}

static int run(struct top *top)
{
    if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO))
        return screen_begin() == 0 ? STATUS_DONE : STATUS_FAILED;
    int status = target_open(&top->target);
    if (status != STATUS_DONE)
        return status;
    snprintf(top->title, sizeof top->title, "%.60s (%d)", top->target.process.name,
             (int)top->target.process.pid);
    top->view = (struct top_view){
        .title = top->title, .note = top->note, .doubt = top->doubt, .interval = top->interval};
    status = begin(top);
    target_go(&top->target);
    if (status == STATUS_DONE && look(top) == 0)
        status = watch(top);
    screen_end();
    return target_close(&top->target, status);
}

int top_main(int argc, char **argv)
{
    struct top top = {0};
    int status = parse(&top, argc, argv);
    if (status == STATUS_DONE)
        status = run(&top);
    top_free_latencies(&top);
    top_follow_free(&top);
    calls_free(&top.calls);
    for (size_t i = 0; i < top.switch_count; i++) {
        free(top.switches[i].label);
        free(top.switches[i].pattern);
        free(top.switches[i].function);
    }
    free(top.switches);
    top_free(&top.model);
    count_rows_free(&top.rows);
    free(top.pattern);
    free(top.resolved);
    return status;
}
