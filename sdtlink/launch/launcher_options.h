/* SPDX-License-Identifier: BSD-2-Clause */
/* What the launcher was told: by its own options, or by the process that it was in driver mode. */
#ifndef SDTLINK_LAUNCH_LAUNCHER_OPTIONS_H
#define SDTLINK_LAUNCH_LAUNCHER_OPTIONS_H

#include "base/words.h"
#include "scan.h"

#include <stdbool.h>

enum launcher_runtime { RUNTIME_AUTO, RUNTIME_STATIC, RUNTIME_SHARED, RUNTIME_NONE };

struct launcher_options {
    bool is_linker;        /* --ld: the program is a linker, whatever its name */
    bool at_compile;       /* --at-compile: process objects right after the compiler */
    bool no_notes;         /* --no-notes: for sdtlink, and what follows from it */
    const char *functions; /* --functions: of which, patterns; NULL: of none */
    int verbosity;         /* -1: -q, 1: -v */
    enum launcher_runtime runtime;
    enum scan_notes notes;         /* --stapsdt */
    const char *runtime_directory; /* where libsdt is; NULL: where it was installed */
    const char *linker;            /* that the user chose, a path or a name; NULL: the usual one */
    struct words directories;      /* the driver's -B, searched for the linker first */
};

/* Do the options that a command line of sdtlink begins with make it one for the launcher? */
bool is_launch_line(int argc, char **argv);
/* An object or archive, by its name or its first bytes: not a program, even if it is executable. */
bool launcher_options_is_object(const char *path);
/* PATH as the program to launch: 0, or -1 if it is an object, and said what to do with that. */
int launcher_options_refuse_object(const char *path);
/* Reads leading launcher options; the number of words used, or -1: wrong, and said so. */
int launcher_options_parse(struct launcher_options *launch, int count, char **words);
/* What the user has put into the environment. */
int launcher_options_import(struct launcher_options *launch);
/* From driver mode to linker mode, which may be a process of its own; without the one, the user's.
 */
void launcher_options_hand_over(const struct launcher_options *launch);
int launcher_options_receive(struct launcher_options *launch);

#endif
