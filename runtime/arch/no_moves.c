/* SPDX-License-Identifier: BSD-2-Clause */
/* Sites that companions move (machine.h), for a machine where they move none. */
#include <arch/machine.h>

uintptr_t machine_companion_branch(const uint8_t *place)
{
    (void)place;
    return 0;
}

/* NOLINTNEXTLINE(readability-non-const-parameter): other machines write to EDITS */
size_t machine_reaim(const uint8_t *place, uintptr_t target, unsigned step,
                     struct machine_edit edits[SITE_REAIM_MOST])
{
    (void)place;
    (void)target;
    (void)step;
    (void)edits;
    return 0;
}
