/* SPDX-License-Identifier: BSD-2-Clause */
/* Opening and closing a recording (trace.h). */
#ifndef SDT_RECORDING_H
#define SDT_RECORDING_H

#include "trace.h"

/* Open all traces below DIRECTORY, or DIRECTORY itself if it is a trace; with what killed programs
 * have left in memory (rings.h). Reports errors. */
int recording_open(struct recording *recording, const char *directory);
/* The same of all DIRECTORIES, up to NULL, as one recording. Reports one that is named twice, or is
 * a copy of another. */
int recording_open_all(struct recording *recording, char *const *directories);
/* Reports two of DIRECTORIES, up to NULL, that are one. */
int recording_check_names(char *const *directories);
/* As recording_open(), of the files alone, while programs still record. */
int recording_follow(struct recording *recording, const char *directory);
void recording_close(struct recording *recording);

/* PROVIDER:NAME as shown to users, in RECORDING's memory. */
const char *recording_label(struct recording *recording, const char *provider, const char *name);

#endif
