/* SPDX-License-Identifier: BSD-2-Clause */
/* sdt: tracing running programs and reading their recordings. The first argument is the command. */
#include "base/diag.h"
#include "base/output.h"
#include "command/command.h"

#include <stdio.h>
#include <string.h>

static const struct {
    const char *name;
    int (*run)(int argc, char **argv);
} commands[] = {
    {"record", record_main}, {"recover", recover_main}, {"report", report_main},
    {"export", export_main}, {"ps", ps_main},           {"list", list_main},
    {"count", count_main},   {"enable", enable_main},   {"disable", disable_main},
    {"reset", reset_main},   {"run", run_main},         {"snapshot", snapshot_main},
    {"top", top_main},       {"hist", hist_main},       {"lat", lat_main},
    {"trace", trace_main},   {"tree", tree_main},       {"diff", diff_main},
    {"serve", serve_main},
};

static const char usage[] =
    "Usage: sdt record [OPTION...] [--] PROGRAM [ARGUMENT...]\n"
    "       sdt report [OPTION...] DIR\n"
    "       sdt export [OPTION...] (--chrome OUT | --perfetto OUT) DIR\n"
    "       sdt diff [OPTION...] A B\n"
    "       sdt recover DIR\n"
    "       sdt ps | list | count | hist | lat | tree | trace | top [OPTION...] ...\n"
    "       sdt serve --config=FILE [OPTION...]\n"
    "       sdt run | enable | disable | reset | snapshot [OPTION...] ...\n"
    "\n"
    "Record static probes of programs, read recordings, and trace running programs.\n"
    "\n"
    "  record   run a program and record its probes into a directory\n"
    "  report   print the events: as text, JSON or CSV, a summary, or a page for a browser\n"
    "  export   write them for the viewers of Chrome and Perfetto\n"
    "  diff     compare two recordings: what takes longer, and what comes more often\n"
    "  recover  write to the directory what a program that was killed has left in memory\n"
    "  run      start a program so that sdt can attach to it\n"
    "  ps       list the attachable processes\n"
    "  list     list the probes of a process, or of a file\n"
    "  count    count how often probes are hit\n"
    "  hist     show how values of probes are distributed\n"
    "  lat      show how long it takes from one probe to another\n"
    "  tree     show the calls below a function, in a program without probes\n"
    "  trace    print events of probes as they happen\n"
    "  top      a live screen of the probes of a process\n"
    "  serve    measure all processes that a file names, for Prometheus or OpenTelemetry\n"
    "  enable   count in the background until disable or reset\n"
    "  snapshot make a recording process flush its rings\n"
    "\n"
    "  -h, --help     print this, or with a command what it takes, and exit\n"
    "  -V, --version  print the version and exit\n"
    "\n"
    "Exit status: 0 done; 1 the work failed, or a part of the recording cannot be read; 2 the\n"
    "command line is wrong; 3 nothing matches.\n";

static int run(int argc, char **argv)
{
    const char *word = argc > 1 ? argv[1] : "";
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++)
        if (!strcmp(word, commands[i].name)) {
            int status = commands[i].run(argc - 1, argv + 1);
            return status == STATUS_HELP ? STATUS_DONE : status;
        }
    if (!strcmp(word, "-h") || !strcmp(word, "--help")) {
        fputs(usage, stdout);
        return STATUS_DONE;
    }
    if (!strcmp(word, "-V") || !strcmp(word, "--version")) {
        puts("sdt (sdtlink) " SDTLINK_VERSION);
        return STATUS_DONE;
    }
    diag_error(*word ? "%s: no such command" : "no command%s", word);
    fputs("Try 'sdt --help'.\n", stderr);
    return STATUS_USAGE;
}

int main(int argc, char **argv)
{
    output_guard_streams();
    output_guard_reading();
    diag_set_program("sdt");
    return output_flush(run(argc, argv));
}
