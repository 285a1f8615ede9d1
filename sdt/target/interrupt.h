/* SPDX-License-Identifier: BSD-2-Clause */
/* Ctrl-C and the like: signals that ask us to end, as a descriptor. */
#ifndef SDT_INTERRUPT_H
#define SDT_INTERRUPT_H

#include <stdbool.h>

struct started;

/* Take SIGINT, SIGQUIT, SIGTERM and SIGHUP from now on. */
void interrupt_take(void);
/* Readable when there is one. */
int interrupt_descriptor(void);
/* Read one; 0: there is none. */
int interrupt_read(void);
/* Read one; whether it asks us to end. A program that we have STARTED gets those of the terminal as
 * well, and what it makes of them decides; others are passed on to it. When it has ended, they are
 * ours. */
bool interrupt_is_ours(const struct started *started);

#endif
