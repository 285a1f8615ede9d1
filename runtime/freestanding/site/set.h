/* SPDX-License-Identifier: BSD-2-Clause */
/* Which sets of sites this runtime serves (runtime/site/set.h): freestanding ones, of its format.
 */
#ifndef SDT_SET_H
#define SDT_SET_H

#include "freestanding/machine.h"

#include <sdt/format.h>
#include <stdbool.h>

static inline bool set_is_ours(const struct sdt_site *record)
{
    return (record->flags & (SDT_SITE_FREESTANDING | SDT_SITE_VERSION)) ==
           (SDT_SITE_FREESTANDING | SDT_FORMAT_VERSION << SDT_SITE_VERSION_SHIFT);
}

static inline uintptr_t set_enter(void)
{
    return freestanding_enter();
}

#endif
