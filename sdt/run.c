/* SPDX-License-Identifier: BSD-2-Clause */
/* sdt run: start a program so that sdt can attach to it. */
#include "base/diag.h"
#include "command/command.h"
#include "target/preload.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char usage[] =
    "Usage: sdt run [--] COMMAND [ARGUMENT...]\n"
    "\n"
    "Become COMMAND. sdt can attach to it and to the programs that it starts: SDT_ATTACH is\n"
    "set to 1. A program without the library libsdt gets it by LD_PRELOAD.\n"
    "\n"
    "  -h, --help  print this and exit\n"
    "\n"
    "Exit status: that of COMMAND; 126 or 127 if it could not be run; 2 the command line is "
    "wrong.\n";

int run_main(int argc, char **argv)
{
    char **command = argv + 1;
    if (argc > 1 && (!strcmp(argv[1], "-h") || !strcmp(argv[1], "--help"))) {
        fputs(usage, stdout);
        return STATUS_DONE;
    }
    if (argc > 1 && !strcmp(argv[1], "--"))
        command++;
    else if (argc > 1 && argv[1][0] == '-')
        return command_wrong("run", "run has no such option");
    if (!command[0])
        return command_wrong("run", "no command");
    setenv("SDT_ATTACH", "1", 1);
    preload_set(command[0]);
    execvp(command[0], command);
    int error = errno;
    diag_errno("%s", command[0]);
    return error == ENOENT ? 127 : 126;
}
