/* SPDX-License-Identifier: BSD-2-Clause */
/* What is different in a freestanding set, one for a kernel: <sdt/format.h> says what and why. */
#ifndef SDTLINK_REWRITE_FREESTANDING_H
#define SDTLINK_REWRITE_FREESTANDING_H

#include "plan.h"

/* Refuse sites that an earlier run has made for the other sort of program than IS_WANTED: a
 * freestanding one. */
int freestanding_check_earlier(const struct object *o, bool is_wanted);
/* Refuse what such a set cannot serve. */
int freestanding_check(const struct plan *plan);

#endif
