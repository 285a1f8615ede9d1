/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Foreign calls (machine.h), for a machine where it is unknown at which bytes instructions begin:
 * none is found, so none is redirected.
 */
#include <arch/machine.h>

#include <string.h>

/* NOLINTNEXTLINE(readability-non-const-parameter): other machines write to CALLS */
size_t machine_find_calls(uintptr_t place, uintptr_t begin, uintptr_t end, uintptr_t *calls,
                          size_t max)
{
    (void)place;
    (void)begin;
    (void)end;
    (void)calls;
    (void)max;
    return 0;
}

site_word machine_redirected(uintptr_t call, uintptr_t target)
{
    (void)target;
    return *(const site_word *)call;
}

void machine_make_far_jump(uint8_t code[SITE_FAR_JUMP], uintptr_t target)
{
    (void)target;
    memset(code, 0, SITE_FAR_JUMP);
}
