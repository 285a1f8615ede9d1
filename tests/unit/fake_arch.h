/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A machine that there is not, for the tool's seam: test_tool_arch.c. Its instructions are words of
 * four bytes, the operation in the last one; a branch has its distance, from the word itself, in
 * the other three, and an address takes two instructions with a relocation each.
 */
#ifndef UNIT_FAKE_ARCH_H
#define UNIT_FAKE_ARCH_H

#include <arch/machines.h>

enum { FAKE_MACHINE = 0x7a7a };

/* Operations. */
enum {
    FAKE_NOP = 0x20,
    FAKE_CALL = 0x11,
    FAKE_JUMP = 0x12,
    FAKE_PROBE = 0x13, /* the call of an inline site, behind a nop */
    FAKE_SKIP = 0x22,  /* does nothing, whatever the other bytes are */
    FAKE_RETURN = 0x23,
    FAKE_NO_JUMP = 0x24,
    FAKE_SET = 0x33, /* the result := the other bytes */
    FAKE_HIGH = 0x41,
    FAKE_LOW = 0x42
};

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

enum { FAKE_WORD = 4, FAKE_STUB_SIZE = 20, FAKE_LOADER_SIZE = 12, FAKE_ENTRY_SIZE = 24 };

#endif
