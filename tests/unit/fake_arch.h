/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The machine of fake_code.h as the tool sees it: test_tool_arch.c. An address takes two
 * instructions with a relocation each.
 */
#ifndef UNIT_FAKE_ARCH_H
#define UNIT_FAKE_ARCH_H

#include "fake_code.h"

#include <arch/machines.h>

/* The same machine twice: objects of the second one are ELF32. */
enum { FAKE_MACHINE = 0x7a7a, FAKE_NARROW = 0x7a7b };

/* Types of relocations; none of x86-64 that the tool writes has the number of one of these. */
enum {
    FAKE_R_NONE = 107,
    FAKE_R_DISTANCE = 109,
    FAKE_R_ADDRESS = 111,
    FAKE_R_GOT = 113,
    FAKE_R_HIGH = 121,
    FAKE_R_LOW = 122,
    FAKE_R_BRANCH = 140
};

enum { FAKE_STUB_SIZE = 20, FAKE_LOADER_SIZE = 12, FAKE_ENTRY_SIZE = 24 };

#endif
