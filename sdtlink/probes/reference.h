/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * One relocation that names a probe: is it a site, does it take the address, or must the object be
 * refused, with which message?
 */
#ifndef SDTLINK_PROBES_REFERENCE_H
#define SDTLINK_PROBES_REFERENCE_H

#include "functions.h"

#include <arch/tool_arch.h>

struct reference {
    const struct object *object;
    uint32_t section; /* where the relocation applies */
    const Elf64_Rela *relocation;
    enum sdt_use use;
};

/* SITE is set for ARCH_SITE only. */
enum arch_verdict reference_judge(const struct reference *reference, struct arch_site *site);
/* FUNCTIONS knows the place of the relocation. */
void reference_warn(const struct reference *reference, struct functions *functions);
/* Say why, and what to do about it; returns -1. */
int reference_refuse(const struct reference *reference);

#endif
