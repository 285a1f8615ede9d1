/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Descriptions of probes that tools send in parts (LIVE_DESCRIBE), since the process may not see
 * their files. Only the listener calls this.
 */
#ifndef SDT_CONTROL_DESCRIPTION_H
#define SDT_CONTROL_DESCRIPTION_H

#include "ring/described.h"

#include <stddef.h>
#include <stdint.h>

/* The part of SESSION's that begins at OFFSET; at 0, another description begins. 0 or an error. */
int description_add(uint64_t session, uint64_t offset, const void *part, size_t size);
/* What SESSION has sent, in *TAKEN, which the caller frees; NULL: nothing. 0 or an error. */
int description_take(uint64_t session, struct description **taken);

#endif
