/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Which sets of sites this runtime serves (<sdt/format.h>): those of programs.
 */
#ifndef SDT_SET_H
#define SDT_SET_H

#include <sdt/format.h>
#include <stdbool.h>
#include <stdint.h>

static inline bool set_is_ours(const struct sdt_site *record)
{
    return !(record->flags & SDT_SITE_FREESTANDING);
}

/* The function that entries call directly; 0: they go by sdt_probe.way. */
static inline uintptr_t set_enter(void)
{
    return 0;
}

#endif
