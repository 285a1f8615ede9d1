/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef SDT_BASE_STATUS_H
#define SDT_BASE_STATUS_H

/* The documented exit statuses. */
enum { STATUS_DONE = 0, STATUS_FAILED = 1, STATUS_USAGE = 2, STATUS_NO_PROBES = 3 };

#endif
