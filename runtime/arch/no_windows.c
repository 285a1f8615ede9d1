/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Thunk windows, and functions with padding after them (machine.h), for machines that have neither:
 * sites branch to their stubs, and functions follow each other without a gap, so that the calls of
 * an empty one are diverted.
 */
#include <arch/machine.h>

#include <string.h>

const uint8_t *machine_mms(size_t *n)
{
    *n = 0;
    return NULL;
}

int64_t machine_thunk_distance(uint8_t mm)
{
    (void)mm;
    return 0;
}

void machine_encode_thunk(uint64_t address, uint64_t target, uint8_t thunk[SITE_THUNK])
{
    (void)address;
    (void)target;
    memset(thunk, 0, SITE_THUNK); /* an illegal instruction; there is no window to hold it */
}

uintptr_t machine_empty_return(uintptr_t place)
{
    (void)place;
    return 0;
}
