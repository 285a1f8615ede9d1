/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The counters by which programs know whether a tracer is attached to a probe of <sys/sdt.h>.
 */
#ifndef SDT_SEMAPHORE_H
#define SDT_SEMAPHORE_H

#include "registry.h"

/* After arming: SITE counts, if it is armed. Before disarming: it no longer does. Locked. */
void semaphore_raise(struct site *site);
void semaphore_lower(struct site *site);

#endif
