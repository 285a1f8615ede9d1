/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef SDTLINK_RUN_H
#define SDTLINK_RUN_H

#include "options.h"
#include "output.h"

/* Exit statuses of the contract. */
enum { STATUS_DONE = 0, STATUS_FAILED = 1, STATUS_USAGE = 2, STATUS_NO_PROBES = 3 };

/* Process one object; returns the exit status. */
int sdtlink_run(const struct options *options);
/* The last step: everything that was said is out, and the output is in its place. 0, or -1. */
int run_commit(struct output *output);

#endif
