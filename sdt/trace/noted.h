/* SPDX-License-Identifier: BSD-2-Clause */
/* What is noted about a trace beside its events (ring/noted.h). */
#ifndef SDT_NOTED_H
#define SDT_NOTED_H

#include "trace.h"

/* Read it, if there is something. What cannot be read is passed over, with a warning. */
void noted_read(struct recording *recording, struct trace *trace);

#endif
