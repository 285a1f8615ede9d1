/* SPDX-License-Identifier: BSD-2-Clause */
/* Opening and closing a recording (trace.h). */
#ifndef SDT_RECORDING_H
#define SDT_RECORDING_H

#include "trace.h"

/* Open all traces below DIRECTORY, or the one that it is. Reports what is wrong. */
int recording_open(struct recording *recording, const char *directory);
/* The same, of programs that are known to record still. */
int recording_follow(struct recording *recording, const char *directory);
void recording_close(struct recording *recording);

/* PROVIDER:NAME as people see it, in RECORDING's memory. */
const char *recording_label(struct recording *recording, const char *provider, const char *name);

#endif
