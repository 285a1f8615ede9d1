/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef SDTLINK_LAUNCH_RUNTIME_H
#define SDTLINK_LAUNCH_RUNTIME_H

#include "launch.h"
#include "line.h"

/*
 * The words that bring the runtime into the link of LINE, whose inputs have been scanned; none if
 * it needs none. 0; -1: it is needed and not there, and said so.
 */
int runtime_choose(const struct launch *launch, const struct line *line, struct words *words);

#endif
