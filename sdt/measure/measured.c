/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sdt hist, sdt lat, and sdt count of conditions and keys: the command line, and the work.
 * measure.h defines what a hit does, and measured_print.c what is printed.
 */
#include "base/now.h"
#include "base/words.h"
#include "command/command.h"
#include "compile/described_sites.h"
#include "measured_print.h"
#include "otlp/live.h"
#include "target/patterns.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COMMON                                                                                     \
    "  -p, --process=PID|NAME  an attachable process (see 'sdt ps')\n"                             \
    "  -d, --duration=SECONDS  stop after that time (default: at Ctrl-C or the end)\n"             \
    "  -i, --interval=SECONDS  print what each interval has counted; at the end, also the total\n" \
    "  -k, --keys=N            room for N keys (default: 4096 counts, 256 histograms)\n"           \
    "  -t, --top=N             print the N most frequent keys (default: 20; 0: all)\n"             \
    "      --json              a line of JSON for each\n"                                          \
    "      --openmetrics       as OpenMetrics, always totals since the beginning\n"                \
    "      --output=FILE       with --openmetrics: into FILE, replaced as a whole each time; "     \
    "for\n"                                                                                        \
    "                          *.prom in Prometheus' text format\n"                                \
    "      --listen=HOST:PORT  with --openmetrics: serve http://HOST:PORT/metrics\n"               \
    "      --otlp=URL          to a receiver of OpenTelemetry's data, as totals; prints nothing\n" \
    "      --exemplars         with --openmetrics or --otlp: recent hits with their trace_id\n"    \
    "      --describe=FILE     names, types and units of arguments, see sdt-describe(5)\n"         \
    "  -f, --follow            also children that are forked later, and what COMMAND executes\n"   \
    "      --restarts          with -p NAME: also processes of that name that start later\n"

#define STATUSES                                                                                   \
    "  -h, --help              print this and exit\n"                                              \
    "\n"                                                                                           \
    "Expressions: numbers, \"text\", arguments by name or as arg0, arg1 ...; tid, pid, cpu, "      \
    "comm,\n"                                                                                      \
    "time, provider, name, function, module; str(x), len(x), int(x); + - * / % & | ^ << >> ~,\n"   \
    "comparisons, ^= (begins with), &&, ||, !.\n"                                                  \
    "Exit status: 0 done; 1 the work failed; 2 the command line is wrong; 3 no probe matches.\n"

const char count_usage[] =
    "Usage: sdt count [OPTION...] PATTERN... [/PREDICATE/] [by EXPR[, EXPR]] (-p PID|NAME | -- "
    "COMMAND...)\n"
    "\n"
    "Count how often probes are hit; with PREDICATE, the hits for which it holds; with 'by', for\n"
    "each value of an expression. Of functions (fn::NAME), each has a count of its own.\n"
    "\n" COMMON "      --sum               of functions, one count for all\n" STATUSES;

static const char hist_usage[] =
    "Usage: sdt hist [OPTION...] PATTERN [/PREDICATE/] EXPR [by EXPR[, EXPR]] (-p PID|NAME | -- "
    "COMMAND...)\n"
    "\n"
    "Show how the values of an expression are distributed.\n"
    "\n" COMMON "  -l, --linear=LOW:STEP   400 buckets of STEP values, from LOW on\n" STATUSES;

static const char lat_usage[] =
    "Usage: sdt lat [OPTION...] BEGIN [/PREDICATE/] END [/PREDICATE/] [match EXPR]\n"
    "               [by EXPR[, EXPR]] (-p PID|NAME | -- COMMAND...)\n"
    "       sdt lat [OPTION...] FUNCTION [by EXPR[, EXPR]] (-p PID|NAME | -- COMMAND...)\n"
    "\n"
    "Show how long it takes from probe BEGIN to the next hit of probe END in the same thread; "
    "with\n"
    "'match', to the next one with the same value of EXPR, in any thread. With 'by', a row for "
    "each\n"
    "value of an expression. FUNCTION: how long its calls take, in a program that was built by\n"
    "'sdtlink --functions'.\n"
    "\n" COMMON "  -n, --outliers=N        show the N slowest with their arguments (5; with --json "
    "0)\n"
    "      --histograms        with 'by': a histogram for each key, instead of a row\n" STATUSES;

static const struct kind kinds[] = {
    {"count", count_usage, "p:d:i:k:t:fh", LIVE_COUNT, {0, false, false}},
    {"hist", hist_usage, "p:d:i:k:t:l:fh", LIVE_HIST, {1, true, false}},
    {"lat", lat_usage, "p:d:i:k:t:m:n:fh", LIVE_STOP, {2, false, true}},
};
enum { KIND_COUNT, KIND_HIST, KIND_LAT };
enum {
    OPTION_HISTOGRAMS = 256,
    OPTION_DESCRIBE,
    OPTION_OTLP,
    OPTION_OUTPUT,
    OPTION_LISTEN,
    OPTION_SUM,
    OPTION_EXEMPLARS
};
/* Of all functions of a program. Memory is taken by those that are hit. */
enum { FUNCTION_KEYS = 1 << 14 };

/* ---- The command line. ---- */

static int wrong(const struct measured *command, const char *problem)
{
    return command_wrong(command->kind->command, problem);
}

static int take_number(const struct measured *command, unsigned long most, unsigned long *number)
{
    char *end;
    *number = strtoul(optarg, &end, 10);
    return end != optarg && !*end && *optarg != '-' && *number <= most
               ? STATUS_DONE
               : wrong(command, "an option's argument is not a number, or is too large");
}

static int take_linear(struct measured *command)
{
    return measure_take_linear(&command->request, optarg)
               ? STATUS_DONE
               : wrong(command, "linear buckets are LOW:STEP, two integers, as in 0:10");
}

static int take_url(struct measured *command)
{
    char *problem = otlp_url_problem(optarg);
    int status = problem ? wrong(command, problem) : STATUS_DONE;
    free(problem);
    command->otlp = optarg;
    return status;
}

static int take_option(void *data, int option)
{
    struct measured *command = data;
    unsigned long number = 0;
    int status = STATUS_DONE;
    switch (option) {
    case 'p':
        command->target.who = optarg;
        return STATUS_DONE;
    case 'd':
        return schedule_seconds(command->kind->command, optarg, &command->schedule.duration);
    case 'i':
        return schedule_seconds(command->kind->command, optarg, &command->schedule.interval);
    case 'k':
        status = take_number(command, LIVE_MAX_KEYS, &number);
        command->request.keys = number ? (uint32_t)number : 1;
        return status;
    case 't':
        status = take_number(command, LIVE_MAX_KEYS, &number);
        command->most = number;
        command->has_most = true;
        return status;
    case 'l':
        return take_linear(command);
    case 'm':
        return wrong(command, "'match' is a word after the patterns: BEGIN END match EXPRESSION");
    case 'f':
        command->target.follows = true;
        return STATUS_DONE;
    case 'r':
        command->target.restarts = true;
        return STATUS_DONE;
    case 'n':
        status = take_number(command, LIVE_MAX_OUTLIERS - LIVE_SPARE, &number);
        command->outliers = (int)number;
        return status;
    case 'j':
        command->is_json = true;
        return STATUS_DONE;
    case 'o':
        command->is_openmetrics = true;
        return STATUS_DONE;
    case OPTION_OTLP:
        return take_url(command);
    case OPTION_DESCRIBE:
        command->description = optarg;
        return *optarg ? STATUS_DONE : wrong(command, "--describe needs a file");
    case OPTION_OUTPUT:
        command->metrics.path = optarg;
        return *optarg ? STATUS_DONE : wrong(command, "--output needs the name of a file");
    case OPTION_LISTEN:
        command->metrics.address = optarg;
        return *optarg ? STATUS_DONE : wrong(command, "--listen needs an address");
    case OPTION_SUM:
        command->is_sum = true;
        return command->request.action == LIVE_COUNT ? STATUS_DONE
                                                     : wrong(command, "--sum is for sdt count");
    case OPTION_EXEMPLARS:
        command->has_exemplars = true;
        return STATUS_DONE;
    case OPTION_HISTOGRAMS:
    default:
        command->has_histograms = true;
        return measured_is_latency(command) ? STATUS_DONE
                                            : wrong(command, "--histograms is for sdt lat");
    }
}

/* A count of functions is by function, unless it is asked for otherwise. */
static void split_functions(struct measured *command)
{
    struct measure_request *request = &command->request;
    if (request->action != LIVE_COUNT || request->clauses.by[0] || command->is_sum)
        return;
    request->by_function = patterns_are_functions(request->clauses.pattern[0]);
    if (request->by_function && !request->keys)
        request->keys = FUNCTION_KEYS;
}

/* What is wrong with asking for them; NULL: nothing. */
static const char *ask_for_exemplars(struct measured *command)
{
    if (!command->is_openmetrics && !command->otlp)
        return "--exemplars is for --openmetrics and --otlp";
    if (command->is_openmetrics && metrics_file_form(&command->metrics) != OPENMETRICS_1_0)
        return "Prometheus' text format has no exemplars: give --output a name without .prom";
    command->request.exemplars =
        measure_exemplar_period(command->schedule.interval, command->metrics.address != NULL);
    return NULL;
}

static int take_words(struct measured *command, char **words)
{
    struct clauses *clauses = &command->request.clauses;
    const char *problem = clauses_parse(clauses, command->kind->form, words);
    if (!problem)
        split_functions(command);
    if (!problem && command->is_json && command->is_openmetrics)
        problem = "--json and --openmetrics are mutually exclusive";
    if (command->is_sum && clauses->by[0])
        return wrong(command, "--sum and 'by' are mutually exclusive");
    if (command->otlp && (command->is_json || command->is_openmetrics))
        return wrong(command, "--otlp prints nothing: --json and --openmetrics are not for it");
    if (!problem)
        problem = metrics_file_check(&command->metrics, command->is_openmetrics,
                                     &command->schedule.interval);
    if (!problem && command->has_exemplars)
        problem = ask_for_exemplars(command);
    /* For scripts, which may know no such objects, only if they are asked for. */
    enum { USUAL = 5 };
    int usual = command->is_json ? 0 : USUAL;
    if (command->request.action == LIVE_STOP && !command->is_openmetrics && !command->otlp)
        command->request.outliers = (unsigned)(command->outliers < 0 ? usual : command->outliers);
    return problem ? wrong(command, problem)
                   : target_check(command->kind->command, &command->target);
}

static int parse(struct measured *command, int argc, char **argv)
{
    static const struct option options[] = {
        {"process", required_argument, NULL, 'p'},
        {"duration", required_argument, NULL, 'd'},
        {"interval", required_argument, NULL, 'i'},
        {"keys", required_argument, NULL, 'k'},
        {"top", required_argument, NULL, 't'},
        {"linear", required_argument, NULL, 'l'},
        {"match", required_argument, NULL, 'm'},
        {"outliers", required_argument, NULL, 'n'},
        {"json", no_argument, NULL, 'j'},
        {"openmetrics", no_argument, NULL, 'o'},
        {"histograms", no_argument, NULL, OPTION_HISTOGRAMS},
        {"otlp", required_argument, NULL, OPTION_OTLP},
        {"exemplars", no_argument, NULL, OPTION_EXEMPLARS},
        {"output", required_argument, NULL, OPTION_OUTPUT},
        {"listen", required_argument, NULL, OPTION_LISTEN},
        {"describe", required_argument, NULL, OPTION_DESCRIBE},
        {"sum", no_argument, NULL, OPTION_SUM},
        {"follow", no_argument, NULL, 'f'},
        {"restarts", no_argument, NULL, 'r'},
        {"help", no_argument, NULL, 'h'},
        {NULL, 0, NULL, 0},
    };
    const struct kind *kind = command->kind;
    const struct command_line line = {kind->command, kind->usage, kind->letters, options};
    command->request = (struct measure_request){.action = kind->action};
    command->most = 20;
    command->target.takes_all = true;
    command->outliers = -1;
    target_split(&command->target, &argc, argv);
    int status = command_options(&line, argc, argv, take_option, command);
    return status == STATUS_DONE ? take_words(command, argv + optind) : status;
}

/* ---- The work. ---- */

static int look_again(void *command)
{
    return measure_look(&((struct measured *)command)->measure);
}

static void print_again(void *command)
{
    measured_print(command);
}

static int run(struct measured *command)
{
    int status =
        described_sites_read(command->description) == 0 && metrics_file_open(&command->metrics) == 0
            ? target_open(&command->target)
            : STATUS_FAILED;
    if (status != STATUS_DONE)
        return status;
    command->start = now_epoch();
    command->style = histogram_style_of(stdout);
    command->style.is_time = measured_is_latency(command);
    status = measure_begin(&command->measure, &command->target, &command->request);
    schedule_begin(&command->schedule);
    target_go(&command->target);
    if (status == STATUS_DONE) {
        static const struct schedule_steps steps = {look_again, print_again};
        status = schedule_follow(&command->schedule, &command->target, &steps, command);
        measured_print_last(command);
        target_detach(&command->target);
        if (command->measure.count == 0 && status == STATUS_DONE)
            target_nothing(&command->target, command->request.clauses.pattern[0]);
        described_sites_warn();
        if (command->metrics.has_failed && status == STATUS_DONE)
            status = STATUS_FAILED;
    }
    return target_close(&command->target, status);
}

/* With a receiver, if one is asked for. */
static int run_sending(struct measured *command)
{
    if (!command->otlp)
        return run(command);
    command->live = otlp_live_begin(command->otlp, schedule_has_intervals(&command->schedule));
    if (!command->live)
        return STATUS_FAILED;
    int status = run(command);
    return otlp_live_end(command->live) == 0 || status != STATUS_DONE ? status : STATUS_FAILED;
}

static int run_kind(const struct kind *kind, int argc, char **argv)
{
    struct measured command = {.kind = kind};
    int status = parse(&command, argc, argv);
    if (status == STATUS_DONE)
        status = run_sending(&command);
    metrics_file_close(&command.metrics);
    bytes_free(&command.exposition);
    measure_free(&command.measure);
    clauses_free(&command.request.clauses);
    described_sites_free();
    return status;
}

int hist_main(int argc, char **argv)
{
    return run_kind(&kinds[KIND_HIST], argc, argv);
}

int lat_main(int argc, char **argv)
{
    return run_kind(&kinds[KIND_LAT], argc, argv);
}

int count_by_main(int argc, char **argv)
{
    return run_kind(&kinds[KIND_COUNT], argc, argv);
}
