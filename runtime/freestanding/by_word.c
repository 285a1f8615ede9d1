/* SPDX-License-Identifier: BSD-2-Clause */
/* See machine.h and registry/way.h, for machines whose entries and stubs go by a word
 * of the probe. Flags are dead at every site of a freestanding set. */
#include "registry/way.h"

#include "freestanding/machine.h"

#include <stddef.h>

uintptr_t freestanding_enter(void)
{
    return 0;
}

void *way_function(enum way way, enum sdt_access access)
{
    if (access == SDT_BY_CALL)
        return way == WAY_NOTHING ? NULL : (void *)trampoline_dispatch;
    return way == WAY_NOTHING ? (void *)entry_nothing : (void *)entry_save;
}
