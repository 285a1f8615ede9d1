/* SPDX-License-Identifier: BSD-2-Clause */
/* See way.h. */
#include "way.h"

#include <stddef.h>

void *way_function(enum way way, enum sdt_access access)
{
    static void *const functions[][ACCESSES] = {
        [WAY_NOTHING] = {(void *)entry_nothing, (void *)entry_nothing_flags, NULL},
        [WAY_COUNT] = {(void *)entry_count, (void *)entry_count_flags, (void *)trampoline_count},
        [WAY_ALL] = {(void *)entry_save, (void *)entry_save_flags, (void *)trampoline_dispatch},
        [WAY_GENERAL] = {(void *)entry_general, (void *)entry_general_flags,
                         (void *)trampoline_dispatch},
        [WAY_RECORD] = {(void *)entry_record, (void *)entry_record_flags,
                        (void *)trampoline_record},
    };
    return functions[way][access];
}
