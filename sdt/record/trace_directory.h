/* SPDX-License-Identifier: BSD-2-Clause */
/* The directories of traces in a recording: emptied, and removed. */
#ifndef SDT_TRACE_DIRECTORY_H
#define SDT_TRACE_DIRECTORY_H

#include <sys/types.h>

/* Empty the streams of all traces. They are appended to, so they then continue at their start. */
void trace_directory_empty_all(int recording);
/* Remove all traces, and their rings if they are unused. */
void trace_directory_remove_all(int recording);
/* Remove the traces that a process PID, as it sees itself, has made and that have no event. */
void trace_directory_remove_empty(int recording, pid_t pid);
/* The same of a process that has ended, for traces that describe no events: it was killed before it
 * could do that, so its rings cannot be read. */
void trace_directory_remove_undescribed(int recording, pid_t pid);
/* Remove the traces of processes that have ended before they described their events, and the rings
 * of these; how many there were. Of what else is in such a directory, nothing is removed. */
unsigned trace_directory_remove_unbegun(int recording);
/* Remove the recordings in PARENT whose name begins with PREFIX, if they belong to this user, have
 * no watcher (ring/storage.h), and are not new: their tool was killed. */
void trace_directory_remove_left_over(const char *parent, const char *prefix);

#endif
