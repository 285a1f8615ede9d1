/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What is noted about a trace beside its events, in its file `.snapshots`, which other readers take
 * no notice of: the pair of probes whose time decides when snapshots are taken, and which hits took
 * one (docs/recording.md).
 * Whoever writes the streams adds a line at a time.
 */
#ifndef SDT_RECORDER_NOTED_H
#define SDT_RECORDER_NOTED_H

#define NOTED_FILE ".snapshots"

struct ring_cause;

/* The trace in DIRECTORY has a snapshot because of CAUSE, if that is known. 0 or an error. */
int noted_snapshot(int directory, const struct ring_cause *cause);
/* PAIR, as `sdt lat` takes it, is that of the trace in DIRECTORY. 0 or an error. */
int noted_pair(int directory, const char *pair);

#endif
