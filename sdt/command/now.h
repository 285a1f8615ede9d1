/* SPDX-License-Identifier: BSD-2-Clause */
/* What time it is. */
#ifndef SDT_NOW_H
#define SDT_NOW_H

#include <stdint.h>

/* Seconds, for differences: CLOCK_MONOTONIC. */
double now(void);
/* ns since 1970. */
int64_t now_epoch(void);

#endif
