/* SPDX-License-Identifier: BSD-2-Clause */
#include "command.h"

#include "base/diag.h"

#include <stdio.h>

int command_wrong(const char *command, const char *problem)
{
    diag_error("%s", problem);
    fprintf(stderr, "Try 'sdt %s --help'.\n", command);
    return STATUS_USAGE;
}

int command_options(const struct command_line *line, int argc, char **argv,
                    int (*take)(void *data, int option), void *data)
{
    int status = STATUS_DONE;
    optind = 0; /* getopt starts anew: a process may execute several commands */
    for (int option; status == STATUS_DONE &&
                     (option = getopt_long(argc, argv, line->letters, line->options, NULL)) >= 0;) {
        if (option == 'h') {
            fputs(line->usage, stdout);
            status = STATUS_HELP;
        } else if (option == '?') {
            fprintf(stderr, "Try 'sdt %s --help'.\n", line->command);
            status = STATUS_USAGE;
        } else {
            status = take(data, option);
        }
    }
    return status;
}
