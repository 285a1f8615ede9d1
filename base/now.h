/* SPDX-License-Identifier: BSD-2-Clause */
/* What time it is, in nanoseconds. */
#ifndef SDT_BASE_NOW_H
#define SDT_BASE_NOW_H

#include <stdint.h>

static const int64_t SECOND = 1000000000;

/* For differences: CLOCK_MONOTONIC. */
int64_t now(void);
/* Since 1970. */
int64_t now_epoch(void);

/* How long ago MOMENT of now() was. */
static inline double seconds_since(int64_t moment)
{
    return (double)(now() - moment) / (double)SECOND;
}

#endif
