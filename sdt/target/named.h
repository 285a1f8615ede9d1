/* SPDX-License-Identifier: BSD-2-Clause */
/* -p NAME: the processes of that name, and with --restarts those that start later. */
#ifndef SDT_NAMED_H
#define SDT_NAMED_H

#include "processes.h"

/* Open all; with --restarts, wait for the first. A status, after a message if it is not 0. */
int named_open(struct target *target);
/* With --restarts: open those that are new. Whether there is one. */
bool named_look(struct target *target);

#endif
