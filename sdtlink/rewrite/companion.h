/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef SDTLINK_REWRITE_COMPANION_H
#define SDTLINK_REWRITE_COMPANION_H

#include "set.h"

/* Refuse what a companion cannot describe. */
int companion_check(const struct plan *plan);
/* Fill COMPANION, an empty object, with stubs and the places of the plan's sites. */
void companion_build(struct object *companion, const struct plan *plan);

#endif
