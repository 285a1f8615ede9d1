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
 * What linker mode must know besides its own line is in the environment variable
 * SDTLINK_LINKER_MODE, spelled as launcher options in the syntax of response files. (The user's
 * SDTLINK_LAUNCH, in the same syntax, is read and never written.)
 *
 * The parts, in the order in which linker mode uses them:
 *   launcher_options.c  the launcher's own options
 *   command.c           what a command does
 *   find.c              the real linker
 *   exec.c              becoming it
 *   line.c              the linker's line
 *   inputs.c            all inputs: scan, process
 *   search.c            -lfoo is which file
 *   script.c            linker scripts that name inputs
 *   scan.c              does a file hold probes: through pieces.c, needles.c, unprocessed_notes.c
 *   runtime.c           adding libsdt
 *   temporary.c         the link's directory, and the names of copies in it
 *   work.c              processing in workers
 *   archive*.c          archives
 *   repack.c            an archive of the link, with its members processed
 *   supervise.c         children, signals
 *   relay.c             what the linker says
 *   lto*.c              link-time optimisation
 *   compile.c           --at-compile
 *   in_place.c          running what writes objects, and processing these
 *   launch.c            all of it
 */
#ifndef SDTLINK_LAUNCH_LAUNCH_H
#define SDTLINK_LAUNCH_LAUNCH_H

#include <stdbool.h>

/* Has sdtlink been started by a compiler driver, as its linker? */
bool launch_is_linker_name(const char *name);

/* `sdtlink [OPTION...] PROGRAM ARG...`. Does not return if the program can replace us. */
int launch_main(int argc, char **argv);
/* Started as linker: argv[0] is one of the shadow directory's names. */
int launch_linker_main(int argc, char **argv);

#endif
