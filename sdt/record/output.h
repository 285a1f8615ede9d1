/* SPDX-License-Identifier: BSD-2-Clause */
/* The directory of a recording: from making it to the line that sums it up. */
#ifndef SDT_RECORD_OUTPUT_H
#define SDT_RECORD_OUTPUT_H

#include "command.h"

/* Make the directory. 0, or -1 after a message. */
int record_make_output(struct record *record);
/* Nothing was recorded: remove it, as if it had not been made. */
void record_remove_output(const struct record *record);
/* Write what is left in the rings of processes that ended after the last pass. */
void record_watch_late(struct record *record);
void record_summarize(const struct record *record);

#endif
