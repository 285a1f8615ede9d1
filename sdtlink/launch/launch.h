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
 *                 copies. If there is nothing to process: exec of the real linker.
 *
 * What linker mode must know besides its own line is in the environment variable
 * SDTLINK_LINKER_MODE, spelled as launcher options in the syntax of response files. (The user's
 * SDTLINK_LAUNCH, in the same syntax, is read and never written.)
 *
 * The parts, in the order in which they are used. Both modes:
 *   launch.c              the table of contents
 *   launcher_options.c    the launcher's own options
 *   find.c                programs: the real linker, and the parts of sdtlink
 *   in_place.c            a command whose objects are processed: --at-compile, ld -r
 *   exec.c                becoming another program
 *
 * Driver mode:
 *   named.c               sdtlink-gcc: a compiler in one word
 *   command.c             what a command does
 *   functions.c           --functions: what the compiler is told
 *   compile.c             --at-compile: which objects a compiler will write
 *
 * Linker mode (launcher_options.c and in_place.c read files and wait for children as well):
 *   line.c                the linker's line
 *   line_options.c        which options of linkers take a value
 *   inputs.c              all inputs: scan, process
 *   search.c              -lfoo is which file
 *   scan.c                does a file hold probes
 *   archive.c             reading archives
 *   scan_object.c         what an object's symbols and sections say
 *   pieces.c              reading only the pieces of it that matter
 *   needles.c             searching string tables
 *   unprocessed_notes.c   whether an object that was processed got more notes
 *   script.c              linker scripts that name inputs
 *   forgotten.c           libraries of unprocessed objects
 *   lto.c                 link-time optimisation: the compiler's plugin
 *   runtime.c             adding libsdt
 *   libraries.c           the compiler's own libraries, and the runtime's place among them
 *   runtime_machine.c     for which machine a libsdt is
 *   supervise.c           children, signals
 *   temporary.c           the link's directory, and the names of copies in it
 *   compose.c             the real linker's line
 *   object_job.c          an object to be processed
 *   repack.c              an archive of the link, with its members processed
 *   archive_write.c       writing it
 *   work.c                processing in workers
 *   lto_lld.c             link-time optimisation: the first of lld's two links
 *   lto_members.c         members of archives in its second
 *   relay.c               what the linker says
 */
#ifndef SDTLINK_LAUNCH_LAUNCH_H
#define SDTLINK_LAUNCH_LAUNCH_H

#include <stdbool.h>

/* Has sdtlink been started by a compiler driver, as its linker? */
bool launch_is_linker_name(const char *name);

/*
 * "gcc" of a path that ends in sdtlink-gcc: the program that sdtlink stands for under this name,
 * for tools that take a compiler in one word. NULL: NAME is none of that kind (sdtlink-1.0 is
 * neither).
 */
char *launch_program_of_name(char *name);
/* What that program is: for "linker" what SDTLINK_CC names, or cc. NULL after a message. */
char *launch_program_chosen(char *program);
/* As launch_main() for PROGRAM, with the words of ARGV after the first. */
int launch_program(char *program, char **argv);

/* Whether ARGV are words for a compiler or linker, without its name before them; and the message.
 */
bool launch_is_nameless(char **argv);
int launch_refuse_nameless(void);

/* `sdtlink [OPTION...] PROGRAM ARG...`. Does not return if the program can replace us. */
int launch_main(int argc, char **argv);
/* Started as linker: argv[0] is one of the shadow directory's names. */
int launch_linker_main(int argc, char **argv);

#endif
