/* SPDX-License-Identifier: BSD-2-Clause */
#include "machines.h"

#include "aarch64.h"
#include "riscv64.h"
#include "x86_64.h"

const struct arch *const machines[] = {&x86_64, &aarch64, &riscv64, NULL};

const struct arch *machines_find(unsigned machine)
{
    for (const struct arch *const *at = machines; *at; at++)
        if ((*at)->machine == machine)
            return *at;
    return NULL;
}
