/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sdt count: how often probes are hit, in a running process.
 *
 * The process counts, as for SDT_COUNT, in memory that is mapped here: so counts are complete to
 * the last hit, even if the process is killed. Hits that were counted before, for others, are
 * subtracted.
 */
#include "base/diag.h"
#include "base/memory.h"
#include "command/command.h"
#include "count_print.h"
#include "count_shared.h"
#include "target/patterns.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct count {
    struct target target;
    char *pattern, *resolved; /* as given; as the process understands it */
    struct schedule schedule;
    enum count_format format;
    struct metrics_file metrics;
    bool is_shared; /* by several processes: then SHARED counts */
    struct count_shared shared;
    struct count_rows rows;
    uint64_t *ids; /* of what counts, there */
    size_t id_count;
};

static int wrong(const char *problem)
{
    return command_wrong("count", problem);
}

/* ---- The command line. ---- */

static int take_option(void *data, int option)
{
    struct count *count = data;
    enum count_format format = option == 'j' ? COUNT_JSON : COUNT_OPENMETRICS;
    switch (option) {
    case 'p':
        count->target.who = optarg;
        return 0;
    case 'd':
        return schedule_seconds("count", optarg, &count->schedule.duration);
    case 'i':
        return schedule_seconds("count", optarg, &count->schedule.interval);
    case 'f':
        count->target.follows = true;
        return 0;
    case 'r':
        count->target.restarts = true;
        return 0;
    case 'j':
    case 'o':
        if (count->format != COUNT_TABLE && count->format != format)
            return wrong("--json and --openmetrics are mutually exclusive");
        count->format = format;
        return 0;
    case 'O':
        count->metrics.path = optarg;
        return *optarg ? 0 : wrong("--output needs the name of a file");
    case 'L':
        count->metrics.address = optarg;
        return *optarg ? 0 : wrong("--listen needs an address");
    case 's':
        return 0; /* it is one; of functions as well */
    case 'k':
    case 't':
        return wrong("--keys and --top are for counts by key: ... by EXPRESSION");
    case 'D':
    default:
        return wrong("--describe is for conditions and keys: ... /CONDITION/ by EXPRESSION");
    }
}

static int parse(struct count *count, int argc, char **argv)
{
    static const struct option options[] = {
        {"process", required_argument, NULL, 'p'},
        {"duration", required_argument, NULL, 'd'},
        {"interval", required_argument, NULL, 'i'},
        {"keys", required_argument, NULL, 'k'},
        {"top", required_argument, NULL, 't'},
        {"json", no_argument, NULL, 'j'},
        {"openmetrics", no_argument, NULL, 'o'},
        {"output", required_argument, NULL, 'O'},
        {"listen", required_argument, NULL, 'L'},
        {"describe", required_argument, NULL, 'D'},
        {"sum", no_argument, NULL, 's'},
        {"follow", no_argument, NULL, 'f'},
        {"restarts", no_argument, NULL, 'r'},
        {"help", no_argument, NULL, 'h'},
        {NULL, 0, NULL, 0},
    };
    static const struct command_line line = {"count", count_usage, "p:d:i:k:t:fh", options};
    count->target.takes_all = true;
    target_split(&count->target, &argc, argv);
    int status = command_options(&line, argc, argv, take_option, count);
    if (status != STATUS_DONE)
        return status;
    const char *problem = metrics_file_check(&count->metrics, count->format == COUNT_OPENMETRICS,
                                             &count->schedule.interval);
    if (problem)
        return wrong(problem);
    if (!argv[optind])
        return wrong("no pattern");
    count->pattern = target_patterns(argv + optind);
    return target_check("count", &count->target);
}

/* ---- What is printed. ---- */

static void print_part(struct count *count, enum schedule_part part)
{
    if (count->format == COUNT_OPENMETRICS)
        count_print_openmetrics(&count->rows, &count->target, &count->metrics);
    else
        count_print(&count->rows, count->format, part, schedule_seconds_of(&count->schedule, part));
    fflush(stdout);
}

/* ---- The work. ---- */

/* Have the process count PATTERN, as it understands it. */
static int ask_to_count(struct count *count, const char *pattern)
{
    struct attach_request request = {
        .op = LIVE_ENABLE, .text = pattern, .flags = count->target.is_started ? LIVE_PENDING : 0};
    if (attach_send(&count->target.process, &request) != 0)
        return STATUS_FAILED;
    if (request.result < 0)
        return target_refused(&count->target, count->pattern, &request);
    count->ids = memory_resize(count->ids, count->id_count + 1, sizeof *count->ids);
    count->ids[count->id_count++] = (uint64_t)request.result;
    return STATUS_DONE;
}

/* Keep RESOLVED, which is ours, and have what has come to it counted. -1: after a message. */
static int keep(struct count *count, char *resolved)
{
    char *added = count->resolved ? patterns_added(resolved, count->resolved) : NULL;
    int result = added && ask_to_count(count, added) != STATUS_DONE ? -1 : 0;
    free(added);
    free(count->resolved);
    count->resolved = resolved;
    return result;
}

/* Ask for the sites: before they are counted, with what the pattern stands for. */
static int learn(struct count *count, bool has_begun)
{
    struct live_sites sites;
    struct attached *process = &count->target.process;
    uint64_t generation = atomic_load(&process->page->generation);
    uint64_t freed = atomic_load(&process->page->freed);
    bool is_fixed = has_begun && !patterns_have_functions(count->pattern);
    char *resolved = NULL;
    if (is_fixed ? live_sites_ask(process, count->resolved, &sites) != 0
                 : patterns_sites(process, count->pattern, &resolved, &sites) != 0)
        return -1;
    if (resolved && keep(count, resolved) != 0) {
        live_sites_free(&sites);
        return -1;
    }
    count_rows_learn(&count->rows, process, &sites, has_begun);
    count->rows.generation = generation;
    count->rows.freed = freed;
    if (has_begun)
        patterns_warn_of(process, &sites);
    live_sites_free(&sites);
    return 0;
}

static bool must_ask(const struct count *count)
{
    const struct live_page *page = count->target.process.page;
    return count->rows.must_ask || atomic_load(&page->generation) != count->rows.generation ||
           atomic_load(&page->freed) != count->rows.freed;
}

/* Read what there is; what was listed is listed again if that is old, and it is no error if the
 * process ends meanwhile. */
static void look(struct count *count)
{
    const struct live_page *page = count->target.process.page;
    bool was_late = count->target.process.is_late;
    if (count->is_shared) {
        count_shared_look(&count->shared, &count->rows);
        return;
    }
    count_rows_read(&count->rows, page);
    count->target.process.is_late = true;
    if (must_ask(count) && attach_is_there(&count->target.process) && learn(count, true) == 0)
        count_rows_read(&count->rows, page);
    count->target.process.is_late = was_late;
}

static int enable(struct count *count)
{
    count->is_shared =
        count->target.follows || count->target.restarts || target_count(&count->target) > 1;
    if (count->is_shared)
        return count_shared_begin(&count->shared, &count->target, count->pattern, &count->rows);
    if (learn(count, false) != 0)
        return STATUS_FAILED;
    int status = ask_to_count(count, count->resolved);
    return status != STATUS_DONE || learn(count, true) == 0 ? status : STATUS_FAILED;
}

static int look_again(void *count)
{
    look(count);
    return STATUS_DONE;
}

static void print_again(void *count)
{
    print_part(count, SCHEDULE_INTERVAL);
}

/* TEXT is ours, and freed; not of 0. */
static void warn(const struct count *count, size_t number, char *text)
{
    if (number)
        diag_warn(&(struct diag_place){.file = count->target.process.name}, text, NULL);
    free(text);
}

/* Warn about numbers that are lost. */
static void note_untold(struct count *count)
{
    const struct live_page *page = count->target.process.page;
    bool has_ended = !attach_is_there(&count->target.process);
    size_t untold = count_rows_untold(&count->rows, has_ended);
    warn(count, untold,
         memory_format("%zu probes were counted where only the process can read, and it or their "
                       "library has ended: their number is not known",
                       untold));
    warn(count, has_ended && atomic_load(&page->generation) != count->rows.generation,
         memory_format("a library was loaded, and the process ended before its probes were listed: "
                       "their hits are missing"));
}

/* Have the process count no more, and read what it has counted: before that as well, since it may
 * then forget what libraries counted that it has unloaded. */
static void end(struct count *count)
{
    look(count);
    if (count->is_shared)
        target_detach(&count->target);
    for (size_t i = 0; i < count->id_count && attach_is_there(&count->target.process); i++) {
        struct attach_request request = {.op = LIVE_DISABLE, .argument = count->ids[i]};
        attach_send(&count->target.process, &request);
    }
    if (count->is_shared)
        count_shared_read(&count->shared, &count->rows);
    else
        count_rows_read(&count->rows, count->target.process.page);
    if (count->is_shared)
        warn(count, count->shared.overflow != 0,
             memory_format("%" PRIu64 " hits were of more probes than there was room for",
                           count->shared.overflow));
    else
        note_untold(count);
    if (schedule_has_intervals(&count->schedule))
        print_part(count, SCHEDULE_INTERVAL);
    if (!schedule_has_intervals(&count->schedule) || count->format != COUNT_OPENMETRICS)
        print_part(count, schedule_has_intervals(&count->schedule) ? SCHEDULE_TOTAL : SCHEDULE_ALL);
}

static int run(struct count *count)
{
    int status =
        metrics_file_open(&count->metrics) == 0 ? target_open(&count->target) : STATUS_FAILED;
    if (status != STATUS_DONE)
        return status;
    status = enable(count);
    schedule_begin(&count->schedule);
    target_go(&count->target);
    if (status == STATUS_DONE) {
        static const struct schedule_steps steps = {look_again, print_again};
        status = schedule_follow(&count->schedule, &count->target, &steps, count);
        end(count);
        if (count->rows.count == 0 && status == STATUS_DONE)
            target_nothing(&count->target, count->pattern);
        if (count->metrics.has_failed && status == STATUS_DONE)
            status = STATUS_FAILED;
    }
    return target_close(&count->target, status);
}

/* Whether a condition, a key, a receiver, or functions are asked for, before a command. */
static bool asks_more(int argc, char **argv)
{
    bool is_sum = false, has_functions = false;
    int n = 1;
    for (; n < argc && strcmp(argv[n], "--") != 0 && strcmp(argv[n], "by") != 0 &&
           strncmp(argv[n], "--otlp", 6) != 0 && strncmp(argv[n], "--ex", 4) != 0 &&
           !strchr(argv[n], '/') && !strstr(argv[n], " by ");
         n++) {
        is_sum = is_sum || strcmp(argv[n], "--sum") == 0;
        has_functions = has_functions || patterns_are_functions(argv[n]);
    }
    return (n < argc && strcmp(argv[n], "--") != 0) || (has_functions && !is_sum);
}

int count_main(int argc, char **argv)
{
    struct count count = {0};
    if (asks_more(argc, argv))
        return count_by_main(argc, argv);
    int status = parse(&count, argc, argv);
    if (status == STATUS_DONE)
        status = run(&count);
    metrics_file_close(&count.metrics);
    count_rows_free(&count.rows);
    count_shared_free(&count.shared);
    free(count.pattern);
    free(count.resolved);
    free(count.ids);
    return status;
}
