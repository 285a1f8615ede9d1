/* SPDX-License-Identifier: BSD-2-Clause */
/* Probes at SQLite's own seams: the operating system below it, and its page cache. */
#ifndef DEMO_SHIMS_H
#define DEMO_SHIMS_H

/* Install both; before the first connection is opened. */
void shims_install(void);

#endif
