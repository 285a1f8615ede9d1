/* SPDX-License-Identifier: BSD-2-Clause */
/* A shared library of the link that was made of unprocessed objects. */
#ifndef SDTLINK_LAUNCH_FORGOTTEN_H
#define SDTLINK_LAUNCH_FORGOTTEN_H

#include "line.h"

/* Warn of those that the line or its scripts name. */
void forgotten_warn(const struct line *line);

#endif
