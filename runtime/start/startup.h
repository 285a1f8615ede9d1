/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef SDT_STARTUP_H
#define SDT_STARTUP_H

/* Does nothing; a reference to it links startup.c and its constructor. */
void startup_link(void);

#endif
