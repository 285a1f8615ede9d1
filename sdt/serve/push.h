/* SPDX-License-Identifier: BSD-2-Clause */
/* The totals of all rules, as a request to a receiver of OpenTelemetry's metrics: a resource for
 * each program, or each process. */
#ifndef SDT_SERVE_PUSH_H
#define SDT_SERVE_PUSH_H

#include "config.h"

/* Append it, from NOW of the rules' series; returns how many data points it has. MOST: of them. */
uint64_t push_append(struct bytes *to, const struct config *config, size_t most);

#endif
