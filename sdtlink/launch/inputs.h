/* SPDX-License-Identifier: BSD-2-Clause */
/* The inputs of a link: what they hold, and processed copies of those that hold probes. */
#ifndef SDTLINK_LAUNCH_INPUTS_H
#define SDTLINK_LAUNCH_INPUTS_H

#include "launcher_options.h"
#include "line.h"

/* Find and scan all inputs; FOUND: the bits (enum scan) of all of them together. 0 or -1. */
int inputs_scan(struct line *line, unsigned *found);
/* How many bytes of files have to be copied; UINT64_MAX: that is not known. */
uint64_t inputs_size(const struct line *line);
/*
 * Process copies of the inputs with probes and enter them as replacements. AT_START and AT_END get
 * the objects that have to be first and last. Returns 0, an exit status, or -signal.
 */
int inputs_process(const struct launcher_options *launch, struct line *line, struct words *at_start,
                   struct words *at_end);

#endif
