/* SPDX-License-Identifier: BSD-2-Clause */
#include "report.h"

#include "base/diag.h"
#include "command/command.h"
#include "losses.h"
#include "trace/annotate.h"
#include "trace/debug_info.h"
#include "trace/recording.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static const char usage[] =
    "Usage: sdt report [OPTION...] DIR...\n"
    "\n"
    "Print the events of all processes that recorded into each DIR, in order of time.\n"
    "\n"
    "  -f, --filter=EXPR  only events for which EXPR holds, as 'name == \"request\" && n > 9';\n"
    "                     names are provider, name, function, module, cpu, pid, tid and those of\n"
    "                     arguments\n"
    "      --describe=FILE  names, types, units and enumerators of fields, see "
    "sdt-describe(5)\n"
    "  -j, --json         one object a line\n"
    "      --csv          with a header line; a column for each argument, if all events are of "
    "one\n"
    "                     probe\n"
    "      --html=OUT     one page for a browser: timeline, latencies, table of probes\n"
    "  -m, --match=KEY    events with the same value of KEY are one request, whatever process "
    "they\n"
    "                     are of: a row for each, as text, with --json or on the page\n"
    "      --match='SEND RECEIVE by KEY'\n"
    "                     messages between hosts, whose clocks are put right by them: see "
    "sdt-report(1)\n"
    "  -p, --pair='BEGIN END [match EXPR]'\n"
    "                     with --html: from probe BEGIN to probe END is a slice; see sdt export "
    "--help\n"
    "  -s, --summary      how many there are of each probe, and what was lost\n"
    "      --tree[=NAME,...]  slices of pairs, as calls of functions, below what they were in: "
    "how\n"
    "                     many, and how long; those of functions and pairs of that NAME\n"
    "      --depth=N      with --tree: N of them, one below the other (default: 128)\n"
    "      --threads      with --tree: a tree for each thread\n"
    "      --min=PERCENT  with --tree: what took at least that part of the time (default: 0.1)\n"
    "      --folded       with --tree: a line 'serve;parse;read NANOSECONDS' for each path\n"
    "  -r, --relative     time since the first event\n"
    "  -d, --delta        time since the event before\n"
    "      --stack        the callers of each event, if they were recorded\n"
    "      --snapshot=N   only the events of the request that snapshot N of sdt record --when was\n"
    "                     taken for\n"
    "  -n, --limit=N      not more than N events, or the N slowest requests\n"
    "  -h, --help         print this and exit\n"
    "\n"
    "On a terminal, $PAGER shows it (default: less -FRX).\n"
    "\n"
    "Exit status: 0 done; 1 the work failed, or a part of the recording cannot be read; 2 the\n"
    "command line is wrong.\n";

enum {
    OPTION_CSV = 256,
    OPTION_DEPTH,
    OPTION_DESCRIBE,
    OPTION_FOLDED,
    OPTION_HTML,
    OPTION_MIN,
    OPTION_SNAPSHOT,
    OPTION_STACK,
    OPTION_THREADS,
    OPTION_TREE
};

static int wrong(const char *problem)
{
    return command_wrong("report", problem);
}

static bool parse_limit(const char *text, uint64_t *limit)
{
    char *end;
    errno = 0;
    *limit = strtoull(text, &end, 10);
    return !errno && *text >= '0' && *text <= '9' && !*end;
}

/* Each of the forms of output is chosen at most once. */
static int choose(struct report *report, const struct report_printer *printer)
{
    if (report->printer || report->page)
        return wrong("--json, --csv, --html and --summary are mutually exclusive");
    report->printer = printer;
    return 0;
}

/* What --tree goes with. */
static int take_tree_option(struct report *report, int option)
{
    struct call_tree_request *asked = &report->tree.asked;
    uint64_t depth;
    char *end;
    switch (option) {
    case OPTION_TREE:
        report->has_tree = true;
        asked->roots = optarg;
        return !optarg || *optarg ? 0 : wrong("--tree=NAME needs a name, or a glob");
    case OPTION_DEPTH:
        if (!parse_limit(optarg, &depth) || depth < 1 || depth > LIVE_MAX_DEPTH)
            return wrong("a depth is a number from 1 to 128");
        asked->depth = (unsigned)depth;
        return 0;
    case OPTION_THREADS:
        asked->by_thread = true;
        return 0;
    case OPTION_FOLDED:
        report->is_folded = true;
        return 0;
    case OPTION_MIN:
    default:
        report->least = strtod(optarg, &end) / 100;
        return end != optarg && !*end && report->least >= 0 && report->least <= 1
                   ? 0
                   : wrong("--min is a part of the time in percent, from 0 to 100");
    }
}

static int take_option(void *data, int option)
{
    struct report *report = data;
    int status;
    switch (option) {
    case 'f':
        report->filter_text = optarg;
        return 0;
    case OPTION_DESCRIBE:
        report->description = optarg;
        return *optarg ? 0 : wrong("--describe needs a file");
    case 'j':
        return choose(report, &report_json);
    case OPTION_CSV:
        return choose(report, &report_csv);
    case OPTION_HTML:
        if (!*optarg)
            return wrong("--html needs the name of a file");
        status = choose(report, NULL);
        report->page = optarg;
        return status;
    case OPTION_SNAPSHOT:
        return parse_limit(optarg, &report->only) && report->only
                   ? 0
                   : wrong("--snapshot needs a number, from 1");
    case OPTION_STACK:
        report->shows_stack = true;
        return 0;
    case 'm':
        return match_add(&report->match, optarg) == 0 ? 0 : STATUS_USAGE;
    case 'p':
        return pairs_add(&report->pairs, optarg) == 0 ? 0 : STATUS_USAGE;
    case 's':
        return choose(report, &report_summary);
    case 'r':
    case 'd':
        if (report->time != TIME_ABSOLUTE)
            return wrong("--relative and --delta are mutually exclusive");
        report->time = option == 'r' ? TIME_RELATIVE : TIME_DELTA;
        return 0;
    case 'n':
        return parse_limit(optarg, &report->limit) ? 0 : wrong("--limit needs a number");
    default:
        return take_tree_option(report, option);
    }
}

/* What --tree goes with, and what it does not. */
static int check_tree(const struct report *report)
{
    const struct call_tree_request *asked = &report->tree.asked;
    if (!report->has_tree)
        return asked->depth || asked->by_thread || report->is_folded || report->least >= 0
                   ? wrong("--depth, --threads, --min and --folded require --tree")
                   : 0;
    if (report->page || (report->printer && report->printer != &report_json))
        return wrong("--tree is not for --html, --csv and --summary: the page has a flame graph");
    if (report->is_folded && report->printer)
        return wrong("--json and --folded are mutually exclusive");
    if (report->shows_stack || report->time != TIME_ABSOLUTE)
        return wrong("--tree has no events: without --stack, --relative and --delta");
    return 0;
}

/* Requests are printed instead of events. */
static int choose_requests(struct report *report)
{
    bool is_json = report->printer == &report_json;
    if (report->printer && !is_json)
        return wrong("--match=KEY prints requests, as text or with --json or --html");
    if (report->time != TIME_ABSOLUTE || report->shows_stack || report->only || report->has_tree)
        return wrong("--match=KEY prints requests: --relative, --delta, --stack, --snapshot and "
                     "--tree are of events");
    report->printer = is_json ? &report_requests_json : &report_requests;
    report->most = report->limit;
    report->limit = UINT64_MAX;
    return 0;
}

static int check_options(struct report *report, int argc, char **argv)
{
    if (optind == argc || !*argv[optind])
        return wrong("no recording: name its directory");
    report->directories = argv + optind;
    int status = check_tree(report);
    if (status != 0)
        return status;
    if (report->pairs.count && !report->page && !report->has_tree)
        return wrong("--pair requires --html or --tree");
    if (report->only && report->page)
        return wrong("--snapshot is not for --html, whose key 'o' does that");
    if (report->match.key_text && !report->page)
        return choose_requests(report);
    if (!report->printer && !report->page)
        report->printer = &report_text;
    if (report->time != TIME_ABSOLUTE &&
        (report->page || report->printer == &report_json || report->printer == &report_csv))
        return wrong("--relative and --delta are for text output only");
    return 0;
}

static int parse_options(struct report *report, int argc, char **argv)
{
    static const struct option known[] = {{"filter", required_argument, NULL, 'f'},
                                          {"describe", required_argument, NULL, OPTION_DESCRIBE},
                                          {"json", no_argument, NULL, 'j'},
                                          {"csv", no_argument, NULL, OPTION_CSV},
                                          {"html", required_argument, NULL, OPTION_HTML},
                                          {"match", required_argument, NULL, 'm'},
                                          {"pair", required_argument, NULL, 'p'},
                                          {"summary", no_argument, NULL, 's'},
                                          {"relative", no_argument, NULL, 'r'},
                                          {"delta", no_argument, NULL, 'd'},
                                          {"limit", required_argument, NULL, 'n'},
                                          {"snapshot", required_argument, NULL, OPTION_SNAPSHOT},
                                          {"stack", no_argument, NULL, OPTION_STACK},
                                          {"tree", optional_argument, NULL, OPTION_TREE},
                                          {"depth", required_argument, NULL, OPTION_DEPTH},
                                          {"threads", no_argument, NULL, OPTION_THREADS},
                                          {"min", required_argument, NULL, OPTION_MIN},
                                          {"folded", no_argument, NULL, OPTION_FOLDED},
                                          {"help", no_argument, NULL, 'h'},
                                          {NULL, 0, NULL, 0}};
    static const struct command_line line = {"report", usage, "f:jm:p:srdn:h", known};
    int status = command_options(&line, argc, argv, take_option, report);
    return status == STATUS_DONE ? check_options(report, argc, argv) : status;
}

void report_put(struct report *report)
{
    if (report->line.size)
        fwrite(report->line.data, 1, report->line.size, stdout);
    report->line.size = 0;
}

static void print_events(struct report *report)
{
    struct merge merge;
    struct event event;
    const struct snapshot *only = snapshots_get(&report->snapshots, report->only);
    if (report->printer->begin)
        report->printer->begin(report);
    merge_start(&merge, &report->recording);
    while (report->printed < report->limit && !ferror(stdout) && merge_next(&merge, &event)) {
        if (report->seen++ == 0)
            report->start = event.time;
        report->marked = snapshot_text_keep(&report->snapshots, &event, report->seen - 1);
        if (!filter_passes(&report->filter, &event) || (only && !snapshots_has(only, &event)))
            continue;
        report->printer->event(report, &event);
        report->printed++;
    }
    merge_end(&merge);
    if (report->printer->end)
        report->printer->end(report);
}

/* Which events they are, before they are printed. */
static int find_snapshots(struct report *report)
{
    bool has_any = snapshots_has_any(&report->recording);
    if ((has_any || report->has_tree) && pairs_resolve(&report->pairs, &report->recording) != 0)
        return -1;
    if (has_any)
        snapshots_find(&report->snapshots, &report->recording, &report->pairs, NULL);
    if (report->only > report->snapshots.count)
        return diag_error("%s: there is no snapshot %llu: it has %zu", report->directories[0],
                          (unsigned long long)report->only, report->snapshots.count);
    return 0;
}

static int run(struct report *report)
{
    if (report->page)
        return report_page(report);
    if (filter_parse(&report->filter, report->filter_text) != 0)
        return STATUS_USAGE;
    if (recording_open_all(&report->recording, report->directories) != 0 ||
        debug_info_annotate(&report->recording) != 0 ||
        annotate_recording(&report->recording, report->description) != 0 ||
        filter_check(&report->filter, report->filter_text, &report->recording) != 0 ||
        match_resolve(&report->match, &report->recording) != 0 ||
        clocks_align(&report->clocks, &report->match, &report->recording) != 0 ||
        find_snapshots(report) != 0)
        return STATUS_FAILED;
    report->shows_hosts = report->directories[1] != NULL;
    const char *no_color = getenv("NO_COLOR");
    report->has_colour = isatty(STDOUT_FILENO) && !(no_color && *no_color);
    clocks_tell(&report->clocks, &report->recording);
    pager_begin();
    if (report->has_tree)
        report_tree(report);
    else
        print_events(report);
    if (report->printed < report->limit)
        clocks_warn_apart(&report->recording);
    if (report->printer != &report_summary)
        losses_tell(&report->recording);
    return report->recording.is_damaged ? STATUS_FAILED : STATUS_DONE;
}

int report_main(int argc, char **argv)
{
    enum { UNKNOWN = -1 };
    struct report report = {.limit = UINT64_MAX, .least = UNKNOWN};
    int status = parse_options(&report, argc, argv);
    if (status == STATUS_DONE)
        status = run(&report);
    filter_free(&report.filter);
    pairs_free(&report.pairs);
    match_free(&report.match);
    clocks_free(&report.clocks);
    requests_free(&report.requests);
    snapshots_free(&report.snapshots);
    call_tree_free(&report.tree);
    recording_close(&report.recording);
    symbols_free(&report.symbols);
    bytes_free(&report.line);
    pager_end();
    return status;
}
