/* SPDX-License-Identifier: BSD-2-Clause */
/* sdt trace: the command line. */
#include "command/command.h"
#include "follow.h"
#include "follow_format.h"
#include "options.h"
#include "target/schedule.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char usage[] =
    "Usage: sdt trace [OPTION...] PATTERN... [/PREDICATE/] [FORMAT] (-p PID|NAME | -- COMMAND...)\n"
    "\n"
    "Print the events of probes as they happen, until Ctrl-C or the end of the process.\n"
    "FORMAT says what is printed of each: a word with braces, as in '{time} {path}: {n} bytes'.\n"
    "\n"
    "  -p, --process=PID|NAME  an attachable process (see 'sdt ps')\n"
    "  -d, --duration=SECONDS  stop after that time\n"
    "  -n, --limit=N           print N events, then end\n"
    "  -r, --rate=N            print at most N events a second (default: 1000; 0: all), and\n"
    "                          the number of those left out\n"
    "  -f, --follow            also children that are forked later, and what COMMAND executes\n"
    "      --restarts          with -p NAME: also processes of that name that start later\n"
    "      --stack[=N]         the callers of each, up to N (default: 16)\n"
    "      --context           the ids of the trace and span that its thread works for\n"
    "      --events            a line for each event: of a call, for its entry and its return\n"
    "      --relative          times since the first event\n"
    "      --delta             times since the event before\n"
    "      --json              a line of JSON for each\n"
    "      --describe=FILE     names, types and units of arguments, see sdt-describe(5)\n"
    "  -h, --help              print this and exit\n"
    "\n"
    "Names in PREDICATE and FORMAT: the arguments; cpu, pid, tid, provider, name, function, "
    "module;\n"
    "in FORMAT also time.\n"
    "Exit status: 0 done; 1 the work failed; 2 the command line is wrong; 3 no probe matches.\n";

enum {
    OPTION_RELATIVE = 256,
    OPTION_DELTA,
    OPTION_STACK,
    OPTION_CONTEXT,
    OPTION_RESTARTS,
    OPTION_DESCRIBE,
    OPTION_EVENTS
};

static int wrong(const char *problem)
{
    return command_wrong("trace", problem);
}

static int take_number(uint64_t *number)
{
    char *end;
    *number = strtoull(optarg, &end, 10);
    return end != optarg && !*end && *optarg != '-' ? STATUS_DONE
                                                    : wrong("an option's argument is not a number");
}

static int take_option(void *data, int option)
{
    struct follow *follow = data;
    switch (option) {
    case 'p':
        follow->record.target.who = optarg;
        return STATUS_DONE;
    case 'd':
        return schedule_seconds("trace", optarg, &follow->duration);
    case 'n':
        return take_number(&follow->report.limit);
    case 'r':
        return take_number(&follow->rate);
    case 'f':
        follow->record.target.follows = true;
        return STATUS_DONE;
    case 'j':
        follow->report.printer = &report_json;
        return STATUS_DONE;
    case OPTION_RESTARTS:
        follow->record.target.restarts = true;
        return STATUS_DONE;
    case OPTION_DESCRIBE:
        follow->record.description = optarg;
        return *optarg ? STATUS_DONE : wrong("--describe needs a file");
    case OPTION_STACK:
        follow->report.shows_stack = true;
        return record_add_stack(&follow->record, optarg) == 0
                   ? STATUS_DONE
                   : wrong("--stack takes a number from 1 to 64");
    case OPTION_CONTEXT:
        record_add_option(&follow->record, "context", "");
        return STATUS_DONE;
    case OPTION_EVENTS:
        follow->is_by_event = true;
        return STATUS_DONE;
    case OPTION_RELATIVE:
        follow->report.time = TIME_RELATIVE;
        return STATUS_DONE;
    case OPTION_DELTA:
    default:
        follow->report.time = TIME_DELTA;
        return STATUS_DONE;
    }
}

/* The last of WORDS, if it has braces, is the format. */
static int take_words(struct follow *follow, char **words)
{
    const struct clauses_form any = {0, false, false};
    size_t n = 0;
    while (words[n])
        n++;
    if (n > 1 && strchr(words[n - 1], '{') && words[n - 1][0] != '/') {
        follow->format = words[n - 1];
        words[n - 1] = NULL;
    }
    const char *problem = clauses_parse(&follow->clauses, any, words);
    if (!problem && follow->clauses.by[0])
        problem = "'by' is for count, hist and lat";
    if (!problem && follow->format)
        problem = follow_format_check(follow->format);
    follow->report.filter_text = follow->clauses.predicate[0];
    return problem ? wrong(problem) : target_check("trace", &follow->record.target);
}

/* Whether calls are lines: where each event says something of its own, there is one for each. A
 * condition may choose entries and leave out their returns. */
static bool shows_calls(const struct follow *follow)
{
    const struct report *report = &follow->report;
    return !follow->is_by_event && !follow->format && report->printer != &report_json &&
           !report->shows_stack && report->time != TIME_DELTA && !follow->clauses.predicate[0];
}

int follow_parse(struct follow *follow, int argc, char **argv)
{
    static const struct option options[] = {{"process", required_argument, NULL, 'p'},
                                            {"duration", required_argument, NULL, 'd'},
                                            {"limit", required_argument, NULL, 'n'},
                                            {"rate", required_argument, NULL, 'r'},
                                            {"follow", no_argument, NULL, 'f'},
                                            {"json", no_argument, NULL, 'j'},
                                            {"relative", no_argument, NULL, OPTION_RELATIVE},
                                            {"delta", no_argument, NULL, OPTION_DELTA},
                                            {"restarts", no_argument, NULL, OPTION_RESTARTS},
                                            {"stack", optional_argument, NULL, OPTION_STACK},
                                            {"context", no_argument, NULL, OPTION_CONTEXT},
                                            {"events", no_argument, NULL, OPTION_EVENTS},
                                            {"describe", required_argument, NULL, OPTION_DESCRIBE},
                                            {"help", no_argument, NULL, 'h'},
                                            {NULL, 0, NULL, 0}};
    static const struct command_line line = {"trace", usage, "p:d:n:r:fh", options};
    follow->record.target.takes_all = true;
    target_split(&follow->record.target, &argc, argv);
    int status = command_options(&line, argc, argv, take_option, follow);
    if (status == STATUS_DONE)
        status = take_words(follow, argv + optind);
    if (status != STATUS_DONE)
        return status;
    follow->report.has_calls = shows_calls(follow);
    return filter_parse(&follow->report.filter, follow->report.filter_text) == 0 ? STATUS_DONE
                                                                                 : STATUS_USAGE;
}
