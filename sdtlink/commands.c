/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See commands.h. An executable is looked for relative to the running program, never in PATH: the
 * two must be of one version, wherever they were installed or copied to.
 */
#include "commands.h"

#include "base/diag.h"
#include "base/status.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* In the build tree beside sdtlink, installed in ../libexec/sdtlink of its directory. */
static const char *const places[] = {"", "../libexec/sdtlink/"};

/* Execute sdtlink-COMMAND; REMEDY, if it is not there. */
static int hand_over(char **argv, const char *remedy)
{
    const char *command = argv[0];
    char self[PATH_MAX], program[PATH_MAX + 64];
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    if (length < 0) {
        diag_errno("%s: cannot find my own directory: /proc/self/exe", command);
        return STATUS_FAILED;
    }
    self[length] = 0;
    char *slash = strrchr(self, '/');
    int directory = slash ? (int)(slash - self) : 0;
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        snprintf(program, sizeof program, "%.*s/%ssdtlink-%s", directory, self, places[i], command);
        execv(program, argv);
        if (errno != ENOENT) {
            diag_errno("%s: cannot run %s", command, program);
            return STATUS_FAILED;
        }
    }
    diag_error("%s: sdtlink-%s is not installed beside this sdtlink (looked for it in %.*s and "
               "%.*s/../libexec/sdtlink): %s",
               command, command, directory, self, directory, self, remedy);
    return STATUS_FAILED;
}

int list_command(int argc, char **argv)
{
    (void)argc;
    return hand_over(argv, "install sdtlink again, or name the one that is installed");
}

int verify_command(int argc, char **argv)
{
    (void)argc;
    return hand_over(argv, "it is built where LLVM 14 or later is found; install llvm-dev and "
                           "build again");
}
