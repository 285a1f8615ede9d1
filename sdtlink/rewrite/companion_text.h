/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef SDTLINK_REWRITE_COMPANION_TEXT_H
#define SDTLINK_REWRITE_COMPANION_TEXT_H

#include "base/memory.h"
#include "plan.h"

/* What companion_check() has accepted, for a freestanding runtime, as a file in C:
 * <sdt/companion.h> has its words. */
void companion_text(const struct plan *plan, struct bytes *text);

#endif
