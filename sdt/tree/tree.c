/* SPDX-License-Identifier: BSD-2-Clause */
/* sdt tree: the calls below a function. The command line, and the work. */
#include "base/diag.h"
#include "base/now.h"
#include "calls.h"
#include "command/command.h"
#include "graph/page.h"
#include "graph/print.h"
#include "target/schedule.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char usage[] =
    "Usage: sdt tree [OPTION...] FUNCTION... (-p PID|NAME | -- COMMAND...)\n"
    "\n"
    "Show which functions the calls of FUNCTION, a name or a glob, have called, how often, and "
    "how\n"
    "long that took, as a tree; with '*', of all functions. The program was built by\n"
    "'sdtlink --functions'.\n"
    "\n"
    "  -p, --process=PID|NAME  an attachable process (see 'sdt ps')\n"
    "  -d, --depth=N           see N functions, one below the other (default: 128)\n"
    "  -i, --interval=SECONDS  print what each interval has added; at the end, also the total\n"
    "      --duration=SECONDS  stop after that time (default: at Ctrl-C or the end)\n"
    "  -k, --keys=N            room for N paths (default: 16384)\n"
    "  -m, --min=PERCENT       print what took at least that part of the time (default: 0.1)\n"
    "      --json              a line of JSON for each path\n"
    "      --folded            a line 'serve;parse;read NANOSECONDS' for each path\n"
    "      --html=FILE         write a page with a flame graph, for a browser\n"
    "  -f, --follow            also children that are forked later, and what COMMAND executes\n"
    "      --restarts          with -p NAME: also processes of that name that start later\n"
    "  -h, --help              print this and exit\n"
    "\n"
    "Exit status: 0 done; 1 the work failed; 2 the command line is wrong; 3 no probe matches.\n";

enum { OPTION_DURATION = 256, OPTION_JSON, OPTION_FOLDED, OPTION_HTML, OPTION_RESTARTS };

struct command {
    struct target target;
    struct schedule schedule;
    struct calls_request request;
    struct calls calls;
    struct tree_node last; /* when it was last printed, with intervals */
    char *pattern;
    const char *page; /* --html; NULL: none */
    struct output output;
    double share; /* of the time: less is not printed */
    bool has_depth, is_json, is_folded;
};

/* ---- The command line. ---- */

static int wrong(const char *problem)
{
    return command_wrong("tree", problem);
}

/* The option's argument, a whole number from 1 to MOST; 0: it is none. */
static unsigned long number_of(unsigned long most)
{
    char *end;
    unsigned long number = strtoul(optarg, &end, 10);
    return end != optarg && !*end && *optarg != '-' && number <= most ? number : 0;
}

static int take_depth(struct command *command)
{
    command->request.depth = (unsigned)number_of(LIVE_MAX_DEPTH);
    command->has_depth = true;
    return command->request.depth ? STATUS_DONE : wrong("a depth is a number from 1 to 128");
}

static int take_keys(struct command *command)
{
    command->request.paths = (uint32_t)number_of(LIVE_MAX_KEYS);
    return command->request.paths ? STATUS_DONE
                                  : wrong("there is room for a number of paths, from 1 to 1048576");
}

static int take_least(struct command *command)
{
    char *end;
    double percent = strtod(optarg, &end);
    command->share = percent / 100;
    return end != optarg && !*end && percent >= 0 && percent <= 100
               ? STATUS_DONE
               : wrong("--min is a part of the time in percent, from 0 to 100");
}

static int take_option(void *data, int option)
{
    struct command *command = data;
    switch (option) {
    case 'p':
        command->target.who = optarg;
        return STATUS_DONE;
    case 'd':
        return take_depth(command);
    case 'i':
        return schedule_seconds("tree", optarg, &command->schedule.interval);
    case OPTION_DURATION:
        return schedule_seconds("tree", optarg, &command->schedule.duration);
    case 'k':
        return take_keys(command);
    case 'm':
        return take_least(command);
    case OPTION_JSON:
        command->is_json = true;
        return STATUS_DONE;
    case OPTION_FOLDED:
        command->is_folded = true;
        return STATUS_DONE;
    case OPTION_HTML:
        command->page = optarg;
        return *optarg ? STATUS_DONE : wrong("--html needs the name of a file");
    case 'f':
        command->target.follows = true;
        return STATUS_DONE;
    case OPTION_RESTARTS:
    default:
        command->target.restarts = true;
        return STATUS_DONE;
    }
}

static int take_words(struct command *command, char **words)
{
    int status = calls_pattern("tree", words, &command->pattern, &command->request.pattern);
    if (status != STATUS_DONE)
        return status;
    if (command->is_json && command->is_folded)
        return wrong("--json and --folded are mutually exclusive");
    if (command->is_folded && schedule_has_intervals(&command->schedule))
        return wrong("--folded is of the whole time: without --interval");
    return target_check("tree", &command->target);
}

static int parse(struct command *command, int argc, char **argv)
{
    static const struct option options[] = {
        {"process", required_argument, NULL, 'p'},
        {"depth", required_argument, NULL, 'd'},
        {"interval", required_argument, NULL, 'i'},
        {"duration", required_argument, NULL, OPTION_DURATION},
        {"keys", required_argument, NULL, 'k'},
        {"min", required_argument, NULL, 'm'},
        {"json", no_argument, NULL, OPTION_JSON},
        {"folded", no_argument, NULL, OPTION_FOLDED},
        {"html", required_argument, NULL, OPTION_HTML},
        {"follow", no_argument, NULL, 'f'},
        {"restarts", no_argument, NULL, OPTION_RESTARTS},
        {"help", no_argument, NULL, 'h'},
        {NULL, 0, NULL, 0},
    };
    static const struct command_line line = {"tree", usage, "p:d:i:k:m:fh", options};
    command->request = (struct calls_request){.depth = LIVE_MAX_DEPTH, .paths = CALLS_PATHS};
    command->share = 0.001;
    command->target.takes_all = true;
    target_split(&command->target, &argc, argv);
    int status = command_options(&line, argc, argv, take_option, command);
    return status == STATUS_DONE ? take_words(command, argv + optind) : status;
}

/* ---- Output. ---- */

static void note(const struct command *command, uint64_t number, const char *what,
                 const char *advice)
{
    char *text = memory_format("%" PRIu64 " calls %s", number, what);
    if (number)
        diag_warn(&(struct diag_place){.file = command->pattern}, text, advice);
    free(text);
}

static void print_notes(const struct command *command, const struct calls_lost *lost)
{
    const char *where = "they are in no number; their time is that of what called them";
    note(command, lost->roomless, "found no room for their path", "make more by --keys");
    note(command, lost->threadless, "and returns were in more threads than there is room for",
         NULL);
    note(command, lost->unreturned, "ended without a return, by an exception or longjmp()", where);
    if (!command->has_depth)
        note(command, lost->deeper, "were deeper than 128", where);
}

/* WHOLE, which becomes sorted. */
static void print_tree(const struct command *command, struct tree_node *whole, bool is_total)
{
    struct bytes text = {0};
    tree_sort(whole);
    if (command->is_json)
        tree_json(&text, whole, now_epoch(), is_total);
    else if (command->is_folded)
        tree_folded(&text, whole);
    else
        tree_print(whole, command->share, is_total);
    if (text.size)
        fwrite(text.data, 1, text.size, stdout);
    bytes_free(&text);
    fflush(stdout);
}

/* The page of WHOLE, which is sorted. A status. */
static int write_page(struct command *command, const struct tree_node *whole,
                      const struct calls_lost *lost)
{
    uint64_t missing = lost->roomless + lost->threadless + lost->unreturned + lost->deeper;
    if (!command->page)
        return STATUS_DONE;
    return tree_page(&command->output, command->target.process.name, whole, missing) == 0
               ? STATUS_DONE
               : STATUS_FAILED;
}

/* What has come since the last time. */
static void print_again(void *data)
{
    struct command *command = data;
    struct tree_node part = {.count = 0}, all;
    struct calls_lost lost;
    calls_read(&command->calls, &all, &lost);
    tree_add(&part, &all);
    tree_subtract(&part, &command->last);
    tree_free(&command->last);
    command->last = all;
    print_tree(command, &part, false);
    if (!command->is_json)
        puts("");
    tree_free(&part);
}

static int print_last(struct command *command)
{
    bool has_intervals = schedule_has_intervals(&command->schedule);
    struct tree_node whole;
    struct calls_lost lost;
    if (has_intervals)
        print_again(command);
    calls_read(&command->calls, &whole, &lost);
    print_tree(command, has_intervals ? &command->last : &whole, has_intervals);
    print_notes(command, &lost);
    int status = write_page(command, has_intervals ? &command->last : &whole, &lost);
    tree_free(&whole);
    return status;
}

/* ---- The work. ---- */

static int look_again(void *command)
{
    return calls_look(&((struct command *)command)->calls);
}

static int run(struct command *command)
{
    /* Before the work, which would be for nothing. */
    if (command->page && output_open(&command->output, command->page, 0) != 0)
        return STATUS_FAILED;
    int status = target_open(&command->target);
    if (status != STATUS_DONE)
        return status;
    status = calls_begin(&command->calls, &command->target, &command->request);
    schedule_begin(&command->schedule);
    target_go(&command->target);
    if (status == STATUS_DONE) {
        static const struct schedule_steps steps = {look_again, print_again};
        status = schedule_follow(&command->schedule, &command->target, &steps, command);
        if (calls_were_asked(&command->calls) && print_last(command) != STATUS_DONE)
            status = STATUS_FAILED;
        if (!calls_were_asked(&command->calls) && status == STATUS_DONE)
            target_nothing(&command->target, command->pattern);
        target_detach(&command->target);
    }
    return target_close(&command->target, status);
}

int tree_main(int argc, char **argv)
{
    struct command command = {.share = 0};
    int status = parse(&command, argc, argv);
    if (status == STATUS_DONE)
        status = run(&command);
    if (command.output.temporary)
        output_abandon(&command.output);
    calls_free(&command.calls);
    tree_free(&command.last);
    free(command.pattern);
    return status;
}
