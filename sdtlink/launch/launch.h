/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * `sdtlink CC ARG...`: a compiler or linker command, with the probes of what it links processed.
 *
 * There are two ways to get between a compiler driver and its linker. One is to understand the
 * driver's command line: which of its arguments are inputs, what it adds, where it looks for
 * libraries. That differs between drivers and versions, and the objects of `cc a.c b.c` do not even
 * exist yet. The other is to be the linker: every driver runs one program with a command line that
 * names every file of the link, and the option -B says in which directory it is looked for first.
 * We take the second way. So there are two modes, of the same executable:
 *
 *   driver mode   `sdtlink cc ARG...`: is it a command that links? Then run `cc -B<shadow> ARG...`,
 *                 else `cc ARG...`, by exec: no process of ours stays. <shadow> is a directory of
 *                 symbolic links to sdtlink, named ld, ld.bfd, ld.gold, ld.lld, ld.mold.
 *   linker mode   started under such a name, or as `sdtlink --ld LD ARG...`: read the line, find
 *                 the inputs that hold probes, process copies of them, run the real linker on the
 *                 copies. Nothing to do: exec of the real linker.
 *
 * What linker mode must know besides its own line is in the environment variable SDTLINK_LAUNCH,
 * spelled as launcher options in the syntax of response files.
 *
 * The parts, in the order in which linker mode uses them:
 *   options.c     the launcher's own options        command.c   what a command does
 *   words.c       words, response files             line.c      the linker's line
 *   search.c      -lfoo is which file               scan.c      does it hold probes
 *   script.c      linker scripts that name inputs
 *   find.c        the real linker                   runtime.c   adding libsdt
 *   place.c       the temporary directory, names    work.c      processing in workers
 *   archive*.c    archives                          bundle.c    an archive of the link
 *   inputs.c      all inputs: scan, process         launch.c    all of it
 *   supervise.c   children, signals                 relay.c     what the linker says
 *   lto*.c        link-time optimisation            compile.c   --at-compile
 */
#ifndef SDTLINK_LAUNCH_LAUNCH_H
#define SDTLINK_LAUNCH_LAUNCH_H

#include "scan.h"
#include "words.h"

#include <stdbool.h>

enum launch_runtime { RUNTIME_AUTO, RUNTIME_STATIC, RUNTIME_SHARED, RUNTIME_NONE };

struct launch {
    bool is_linker;  /* --ld: the program is a linker, whatever its name */
    bool at_compile; /* --at-compile: process objects right after the compiler */
    bool no_notes;   /* --no-notes: for sdtlink, and what follows from it */
    int verbosity;   /* -1: -q, 1: -v */
    enum launch_runtime runtime;
    enum scan_notes notes;         /* --stapsdt */
    const char *runtime_directory; /* where libsdt is; NULL: where it was installed */
    const char *linker;            /* that the user chose, a path or a name; NULL: the usual one */
    struct words directories;      /* the driver's -B, searched for the linker first */
};

/* Exit statuses of a command that could not be started, as in the shell. */
enum { STATUS_NOT_EXECUTABLE = 126, STATUS_NOT_FOUND = 127 };

/* Is the command line (of sdtlink, with an option first) one for the launcher? */
bool launch_is_meant(int argc, char **argv);
/* PATH as the program to launch: 0, or -1 if it is an object, and said what to do with that. */
int launch_refuse_object(const char *path);
/* Has sdtlink been started by a compiler driver, as its linker? */
bool launch_is_linker_name(const char *name);

/* `sdtlink [OPTION...] PROGRAM ARG...`. Does not return if the program can replace us. */
int launch_main(int argc, char **argv);
/* Started as linker: argv[0] is one of the shadow directory's names. */
int launch_linker_main(int argc, char **argv);

/* Run the linker on argv (a NULL-terminated copy of the user's words; argv[0] names it). */
int launch_link(const struct launch *launch, char **argv);

/* options.c */

/* Reads leading launcher options; the number of words used, or -1: wrong, and said so. */
int launch_options_parse(struct launch *launch, int count, char **words);
/* From the environment, for linker mode. */
int launch_options_import(struct launch *launch);
/* Into the environment, for the processes that we become and start. */
void launch_options_export(const struct launch *launch);

/* find.c */

/* Path of the real linker for NAME ("ld.lld", a path); NULL: none, and said so. To be freed. */
char *launch_find_linker(const struct launch *launch, const char *name);
/* Replace this process by ARGV[0], PATH if not NULL. Returns the exit status if that fails. */
int launch_exec(const char *path, char **argv);
/*
 * Where a part of sdtlink lies: the first of PLACES (NULL-terminated, relative to the directory of
 * the running executable) that exists. NULL: none. To be freed.
 */
char *launch_find_part(const char *const *places);

#endif
