/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The commands of sdt. Each has the command's name as argv[0], and returns a status. As everywhere
 * in this repository, 1 also means that a part of the work failed: a report of a damaged recording
 * has everything that can be read.
 */
#ifndef SDT_COMMAND_H
#define SDT_COMMAND_H

#include <getopt.h>

/* STATUS_HELP: --help has been printed, and nothing is left to do; main() makes it STATUS_DONE. */
enum { STATUS_HELP = -1, STATUS_DONE = 0, STATUS_FAILED = 1, STATUS_USAGE = 2, STATUS_NOTHING = 3 };

int record_main(int argc, char **argv);
int recover_main(int argc, char **argv);
int report_main(int argc, char **argv);
int export_main(int argc, char **argv);
int diff_main(int argc, char **argv);
int ps_main(int argc, char **argv);
int list_main(int argc, char **argv);
int count_main(int argc, char **argv);
int enable_main(int argc, char **argv);
int disable_main(int argc, char **argv);
int reset_main(int argc, char **argv);
int run_main(int argc, char **argv);
int snapshot_main(int argc, char **argv);
int trace_main(int argc, char **argv);
int top_main(int argc, char **argv);
int hist_main(int argc, char **argv);
int lat_main(int argc, char **argv);
int tree_main(int argc, char **argv);
int serve_main(int argc, char **argv);
int count_by_main(int argc, char **argv); /* of count, with conditions or keys */

extern const char count_usage[]; /* of count, in both forms */

/* Report a wrong command line; returns STATUS_USAGE. */
int command_wrong(const char *command, const char *problem);

/* What getopt_long() is to know of a command, whose --help prints USAGE. */
struct command_line {
    const char *command, *usage, *letters;
    const struct option *options;
};

/*
 * Hand each option but --help to TAKE. STATUS_DONE if TAKE has returned that for all of them;
 * otherwise what it has returned, or STATUS_HELP; STATUS_USAGE, after a message, of an option that
 * the command does not know.
 */
int command_options(const struct command_line *line, int argc, char **argv,
                    int (*take)(void *data, int option), void *data);

#endif
