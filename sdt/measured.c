/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sdt hist, sdt lat, and sdt count of conditions and keys: the command line, and what is printed.
 * measure.h defines what a hit does.
 */
#include "base/diag.h"
#include "base/escape_append.h"
#include "base/table.h"
#include "command.h"
#include "histogram.h"
#include "label.h"
#include "measure.h"
#include "now.h"
#include "openmetrics.h"
#include "schedule.h"
#include "text.h"

#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COMMON                                                                                     \
    "  -p, --process=PID|NAME  an attachable process (see 'sdt ps')\n"                             \
    "  -d, --duration=SECONDS  stop after that time (default: at Ctrl-C or the end)\n"             \
    "  -i, --interval=SECONDS  print each time, what has come since the last time\n"               \
    "  -k, --keys=N            room for N keys (default: 4096 counts, 256 histograms)\n"           \
    "  -t, --top=N             print the N most frequent keys (default: 20; 0: all)\n"             \
    "      --json              a line of JSON for each\n"                                          \
    "      --openmetrics       as OpenMetrics, totals since the beginning\n"                       \
    "  -f, --follow            also children that are forked later, and what COMMAND executes\n"

#define STATUSES                                                                                   \
    "  -h, --help              print this and exit\n"                                              \
    "\n"                                                                                           \
    "Expressions: numbers, \"text\", arguments by name or as arg0, arg1 ...; tid, pid, cpu, "      \
    "comm,\n"                                                                                      \
    "time, provider, name, function, module; str(x), int(x); + - * / % & | ^ << >> ~, "            \
    "comparisons,\n"                                                                               \
    "^= (begins with), &&, ||, !.\n"                                                               \
    "Exit status: 0 done; 1 the work failed; 2 the command line is wrong; 3 no probe matches.\n"

const char count_usage[] =
    "Usage: sdt count [OPTION...] PATTERN... [/PREDICATE/] [by EXPR[, EXPR]] (-p PID|NAME | -- "
    "COMMAND...)\n"
    "\n"
    "Count how often probes are hit; with PREDICATE, the hits for which it holds; with 'by', for\n"
    "each value of an expression.\n"
    "\n" COMMON STATUSES;

static const char hist_usage[] =
    "Usage: sdt hist [OPTION...] PATTERN [/PREDICATE/] EXPR [by EXPR[, EXPR]] (-p PID|NAME | -- "
    "COMMAND...)\n"
    "\n"
    "Show how the values of an expression are distributed.\n"
    "\n" COMMON "  -l, --linear=LOW:STEP   400 buckets of STEP values, from LOW on\n" STATUSES;

static const char lat_usage[] =
    "Usage: sdt lat [OPTION...] BEGIN [/PREDICATE/] END [/PREDICATE/] [by EXPR] (-p PID|NAME | -- "
    "COMMAND...)\n"
    "\n"
    "Show how long it takes from probe BEGIN to probe END.\n"
    "\n" COMMON "  -m, --match=EXPR        what is the same at both, instead of the thread\n"
    "  -n, --outliers=N        show the N slowest with their arguments (5; with --json "
    "0)\n" STATUSES;

/* One of the three. */
struct kind {
    const char *command, *usage, *letters;
    enum live_action action;
    struct clauses_form form;
};

static const struct kind kinds[] = {
    {"count", count_usage, "p:d:i:k:t:fh", LIVE_COUNT, {0, false}},
    {"hist", hist_usage, "p:d:i:k:t:l:fh", LIVE_HIST, {1, true}},
    {"lat", lat_usage, "p:d:i:k:t:m:n:fh", LIVE_STOP, {2, false}},
};
enum { KIND_COUNT, KIND_HIST, KIND_LAT };

struct command {
    const struct kind *kind;
    struct target target;
    struct measure_request request;
    struct measure measure;
    struct histogram_style style;
    struct schedule schedule;
    size_t most;  /* keys that are printed; 0: all */
    int outliers; /* -1: as many as is usual */
    bool is_json, is_openmetrics;
};

/* ---- The command line. ---- */

static int wrong(const struct command *command, const char *problem)
{
    return command_wrong(command->kind->command, problem);
}

static int take_number(const struct command *command, unsigned long most, unsigned long *number)
{
    char *end;
    *number = strtoul(optarg, &end, 10);
    return end != optarg && !*end && *optarg != '-' && *number <= most
               ? STATUS_DONE
               : wrong(command, "an option's argument is not a number, or is too large");
}

static int take_linear(struct command *command)
{
    char *end;
    command->request.low = strtoll(optarg, &end, 0);
    bool is_right = end != optarg && *end == ':' && end[1] && end[1] != '-';
    command->request.step = is_right ? strtoull(end + 1, &end, 0) : 0;
    return is_right && !*end && command->request.step > 0
               ? STATUS_DONE
               : wrong(command, "linear buckets are LOW:STEP, two integers, as in 0:10");
}

static int take_option(struct command *command, int option)
{
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
        return status;
    case 'l':
        return take_linear(command);
    case 'm':
        command->request.match = optarg;
        return STATUS_DONE;
    case 'f':
        command->target.follows = true;
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
    default:
        fprintf(stderr, "Try 'sdt %s --help'.\n", command->kind->command);
        return STATUS_USAGE;
    }
}

/* For scripts, which may know no such objects, only if they are asked for. */
static void set_outliers(struct command *command)
{
    enum { USUAL = 5 };
    int usual = command->is_json ? 0 : USUAL;
    if (command->request.action == LIVE_STOP && !command->is_openmetrics)
        command->request.outliers = (unsigned)(command->outliers < 0 ? usual : command->outliers);
}

static int take_words(struct command *command, char **words)
{
    struct clauses *clauses = &command->request.clauses;
    const char *problem = clauses_parse(clauses, command->kind->form, words);
    if (!problem && command->is_json && command->is_openmetrics)
        problem = "--json and --openmetrics are mutually exclusive";
    if (!problem && command->request.action == LIVE_STOP && clauses->by[1])
        problem = "a latency has one key";
    set_outliers(command);
    return problem ? wrong(command, problem)
                   : target_check(command->kind->command, &command->target);
}

static int parse(struct command *command, int argc, char **argv, bool *is_done)
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
        {"follow", no_argument, NULL, 'f'},
        {"help", no_argument, NULL, 'h'},
        {NULL, 0, NULL, 0},
    };
    command->request = (struct measure_request){.action = command->kind->action};
    command->most = 20;
    command->target.takes_all = true;
    command->outliers = -1;
    target_split(&command->target, &argc, argv);
    for (int option;
         (option = getopt_long(argc, argv, command->kind->letters, options, NULL)) >= 0;) {
        if (option == 'h') {
            fputs(command->kind->usage, stdout);
            *is_done = true;
            return STATUS_DONE;
        }
        int status = take_option(command, option);
        if (status != STATUS_DONE)
            return status;
    }
    return take_words(command, argv + optind);
}

/* ---- What is printed. ---- */

static bool is_latency(const struct command *command)
{
    return command->request.action == LIVE_STOP;
}

static size_t shown(const struct command *command, const struct aggregate *aggregate)
{
    return command->most && command->most < aggregate->count ? command->most : aggregate->count;
}

static void append_label(struct bytes *to, const struct measure_table *table)
{
    label_append(to, table->provider, table->name);
}

static void put(struct bytes *text)
{
    if (text->size)
        fwrite(text->data, 1, text->size, stdout);
    text->size = 0;
}

static void print_json(const struct command *command, const struct measure_table *table,
                       const struct aggregate *aggregate, double seconds)
{
    struct bytes line = {0};
    for (size_t i = 0; i < aggregate->count; i++) {
        const struct aggregate_row *row = &aggregate->rows[i];
        if (command->request.action == LIVE_COUNT)
            aggregate_json_count(&line, now_epoch(), table->provider, table->name, row, table->look,
                                 (double)row->sums.count / seconds);
        else if (row->sums.count)
            aggregate_json_histogram(&line, table->provider, table->name, aggregate, row,
                                     table->look);
        put(&line);
    }
    bytes_free(&line);
}

static enum openmetrics_family family_of(const struct command *command)
{
    return command->request.action == LIVE_COUNT  ? OPENMETRICS_HITS
           : command->request.action == LIVE_STOP ? OPENMETRICS_LATENCY
                                                  : OPENMETRICS_VALUES;
}

static void print_openmetrics(const struct command *command, const struct measure_table *table,
                              const struct aggregate *aggregate)
{
    struct bytes text = {0};
    enum openmetrics_family family = family_of(command);
    struct openmetrics_labels labels = {
        .provider = table->provider,
        .name = table->name,
        .more = is_latency(command) ? command->request.clauses.pattern[1]
                                    : command->request.clauses.value,
        .look = table->look,
    };
    for (size_t i = 0; i < aggregate->count; i++) {
        const struct aggregate_row *row = &aggregate->rows[i];
        labels.key = &row->key;
        if (family == OPENMETRICS_HITS)
            openmetrics_count(&text, &labels, row->sums.count);
        else
            openmetrics_histogram(&text, family, &labels, aggregate, row);
        put(&text);
    }
    bytes_free(&text);
}

static char *text_of(struct bytes *bytes)
{
    bytes_append(bytes, "", 1);
    char *text = (char *)bytes->data;
    *bytes = (struct bytes){0};
    return text;
}

static void print_counts(const struct command *command, const struct measure_table *table,
                         const struct aggregate *aggregate, double seconds)
{
    static const char *const titles[] = {"PROBE", "KEY", "COUNT", "RATE"};
    static const char *const keyless[] = {"PROBE", "COUNT", "RATE"};
    bool has_key = table->spec.key[0];
    struct list_table rows;
    if (aggregate->count == 0) {
        char *label = label_of(table->provider, table->name);
        printf("%s: no hits\n", label);
        free(label);
        return;
    }
    list_table_start(&rows, has_key ? titles : keyless, has_key ? 4 : 3);
    for (size_t i = 0; i < shown(command, aggregate); i++) {
        const struct aggregate_row *row = &aggregate->rows[i];
        struct bytes label = {0}, key = {0};
        append_label(&label, table);
        char **cells = list_table_row(&rows);
        *cells++ = text_of(&label);
        if (has_key) {
            aggregate_key_text(&key, &row->key, table->look);
            *cells++ = text_of(&key);
        }
        cells[0] = memory_format("%" PRIu64, row->sums.count);
        cells[1] = memory_format("%.1f/s", (double)row->sums.count / seconds);
    }
    list_table_print(&rows);
}

static void append_title(struct bytes *to, const struct command *command,
                         const struct measure_table *table, const struct aggregate_row *row)
{
    append_label(to, table);
    if (is_latency(command)) {
        text_append(to, " to ");
        escape_append(to, slice_of(command->request.clauses.pattern[1]));
    } else {
        text_append(to, "  ");
        escape_append(to, slice_of(command->request.clauses.value));
    }
    if (row->key.type[0]) {
        text_append(to, "  ");
        aggregate_key_text(to, &row->key, table->look);
    }
    text_char(to, '\n');
}

static void print_histograms(const struct command *command, const struct measure_table *table,
                             const struct aggregate *aggregate)
{
    struct bytes text = {0};
    if (aggregate->count == 0) { /* no key yet */
        append_title(&text, command, table, &(struct aggregate_row){0});
        text_append(&text, "no values\n\n");
        put(&text);
    }
    for (size_t i = 0; i < shown(command, aggregate); i++) {
        const struct aggregate_row *row = &aggregate->rows[i];
        append_title(&text, command, table, row);
        if (row->sums.count == 0) {
            text_append(&text, "no values\n");
        } else {
            histogram_summary(&text, aggregate, row, &command->style);
            text_char(&text, '\n');
            histogram_bars(&text, aggregate, row, &command->style);
        }
        text_char(&text, '\n');
        put(&text);
    }
    bytes_free(&text);
}

/* Those of the slowest that have come since they were last shown. */
static void print_outliers(const struct command *command, struct measure_table *table)
{
    struct outliers outliers = measure_outliers(&command->measure, table), all = outliers;
    struct bytes text = {0};
    outliers.list = memory_zeroed(all.count + 1, sizeof *all.list);
    memcpy(outliers.list, all.list, all.count * sizeof *all.list);
    outliers_subtract(&outliers, &table->last_outliers);
    free(table->last_outliers.list);
    table->last_outliers = all;
    (command->is_json ? outliers_json : outliers_text)(&text, &outliers);
    put(&text);
    bytes_free(&text);
    free(outliers.list);
}

/* NUMBER hits of the table's probe, or of the probe at the END of a latency, did that. */
static void note_hits(const struct measure_table *table, const char *end, uint64_t number,
                      const char *what)
{
    struct bytes label = {0};
    if (end)
        escape_append(&label, slice_of(end));
    else
        append_label(&label, table);
    char *who = text_of(&label), *text = memory_format("%" PRIu64 " hits %s", number, what);
    if (number)
        diag_warn(&(struct diag_place){.file = who}, text, NULL);
    free(text);
    free(who);
}

static void note(const struct measure_table *table, uint64_t number, const char *what)
{
    note_hits(table, NULL, number, what);
}

static uint64_t beyond(uint64_t number, uint64_t base)
{
    return number > base ? number - base : 0;
}

/* What is not in the numbers above. */
static void print_notes(const struct command *command, const struct measure_table *table,
                        const struct aggregate *aggregate)
{
    size_t hidden = aggregate->count - shown(command, aggregate);
    if (hidden && !command->is_json && !command->is_openmetrics)
        printf("%zu more keys; --top=0 shows all\n", hidden);
    note(table, aggregate->overflow, "found no room for their key: see --keys");
    note(table, aggregate->missing, "had no value, or no key");
    if (!command->request.clauses.predicate[0]) /* else that is meant */
        note_hits(table, command->request.clauses.pattern[1],
                  beyond(aggregate->unmatched, table->unmatched), "ended what had not begun");
    note(table, beyond(aggregate->restarted, table->restarted), "began what had not ended");
    note(table, aggregate->unkept, "were among the slowest, and there was no place for them");
    note(table, aggregate->evicted, "began more than is remembered: the oldest were given up");
}

static void print_table(struct command *command, struct measure_table *table, double seconds)
{
    struct aggregate part, all;
    measure_read(&part, table);
    if (command->schedule.interval > 0 && !command->is_openmetrics) {
        aggregate_copy(&all, &part);
        aggregate_subtract(&part, &table->last);
        aggregate_free(&table->last);
        table->last = all;
    }
    if (command->is_json)
        print_json(command, table, &part, seconds);
    else if (command->is_openmetrics)
        print_openmetrics(command, table, &part);
    else if (command->request.action == LIVE_COUNT)
        print_counts(command, table, &part, seconds);
    else
        print_histograms(command, table, &part);
    if (command->request.outliers)
        print_outliers(command, table);
    print_notes(command, table, &part);
    aggregate_free(&part);
}

static void print_all(struct command *command)
{
    double seconds = schedule_seconds_shown(&command->schedule);
    struct bytes text = {0};
    if (command->is_openmetrics)
        openmetrics_begin(&text, family_of(command));
    put(&text);
    for (size_t i = 0; i < command->measure.count; i++)
        print_table(command, &command->measure.tables[i], seconds);
    if (command->is_openmetrics)
        openmetrics_end(&text);
    put(&text);
    bytes_free(&text);
    fflush(stdout);
}

/* ---- The work. ---- */

static int look_again(void *command)
{
    return measure_look(&((struct command *)command)->measure);
}

static void print_again(void *command)
{
    print_all(command);
}

static int run(struct command *command)
{
    int status = target_open(&command->target);
    if (status != STATUS_DONE)
        return status;
    command->style = histogram_style_of(stdout);
    command->style.is_time = is_latency(command);
    status = measure_begin(&command->measure, &command->target, &command->request);
    target_go(&command->target);
    if (status == STATUS_DONE) {
        static const struct schedule_steps steps = {look_again, print_again};
        status = schedule_follow(&command->schedule, &command->target, &steps, command);
        print_all(command);
        target_detach(&command->target);
        if (command->measure.count == 0 && status == STATUS_DONE)
            target_nothing(&command->target, command->request.clauses.pattern[0]);
    }
    return target_close(&command->target, status);
}

static int run_kind(const struct kind *kind, int argc, char **argv)
{
    struct command command = {.kind = kind};
    bool is_done = false;
    int status = parse(&command, argc, argv, &is_done);
    if (status == STATUS_DONE && !is_done)
        status = run(&command);
    measure_free(&command.measure);
    clauses_free(&command.request.clauses);
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
