/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Thunk windows, functions with padding after them, and notes whose NOP is more than one
 * instruction (machine.h), for machines that have none of these: sites branch to their stubs, and
 * functions follow each other without a gap, so that the calls of an empty one are diverted.
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

unsigned machine_note_kind(uintptr_t address, const uint8_t *code, size_t size)
{
    site_word word;
    if (address % sizeof word != 0 || size < sizeof word)
        return 0;
    memcpy(&word, code, sizeof word);
    return word == SITE_NOP ? SDT_KIND_NOP1 : 0;
}
