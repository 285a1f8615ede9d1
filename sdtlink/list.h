/* SPDX-License-Identifier: BSD-2-Clause */
/* `sdtlink list FILE…`: the probe sites of objects, executables and libraries. */
#ifndef SDTLINK_LIST_H
#define SDTLINK_LIST_H

/* argv[0] is "list". Returns the exit status: 0, 1 if a file could not be read, 2 usage. */
int list_main(int argc, char **argv);

#endif
