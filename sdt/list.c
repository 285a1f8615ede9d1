/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sdt list: the probes of a running process, and which of them are on. For a file, sdtlink lists
 * them.
 */
#include "base/diag.h"
#include "base/escape_append.h"
#include "base/json.h"
#include "base/memory.h"
#include "base/table.h"
#include "base/text.h"
#include "command/command.h"
#include "compile/described_sites.h"
#include "compile/live_enums.h"
#include "print/label.h"
#include "print/text.h"
#include "target/live_sites.h"
#include "target/patterns.h"
#include "target/preload.h"
#include "target/target.h"

#include <errno.h>
#include <inttypes.h>
#include <sdt/format.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char usage[] =
    "Usage: sdt list [--describe=FILE] [--summary | --json] -p PID|NAME [PATTERN...]\n"
    "       sdt list [--describe=FILE] [--summary | --json] FILE [PATTERN...]\n"
    "\n"
    "List the probes of a running process, with the state of each site and the hits counted so\n"
    "far, of all processes if several have that NAME; or, by means of sdtlink, those of a file.\n"
    "\n"
    "  -p, --process=PID|NAME  an attachable process (see 'sdt ps')\n"
    "      --summary           a line for each probe, with the number of its sites\n"
    "      --json              a line of JSON for each site\n"
    "      --describe=FILE     names, types and units of arguments, see sdt-describe(5)\n"
    "  -h, --help              print this and exit\n"
    "\n"
    "Exit status: 0 done; 1 the work failed; 2 the command line is wrong; 3 no probe matches.\n";

/* What there is in one process. */
struct listed {
    struct attached *process;
    struct live_sites sites;
};

struct listing {
    struct target target;
    bool is_json, is_summary;
    const char *description; /* file of --describe; NULL: none */
    char **words;            /* patterns; after the file, if there is no process */
    struct listed *processes;
    size_t count;
};

/* ---- What is printed. ---- */

static const char *kind_name(unsigned kind)
{
    static const char *const names[] = {
        [SDT_KIND_CALL] = "call",
        [SDT_KIND_CALL6] = "call6",
        [SDT_KIND_INLINE] = "inline",
        [SDT_KIND_TAIL] = "tail",
        [SDT_KIND_TAIL6] = "tail6",
        [SDT_KIND_JCC] = "jcc",
        [SDT_KIND_ENABLED] = "enabled",
        [SDT_KIND_ENABLED6] = "enabled6",
        [SDT_KIND_ENABLED_TAIL] = "enabled-tail",
        [SDT_KIND_ENABLED_TAIL6] = "enabled-tail6",
        [SDT_KIND_NOP1] = "nop1",
        [SDT_KIND_NOP11] = "nop11",
        [SDT_KIND_FUNCTION] = "function",
        [SDT_KIND_FUNCTION6] = "function6",
        [SDT_KIND_FUNCTION_RETURN] = "function-return",
    };
    bool is_known = kind < sizeof names / sizeof names[0] && names[kind];
    return is_known ? names[kind] : "unknown";
}

static char *shown(const char *text)
{
    struct bytes bytes = {0};
    escape_append(&bytes, slice_of(text));
    return bytes_take_text(&bytes);
}

static char *shown_function(const char *name)
{
    struct bytes bytes = {0};
    text_function(&bytes, name);
    return bytes_take_text(&bytes);
}

/* A label's value as its type has it: unsigned ones have no minus. */
static char *label_value(const struct compile_argument *argument, size_t i)
{
    uint64_t value = argument->labels[i].value;
    bool is_signed = !strncmp(argument->type, "int", 3);
    return is_signed ? memory_format("%" PRId64, (int64_t)value) : memory_format("%" PRIu64, value);
}

static void append_labels(struct bytes *text, const struct compile_argument *argument)
{
    for (size_t i = 0; i < argument->label_count; i++) {
        char *value = label_value(argument, i);
        bytes_append(text, i ? ", " : " {", 2);
        bytes_append(text, value, strlen(value));
        bytes_append(text, " ", 1);
        escape_append(text, slice_of(argument->labels[i].text));
        free(value);
    }
    bytes_append(text, "}", argument->label_count ? 1 : 0);
}

static char *arguments_text(const struct live_site *site)
{
    struct site_arguments *arguments = described_sites_arguments(site);
    struct bytes text = {0};
    for (size_t i = 0; i < arguments->count; i++) {
        const struct compile_argument *argument = &arguments->list[i];
        if (!compile_is_shown(argument))
            continue;
        bytes_append(&text, ", ", text.size ? 2 : 0);
        escape_append(&text, slice_of(argument->name));
        bytes_append(&text, ": ", 2);
        escape_append(&text, slice_of(argument->type));
        append_labels(&text, argument);
    }
    bytes_append(&text, "", 1);
    site_arguments_free(arguments);
    return (char *)text.data;
}

static void append_enumerators(struct bytes *to, const struct compile_argument *argument)
{
    if (!argument->label_count)
        return;
    json_open(to, "enumerators", '[');
    for (size_t i = 0; i < argument->label_count; i++) {
        char *value = label_value(argument, i);
        json_open(to, NULL, '{');
        json_key(to, "value");
        text_append(to, value);
        json_string(to, "name", argument->labels[i].text);
        json_close(to, '}');
        free(value);
    }
    json_close(to, ']');
}

static void append_fields(struct bytes *to, const struct live_site *site)
{
    struct site_arguments *arguments = described_sites_arguments(site);
    json_open(to, "fields", '[');
    for (size_t i = 0; i < arguments->count; i++) {
        const struct compile_argument *argument = &arguments->list[i];
        if (!compile_is_shown(argument))
            continue;
        json_open(to, NULL, '{');
        json_string(to, "name", argument->name);
        json_string(to, "type", argument->type);
        append_enumerators(to, argument);
        json_close(to, '}');
    }
    json_close(to, ']');
    site_arguments_free(arguments);
}

static void print_json(const struct listed *listed, const struct live_site *site)
{
    struct bytes text = {0};
    json_open(&text, NULL, '{');
    json_integer(&text, "pid", listed->process->pid);
    json_string(&text, "provider", site->provider);
    json_string(&text, "module", site->module);
    json_string(&text, "function", site->function);
    json_string(&text, "name", site->name);
    json_natural(&text, "address", site->pc);
    json_string(&text, "kind", kind_name(site->kind));
    append_fields(&text, site);
    json_string(&text, "place", site->place);
    json_string(&text, "state", site->mode);
    json_integer(&text, "error", site->error);
    json_natural(&text, "hits", site->hits);
    text_append(&text, "}\n");
    json_finish(&text);
}

/* Of several processes, each has its rows, and a column says whose they are. */
static bool has_several(const struct listing *listing)
{
    return listing->count > 1;
}

static void start_table(struct table *table, const struct listing *listing,
                        const char *const titles[8])
{
    bool has_pid = has_several(listing);
    table_start(table, titles + !has_pid, has_pid ? 8 : 7);
}

static char **row_of(struct table *table, const struct listing *listing,
                     const struct listed *listed)
{
    char **cells = table_row(table);
    if (has_several(listing))
        *cells++ = memory_format("%d", (int)listed->process->pid);
    return cells;
}

static void add_site(char **cells, const struct live_site *site)
{
    cells[0] = label_part(site->provider);
    cells[1] = shown_function(*site->function ? site->function : "-");
    cells[2] = label_part(site->name);
    cells[3] = *site->place ? shown(site->place) : memory_format("0x%" PRIx64, site->pc);
    cells[4] = shown(site->mode);
    cells[5] = memory_format("%" PRIu64, site->hits);
    cells[6] = arguments_text(site);
}

static void print_text(const struct listing *listing)
{
    static const char *const titles[] = {"PID",   "PROVIDER", "FUNCTION", "NAME",
                                         "WHERE", "STATE",    "HITS",     "ARGUMENTS"};
    struct table table;
    start_table(&table, listing, titles);
    for (size_t i = 0; i < listing->count; i++) {
        const struct listed *listed = &listing->processes[i];
        for (size_t k = 0; k < listed->sites.count; k++)
            add_site(row_of(&table, listing, listed), &listed->sites.site[k]);
    }
    table_print(&table);
}

/* The N sites from SITE on are those of a probe. */
static void add_probe(char **cells, const struct live_site *site, size_t n)
{
    size_t on = 0;
    for (size_t i = 0; i < n; i++)
        on += live_site_is_on(&site[i]);
    cells[0] = label_part(site->provider);
    cells[1] = label_part(site->name);
    cells[2] = shown(site->module);
    cells[3] = memory_format("%zu", n);
    cells[4] = memory_format("%zu", on);
    cells[5] = memory_format("%" PRIu64, site->hits);
    cells[6] = arguments_text(site);
}

static void print_summary(const struct listing *listing)
{
    static const char *const titles[] = {"PID",   "PROVIDER", "NAME", "MODULE",
                                         "SITES", "ON",       "HITS", "ARGUMENTS"};
    struct table table;
    start_table(&table, listing, titles);
    for (size_t i = 0; i < listing->count; i++) {
        const struct listed *listed = &listing->processes[i];
        const struct live_sites *sites = &listed->sites;
        qsort(sites->site, sites->count, sizeof *sites->site, live_site_by_probe);
        for (size_t k = 0, next; k < sites->count; k = next) {
            for (next = k;
                 next < sites->count && !live_site_by_probe(&sites->site[k], &sites->site[next]);)
                next++;
            add_probe(row_of(&table, listing, listed), &sites->site[k], next - k);
        }
    }
    table_print(&table);
}

static void print_objects(const struct listing *listing)
{
    for (size_t i = 0; i < listing->count; i++)
        for (size_t k = 0; k < listing->processes[i].sites.count; k++)
            print_json(&listing->processes[i], &listing->processes[i].sites.site[k]);
}

/* ---- The command. ---- */

static int nothing_matches(struct listing *listing, const char *pattern)
{
    struct attached *process = &listing->target.process;
    struct suggestion suggestion = target_suggest(process, pattern);
    char *who = has_several(listing)
                    ? memory_format("%zu processes '%s'", listing->count, listing->target.who)
                    : memory_format("process %d (%s)", (int)process->pid, process->name);
    if (*suggestion.best)
        diag_error("%s: no probe of %s matches; did you mean %s?", pattern, who, suggestion.best);
    else
        diag_error("%s: no probe of %s matches", pattern, who);
    free(who);
    return STATUS_NOTHING;
}

static int ask(struct listing *listing, struct attached *process, const char *pattern)
{
    struct listed *listed = &listing->processes[listing->count++];
    listed->process = process;
    char *resolved;
    int result = patterns_sites(process, pattern, &resolved, &listed->sites);
    free(resolved);
    if (result == 0 && listing->is_json)
        live_enums_add(process, &listed->sites);
    return result == 0 ? STATUS_DONE : STATUS_FAILED;
}

static int ask_all(struct listing *listing, const char *pattern)
{
    size_t found = 0;
    int status = STATUS_DONE;
    listing->processes = memory_zeroed(target_count(&listing->target), sizeof *listing->processes);
    for (size_t i = 0; i < target_count(&listing->target) && status == STATUS_DONE; i++) {
        status = ask(listing, target_at(&listing->target, i), pattern);
        found += listing->processes[i].sites.count;
    }
    return status == STATUS_DONE && !found ? nothing_matches(listing, pattern) : status;
}

static int list_process(struct listing *listing)
{
    listing->target.takes_all = true;
    int status = described_sites_read(listing->description) == 0 ? target_open(&listing->target)
                                                                 : STATUS_FAILED;
    if (status != STATUS_DONE)
        return status;
    char *pattern = listing->words[0] ? target_patterns(listing->words) : memory_format("*");
    status = ask_all(listing, pattern);
    if (status == STATUS_DONE)
        (listing->is_json      ? print_objects
         : listing->is_summary ? print_summary
                               : print_text)(listing);
    for (size_t i = 0; i < listing->count; i++)
        live_sites_free(&listing->processes[i].sites);
    described_sites_warn();
    described_sites_free();
    free(listing->processes);
    free(pattern);
    return target_close(&listing->target, status);
}

/* sdtlink does it; it is beside us, or in PATH. */
static int list_file(const struct listing *listing)
{
    size_t n = 0;
    while (listing->words[n])
        n++;
    char **words = memory_zeroed(n + 6, sizeof *words), **word = words;
    char *tool = preload_beside("sdtlink", "../sdtlink/sdtlink");
    *word++ = tool ? tool : "sdtlink";
    *word++ = "list";
    if (listing->is_json || listing->is_summary)
        *word++ = listing->is_json ? "--json" : "--summary";
    if (listing->description)
        *word++ = memory_format("--describe=%s", listing->description);
    for (size_t i = 1; i < n; i++)
        *word++ = memory_format("--match=%s", listing->words[i]);
    *word++ = listing->words[0];
    execvp(words[0], words);
    diag_errno("%s", words[0]);
    return STATUS_FAILED;
}

static int take_option(void *data, int option)
{
    struct listing *listing = data;
    if (option == 'p')
        listing->target.who = optarg;
    else if (option == 'd')
        listing->description = optarg;
    listing->is_summary |= option == 's';
    listing->is_json |= option == 'j';
    return STATUS_DONE;
}

static int parse(struct listing *listing, int argc, char **argv)
{
    static const struct option options[] = {
        {"process", required_argument, NULL, 'p'}, {"summary", no_argument, NULL, 's'},
        {"json", no_argument, NULL, 'j'},          {"describe", required_argument, NULL, 'd'},
        {"help", no_argument, NULL, 'h'},          {NULL, 0, NULL, 0}};
    static const struct command_line line = {"list", usage, "p:h", options};
    int status = command_options(&line, argc, argv, take_option, listing);
    if (status != STATUS_DONE)
        return status;
    listing->words = argv + optind;
    if (listing->is_json && listing->is_summary)
        return command_wrong("list", "--json and --summary are mutually exclusive");
    if (!listing->target.who && !argv[optind])
        return command_wrong("list", "say what to list: -p PID|NAME, or a file");
    return STATUS_DONE;
}

int list_main(int argc, char **argv)
{
    struct listing listing = {0};
    int status = parse(&listing, argc, argv);
    if (status != STATUS_DONE)
        return status;
    return listing.target.who ? list_process(&listing) : list_file(&listing);
}
