/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef SDTLINK_PROCESS_H
#define SDTLINK_PROCESS_H

#include "options.h"

/* Process one object; returns the exit status (base/status.h). */
int process_object(const struct options *options);

#endif
