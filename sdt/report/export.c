/* SPDX-License-Identifier: BSD-2-Clause */
#include "export.h"

#include "base/diag.h"
#include "command/command.h"
#include "otlp/send.h"
#include "print/text.h"
#include "snapshot_text.h"
#include "sql/sink.h"
#include "trace/annotate.h"
#include "trace/debug_info.h"
#include "trace/recording.h"

#include <stdlib.h>
#include <string.h>

static const char usage[] =
    "Usage: sdt export [OPTION...] (--chrome OUT | --otlp OUT | --parquet OUT | --perfetto OUT |\n"
    "                  --sqlite OUT) DIR...\n"
    "\n"
    "Write the events of all processes that recorded into each DIR for a viewer, such as\n"
    "ui.perfetto.dev or chrome://tracing, for a receiver of OpenTelemetry's data, or for SQL.\n"
    "\n"
    "      --chrome=OUT       JSON trace events\n"
    "      --otlp=OUT         OpenTelemetry: pairs become spans. OUT is a file, for JSON, or the "
    "URL "
    "of\n"
    "                         a receiver, as http://localhost:4318\n"
    "      --perfetto=OUT     Perfetto's own format: smaller, and exact to the nanosecond\n"
    "      --parquet=OUT      a directory with a file for each host and probe\n"
    "      --sqlite=OUT       a database with a table for each probe and a view for each pair\n"
    "  -m, --match=KEY        events with the same value of KEY are one request: with --otlp one "
    "trace,\n"
    "                         with --perfetto a row, with a slice for each process\n"
    "      --match='SEND RECEIVE by KEY'\n"
    "                         messages between hosts, whose clocks are put right by them: see\n"
    "                         sdt-report(1)\n"
    "  -p, --pair='BEGIN [/PREDICATE/] END [/PREDICATE/] [match EXPR]'\n"
    "                         from probe BEGIN to probe END is a slice, as in sdt lat: by thread, "
    "or\n"
    "                         by the value of EXPR; may be repeated. Pairs with names such as\n"
    "                         x_begin and x_end, x_start and x_done or x_end, entry and return, "
    "and\n"
    "                         that of sdt record --when, are known\n"
    "  -f, --filter=EXPR      only events for which EXPR holds: see sdt report --help\n"
    "      --describe=FILE    names, types, units and enumerators of fields: see "
    "sdt-describe(5)\n"
    "  -c, --cpus             show all events again, by CPU\n"
    "  -h, --help             print this and exit\n"
    "\n"
    "Exit status: 0 done; 1 the work failed, or a part of the recording cannot be read; 2 the\n"
    "command line is wrong.\n";

enum {
    OPTION_CHROME = 256,
    OPTION_DESCRIBE,
    OPTION_OTLP,
    OPTION_PARQUET,
    OPTION_PERFETTO,
    OPTION_SQLITE
};

static int wrong(const char *problem)
{
    return command_wrong("export", problem);
}

/* One of WRITER and SINK. */
static int choose(struct export *export, const struct export_writer *writer,
                  const struct sink *sink)
{
    if (export->path)
        return wrong("one output at a time");
    if (!*optarg)
        return wrong("an output needs a name");
    export->writer = writer;
    export->sink = sink;
    export->path = optarg;
    return 0;
}

static int choose_otlp(struct export *export)
{
    char *problem = otlp_problem(optarg);
    int status = problem ? wrong(problem) : choose(export, &export_otlp, NULL);
    free(problem);
    return status;
}

static int take_option(void *data, int option)
{
    struct export *export = data;
    switch (option) {
    case OPTION_CHROME:
        return choose(export, &export_chrome, NULL);
    case OPTION_OTLP:
        return choose_otlp(export);
    case OPTION_PERFETTO:
        return choose(export, &export_perfetto, NULL);
    case OPTION_PARQUET:
        return choose(export, NULL, &sink_parquet);
    case OPTION_SQLITE:
        return choose(export, NULL, &sink_sqlite);
    case OPTION_DESCRIBE:
        export->description = optarg;
        return *optarg ? 0 : wrong("--describe needs a file");
    case 'm':
        return match_add(&export->match, optarg) == 0 ? 0 : STATUS_USAGE;
    case 'p':
        return pairs_add(&export->pairs, optarg) == 0 ? 0 : STATUS_USAGE;
    case 'f':
        export->filter_text = optarg;
        return 0;
    case 'c':
    default:
        export->has_cpus = true;
        return 0;
    }
}

static int parse_options(struct export *export, int argc, char **argv)
{
    static const struct option known[] = {{"chrome", required_argument, NULL, OPTION_CHROME},
                                          {"describe", required_argument, NULL, OPTION_DESCRIBE},
                                          {"otlp", required_argument, NULL, OPTION_OTLP},
                                          {"parquet", required_argument, NULL, OPTION_PARQUET},
                                          {"perfetto", required_argument, NULL, OPTION_PERFETTO},
                                          {"sqlite", required_argument, NULL, OPTION_SQLITE},
                                          {"match", required_argument, NULL, 'm'},
                                          {"pair", required_argument, NULL, 'p'},
                                          {"filter", required_argument, NULL, 'f'},
                                          {"cpus", no_argument, NULL, 'c'},
                                          {"help", no_argument, NULL, 'h'},
                                          {NULL, 0, NULL, 0}};
    static const struct command_line line = {"export", usage, "m:p:f:ch", known};
    int status = command_options(&line, argc, argv, take_option, export);
    if (status != STATUS_DONE)
        return status;
    if (optind == argc || !*argv[optind])
        return wrong("no recording: name its directory");
    if (!export->path)
        return wrong("no output: use --chrome, --otlp, --perfetto, --sqlite or --parquet");
    if (export->has_cpus && export->sink)
        return wrong("--cpus is for --chrome and --perfetto");
    const struct export_writer *writer = export->writer;
    if (export->match.key_text && !(writer && (writer->shows_requests || writer->knows_requests)))
        return wrong("--match=KEY, without messages, is for --otlp and --perfetto");
    export->directories = argv + optind;
    return 0;
}

void export_put(struct export *export)
{
    struct bytes *line = &export->line;
    if (!export->has_failed &&
        output_put(&export->output, line->data, line->size, export->size) != 0)
        export->has_failed = true;
    export->size += line->size;
    line->size = 0;
}

const char *export_label(const struct event *event)
{
    return event->recording->probes[event->class->probe].label;
}

bool export_names_hosts(const struct export *export)
{
    return export->recording.space_count > 1;
}

void export_process_name(const struct export *export, const struct event *event, struct bytes *to)
{
    text_append(to, event->trace->program);
    if (!export_names_hosts(export))
        return;
    text_append(to, " on ");
    text_append(to, event->trace->host);
    text_append(to, ", process ");
    text_natural(to, event->pid);
}

uint32_t export_machine(const struct event *event)
{
    return (uint32_t)event->trace->machine << TRACE_PID_BITS;
}

static bool has_cpu(const struct export *export, const struct event *event)
{
    return export->has_cpus && event->cpu != NO_CPU;
}

static void introduce(struct export *export, const struct event *event)
{
    bool is_new;
    tracks_find(&export->tracks, track_id(TRACK_PROCESS, event->process, 0), &is_new);
    if (is_new && export->writer->process)
        export->writer->process(export, event);
    if (has_cpu(export, event)) {
        uint32_t machine = export_machine(event);
        tracks_find(&export->tracks, track_id(TRACK_CPU, machine, event->cpu), &is_new);
        if (is_new && export->writer->cpu)
            export->writer->cpu(export, event);
    }
    tracks_find(&export->tracks, track_id(TRACK_THREAD, event->process, event->tid), &is_new);
    if (is_new && export->writer->thread)
        export->writer->thread(export, event);
}

static bool is_counted(const struct event *event)
{
    if (trace_arguments(event->class) != 1 || event->value_count < 1)
        return false;
    enum field_kind kind = event->class->fields[0].kind;
    if (event->class->fields[0].label_count) /* names have no height */
        return false;
    return kind == FIELD_SIGNED || kind == FIELD_UNSIGNED || kind == FIELD_FLOAT ||
           kind == FIELD_DOUBLE;
}

/* An instant; if a number is all that it has, it is the value of a counter as well. */
static void mark_instant(struct export *export, const struct event *event)
{
    bool is_new;
    export->writer->mark(export, event, MARK_INSTANT, export_label(event));
    if (!is_counted(event))
        return;
    uint64_t id = track_id(TRACK_COUNTER, event->process, event->class->probe);
    tracks_find(&export->tracks, id, &is_new);
    if (is_new && export->writer->counter)
        export->writer->counter(export, event, id);
    if (export->writer->count)
        export->writer->count(export, event, id);
}

static void mark(void *data, const struct event *event, enum mark mark, const char *name)
{
    struct export *export = data;
    export->writer->mark(export, event, mark, name);
}

static void mark_alone(void *data, const struct event *event, enum mark mark, const char *name,
                       struct slice id)
{
    struct export *export = data;
    export->writer->mark_async(export, event, mark, name, id);
}

static void look_at(struct export *export, const struct event *event, const struct paired *paired)
{
    if (export->writer->shows_tree)
        call_tree_look(&export->tree, event, paired, export->number);
    else
        nested_look(&export->nested, &export->pairs, event, paired, export->number);
    if (export->writer->look)
        export->writer->look(event);
}

static void show_slice(struct export *export, const struct event *event,
                       const struct paired *paired)
{
    if (export->writer->nests)
        nested_show(&export->nested, &export->pairs, event, paired, export->number);
    else
        export->writer->slice(export, event, paired);
}

/* An end whose begin is lost is an instant. */
static void export_event(struct export *export, const struct event *event,
                         const struct paired *paired)
{
    introduce(export, event);
    snapshot_text_keep(&export->snapshots, event, export->number);
    members_take(&export->members, event, export->number);
    if (export->writer->shows_tree)
        call_tree_take(&export->tree, event, paired, export->number);
    if (export->writer->shows_requests)
        requests_take(&export->requests, &export->match, event);
    if (paired->kind == ROLE_NONE)
        mark_instant(export, event);
    else if (paired->kind == ROLE_BEGIN || paired->has_begin)
        show_slice(export, event, paired);
    else
        export->writer->mark(export, event, MARK_INSTANT, export_label(event));
    if (has_cpu(export, event) && export->writer->mark_cpu)
        export->writer->mark_cpu(export, event, export_label(event));
}

/* Call VISIT for each event that is exported. */
static void each_event(struct export *export,
                       void (*visit)(struct export *export, const struct event *event,
                                     const struct paired *paired))
{
    struct merge merge;
    struct event event;
    bool is_first = true;
    pairing_start(&export->pairing, &export->pairs);
    merge_start(&merge, &export->recording);
    export->number = 0;
    while (export->number < export->limit && !export->has_failed && merge_next(&merge, &event)) {
        if (is_first)
            export->start = event.time;
        is_first = false;
        if (!filter_passes(&export->filter, &event))
            continue;
        struct paired paired = pairing_take(&export->pairing, &event, export->number);
        visit(export, &event, &paired);
        export->number++;
    }
    merge_end(&merge);
    pairing_end(&export->pairing);
}

static void export_events(struct export *export)
{
    static const struct nested_marks marks = {mark, mark_alone};
    export->nested.marks = &marks;
    export->nested.data = export;
    call_tree_start(&export->tree, &(struct call_tree_request){.depth = 0}, &export->pairs);
    if (export->writer->nests || export->writer->looks_ahead || export->writer->shows_tree)
        each_event(export, look_at);
    nested_again(&export->nested);
    call_tree_again(&export->tree);
    if (export->writer->shows_snapshots)
        snapshots_find(&export->snapshots, &export->recording, &export->pairs, &export->filter);
    members_start(&export->members, &export->snapshots);
    if (export->writer->begin)
        export->writer->begin(export);
    each_event(export, export_event);
    call_tree_end(&export->tree);
    if (export->writer->end)
        export->writer->end(export);
    pairs_warn(&export->pairs, &export->recording);
}

static int open_output(struct export *export)
{
    return export->writer->open ? export->writer->open(export)
                                : output_open(&export->output, export->path, 0);
}

/* What goes elsewhere has arrived there. */
static int deliver(struct export *export)
{
    struct output *output = &export->output;
    if (output->fd < 0)
        return 0;
    return output_finish(output, export->size) != 0 ? -1 : output_commit(output);
}

int export_run(struct export *export)
{
    if (filter_parse(&export->filter, export->filter_text) != 0)
        return STATUS_USAGE;
    if (recording_open_all(&export->recording, export->directories) != 0 ||
        debug_info_annotate(&export->recording) != 0 ||
        annotate_recording(&export->recording, export->description) != 0 ||
        filter_check(&export->filter, export->filter_text, &export->recording) != 0 ||
        pairs_resolve(&export->pairs, &export->recording) != 0 ||
        match_resolve(&export->match, &export->recording) != 0 ||
        clocks_align(&export->clocks, &export->match, &export->recording) != 0 ||
        open_output(export) != 0)
        return STATUS_FAILED;
    clocks_tell(&export->clocks, &export->recording);
    export_events(export);
    requests_tell(&export->requests);
    if (export->number < export->limit)
        clocks_warn_apart(&export->recording);
    if (export->has_failed || deliver(export) != 0)
        return STATUS_FAILED;
    return export->recording.is_damaged ? STATUS_FAILED : STATUS_DONE;
}

void export_free(struct export *export)
{
    output_abandon(&export->output);
    filter_free(&export->filter);
    pairs_free(&export->pairs);
    match_free(&export->match);
    clocks_free(&export->clocks);
    requests_free(&export->requests);
    nested_free(&export->nested);
    call_tree_free(&export->tree);
    members_end(&export->members);
    snapshots_free(&export->snapshots);
    tracks_free(&export->tracks);
    recording_close(&export->recording);
    bytes_free(&export->line);
}

int export_main(int argc, char **argv)
{
    struct export export = {.output = {.fd = -1}, .limit = UINT64_MAX};
    int status = parse_options(&export, argc, argv);
    if (status == STATUS_DONE)
        status = export.sink ? export_rows(&export) : export_run(&export);
    export_free(&export);
    return status;
}
