/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef SDT_LOSSES_H
#define SDT_LOSSES_H

#include "trace/trace.h"

/* Warn of events that RECORDING, which was read to its end, does not have: of each directory. */
void losses_tell(const struct recording *recording);

#endif
