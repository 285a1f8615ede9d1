/* SPDX-License-Identifier: BSD-2-Clause */
/* The name of the field that holds the callers of a hit (stack.h). */
#ifndef SDT_RECORDER_CALLERS_H
#define SDT_RECORDER_CALLERS_H

#include "metadata.h"

/* `stack`, or another name if an argument of CLASS has this one. Static. */
const char *callers_name(const struct event_class *class);

#endif
