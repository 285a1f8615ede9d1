/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef SDTLINK_LAUNCH_RUNTIME_H
#define SDTLINK_LAUNCH_RUNTIME_H

#include "launcher_options.h"
#include "line.h"

/*
 * The words that bring the runtime into the link of LINE, whose inputs have been scanned; none if
 * it needs none. 0; -1, after a message: it is needed and does not exist.
 */
int runtime_choose(const struct launcher_options *launch, const struct line *line,
                   struct words *words);
/*
 * The words for a link without any sites, of code that calls the runtime (SCAN_API): so that it is
 * found, and linked only if something else does not define what the code calls. None if that cannot
 * be offered: the linker says then what is undefined. 0, or -1 as above.
 */
int runtime_offer(const struct launcher_options *launch, const struct line *line, unsigned found,
                  struct words *words);

#endif
