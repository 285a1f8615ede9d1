/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Whose clock a trace has. Traces of one start of one kernel have the same clock, whatever names
 * their hosts have: containers have others. Of recordings of earlier versions, which do not say the
 * start, those of one directory and host name.
 *
 * The time of an event is the wall clock's at the start of its trace and counts on from there, so
 * it never jumps. If the wall clock was set between the starts of two traces, the second one's
 * times are shifted by that.
 *
 * `sdt record` notes how wrong the kernel knows its wall clock to be (record/clock_note.h).
 */
#ifndef SDT_MACHINES_H
#define SDT_MACHINES_H

#include "trace.h"

#define CLOCK_FILE ".clock" /* of a recording; other readers ignore it */
#define CLOCK_WORD "clock"  /* of a line: clock BOOT WALL BOUND, spelt as in metadata */

/* Find the machines and spaces of all traces of RECORDING. Reports that there are too many. */
int machines_find(struct recording *recording);
/* Warn of clocks that were set. */
void machines_warn(const struct recording *recording);
/* Put the machine's shift into its traces. */
void machines_shift(struct recording *recording, size_t machine, int64_t shift);

#endif
