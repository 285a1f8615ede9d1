/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The commands that are not the rewriter. Each gets its own name as argv[0] and returns the exit
 * status.
 */
#ifndef SDTLINK_COMMANDS_H
#define SDTLINK_COMMANDS_H

/* list.c: print the probes and sites of objects, executables and libraries. */
int list_main(int argc, char **argv);

#endif
