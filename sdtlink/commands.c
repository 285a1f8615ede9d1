/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See commands.h. An executable is looked for relative to the running program, never in PATH: the
 * two must be of one version, wherever they were installed or copied to.
 */
#include "commands.h"

#include "base/diag.h"
#include "base/memory.h"
#include "base/status.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* In the build tree beside sdtlink, installed in ../libexec/sdtlink of its directory. */
static const char *const places[] = {"", "../libexec/sdtlink/"};

/* The directory of this program, in SELF; -1: it is not known. */
static int find_self(char self[PATH_MAX])
{
    ssize_t length = readlink("/proc/self/exe", self, PATH_MAX - 1);
    self[length < 0 ? 0 : length] = 0;
    char *slash = strrchr(self, '/');
    return length < 0 ? -1 : slash ? (int)(slash - self) : 0;
}

/* Where sdtlink-COMMAND may be, number I, beside SELF in DIRECTORY. */
static const char *place_of(char program[PATH_MAX + 64], const char *self, int directory, size_t i,
                            const char *command)
{
    snprintf(program, PATH_MAX + 64, "%.*s/%ssdtlink-%s", directory, self, places[i], command);
    return program;
}

/* Execute sdtlink-COMMAND; REMEDY, if it is not there. */
static int hand_over(char **argv, const char *remedy)
{
    const char *command = argv[0];
    char self[PATH_MAX], program[PATH_MAX + 64];
    int directory = find_self(self);
    if (directory < 0) {
        diag_errno("%s: cannot find my own directory: /proc/self/exe", command);
        return STATUS_FAILED;
    }
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        execv(place_of(program, self, directory, i, command), argv);
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

/* Start sdtlink-list with ARGV, and its output to OUTPUT; 0: it is not there. */
static pid_t start_list(char **argv, int output)
{
    char self[PATH_MAX], program[PATH_MAX + 64];
    int directory = find_self(self);
    posix_spawn_file_actions_t actions;
    pid_t child = 0;
    if (directory < 0 || posix_spawn_file_actions_init(&actions) != 0)
        return 0;
    int error = posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
    for (size_t i = 0; i < sizeof places / sizeof places[0] && !error && !child; i++)
        if (posix_spawn(&child, place_of(program, self, directory, i, "list"), &actions, NULL, argv,
                        environ) != 0)
            child = 0;
    posix_spawn_file_actions_destroy(&actions);
    return child;
}

char *signatures_command(const char *path, bool *is_there)
{
    char name[] = "list", option[] = "--signatures", piece[1 << 14];
    char *argv[] = {name, option, (char *)(uintptr_t)path, NULL};
    struct bytes text = {0};
    int ends[2], status = 0;
    *is_there = true;
    if (pipe2(ends, O_CLOEXEC) != 0)
        return NULL;
    pid_t child = start_list(argv, ends[1]);
    *is_there = child != 0;
    close(ends[1]);
    for (ssize_t n; child && (n = read(ends[0], piece, sizeof piece)) != 0;)
        if (n > 0)
            bytes_append(&text, piece, (size_t)n);
        else if (errno != EINTR)
            break;
    close(ends[0]);
    while (child && waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    if (!child || status != 0) /* half of it is nothing */
        text.size = 0;
    return bytes_take_text(&text);
}
