/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef SDTLINK_RUN_H
#define SDTLINK_RUN_H

#include "options.h"

/* Process one object; returns the exit status (base/status.h). */
int sdtlink_run(const struct options *options);

#endif
