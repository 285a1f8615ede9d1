/* SPDX-License-Identifier: BSD-2-Clause */
/* -- COMMAND: a program that is started to be traced. */
#ifndef SDT_PROGRAM_H
#define SDT_PROGRAM_H

#include "processes.h"

/* Start it, and open the first process that has the library. A status, after a message if it is
 * not 0; then it has ended. */
int program_open(struct target *target);
/* Wait for its end; its status, as in a shell. */
int program_end(struct target *target);

#endif
