/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef SDTLINK_LAUNCH_WORK_H
#define SDTLINK_LAUNCH_WORK_H

#include <stddef.h>

/* The number of processors that this process may use: in a container fewer than there are. */
size_t work_processors(void);
/* What one file needed the next one needs as well: memory that is freed is not given back. */
void work_keep_memory(void);
/*
 * Do jobs 0...COUNT-1, as many at a time as there are processors, each in one of several worker
 * processes; JOB returns an exit status, and says what is wrong. Returns 0 if all went well, 1 if
 * not, or the signal that ended it as a negative number.
 */
int work_run(int (*job)(size_t index, void *data), size_t count, void *data);

#endif
