/* SPDX-License-Identifier: BSD-2-Clause */
/* sdt ps: the attachable processes. */
#include "base/diag.h"
#include "base/escape_append.h"
#include "base/json.h"
#include "base/table.h"
#include "base/text.h"
#include "command/command.h"
#include "target/live_sites.h"

#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char usage[] =
    "Usage: sdt ps [--json]\n"
    "\n"
    "List the attachable processes: those that were started by 'sdt run' or with\n"
    "SDT_ATTACH=1, or have called sdt_attachable().\n"
    "\n"
    "      --json  a line of JSON for each\n"
    "  -h, --help  print this and exit\n"
    "\n"
    "Exit status: 0 done; 1 the work failed; 2 the command line is wrong; 3 there is none.\n";

enum { COLUMNS = 6 };
static const char *const titles[COLUMNS] = {"PID", "PROGRAM", "PROBES", "ON", "TOOLS", "VERSION"};

struct listing {
    struct table table;
    bool is_json;
    size_t count;
};

/* What there is to say of one process. */
struct row {
    size_t probes, armed, tools;
    bool is_served;
};

static void count_probes(struct live_sites *sites, struct row *row)
{
    if (sites->count)
        qsort(sites->site, sites->count, sizeof *sites->site, live_site_by_probe);
    bool is_armed = false;
    for (size_t i = 0; i < sites->count; i++) {
        const struct live_site *site = &sites->site[i];
        bool is_new = i == 0 || live_site_by_probe(site, site - 1) != 0;
        bool is_on = !strcmp(site->mode, "jump") || !strcmp(site->mode, "trap");
        row->probes += is_new;
        row->armed += is_on && (is_new || !is_armed);
        is_armed = is_on || (is_armed && !is_new);
    }
}

static struct row look(struct attached *process)
{
    struct row row = {0};
    struct live_sites sites;
    for (unsigned i = 0; i < LIVE_SESSIONS; i++)
        row.tools += atomic_load(&process->page->sessions[i].id) != 0;
    if (atomic_load(&process->page->state) == LIVE_UNSERVED || attach_begin(process) != 0)
        return row;
    row.is_served = live_sites_ask(process, "*", &sites) == 0;
    if (row.is_served) {
        count_probes(&sites, &row);
        live_sites_free(&sites);
    }
    return row;
}

static struct slice version_of(const struct attached *process, char text[32])
{
    memcpy(text, process->page->version, 32);
    text[31] = '\0';
    return slice_of(text);
}

/* A number; null if the process did not say it. */
static void append_number(struct bytes *to, const char *key, const struct row *row, size_t number)
{
    if (row->is_served)
        json_natural(to, key, number);
    else
        json_null(to, key);
}

static void print_json(const struct attached *process, const struct row *row)
{
    char version[32];
    struct bytes text = {0};
    json_open(&text, NULL, '{');
    json_integer(&text, "pid", process->pid);
    json_string(&text, "program", process->name);
    append_number(&text, "probes", row, row->probes);
    append_number(&text, "on", row, row->armed);
    json_natural(&text, "tools", row->tools);
    json_slice(&text, "version", version_of(process, version));
    text_append(&text, "}\n");
    json_finish(&text);
}

static char *shown(struct slice text)
{
    struct bytes bytes = {0};
    escape_append(&bytes, text);
    return bytes_take_text(&bytes);
}

static void add_row(struct listing *listing, const struct attached *process, const struct row *row)
{
    char version[32];
    char **cells = table_row(&listing->table);
    cells[0] = memory_format("%d", (int)process->pid);
    cells[1] = shown(slice_of(process->name));
    cells[2] = row->is_served ? memory_format("%zu", row->probes) : memory_format("?");
    cells[3] = row->is_served ? memory_format("%zu", row->armed) : memory_format("?");
    cells[4] = memory_format("%zu", row->tools);
    cells[5] = shown(version_of(process, version));
}

static int list_one(struct attached *process, int result, void *data)
{
    struct listing *listing = data;
    if (result != 0 && result != ATTACH_VERSION)
        return 0;
    struct row row = result == 0 ? look(process) : (struct row){0};
    listing->count++;
    if (listing->is_json)
        print_json(process, &row);
    else
        add_row(listing, process, &row);
    return 0;
}

int ps_main(int argc, char **argv)
{
    static const struct option options[] = {
        {"json", no_argument, NULL, 'j'}, {"help", no_argument, NULL, 'h'}, {NULL, 0, NULL, 0}};
    struct listing listing = {0};
    for (int option; (option = getopt_long(argc, argv, "h", options, NULL)) >= 0;) {
        if (option == 'h') {
            fputs(usage, stdout);
            return STATUS_DONE;
        }
        if (option != 'j') {
            fputs("Try 'sdt ps --help'.\n", stderr);
            return STATUS_USAGE;
        }
        listing.is_json = true;
    }
    if (argv[optind])
        return command_wrong("ps", "ps takes no arguments");
    table_start(&listing.table, titles, COLUMNS);
    attach_each(list_one, &listing);
    table_print(&listing.table);
    if (listing.count)
        return STATUS_DONE;
    diag_error("none of your processes is attachable: start one with 'sdt run'");
    return STATUS_NOTHING;
}
