/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A machine that there is not, for the seams of tool and runtime: test_tool_arch.c and
 * test_fake_machine.c. Its instructions are words of four bytes, and each word is two halves: the
 * operation, then a number. A branch has its distance there, in words, from the branch itself.
 */
#ifndef UNIT_FAKE_CODE_H
#define UNIT_FAKE_CODE_H

#include <arch/form.h>

/* Operations. */
enum {
    FAKE_NOP = 0x20,
    FAKE_CALL = 0x11,
    FAKE_JUMP = 0x12,
    FAKE_PROBE = 0x13, /* the call of an inline site, after a nop */
    FAKE_SKIP = 0x22,  /* does nothing, whatever its number is */
    FAKE_RETURN = 0x23,
    FAKE_NO_JUMP = 0x24,
    FAKE_SET = 0x33, /* the result := the number */
    FAKE_HIGH = 0x41,
    FAKE_LOW = 0x42,
    FAKE_BREAK = 0x7b
};

enum { FAKE_WORD = 4 };

/* The row of KIND, or NULL: this machine does not have it. */
const struct sdt_form *fake_form(unsigned kind);
/* Write the disabled form of KIND to SITE. */
void fake_encode_off(unsigned kind, uint8_t *site);
/* What SITE is doing. */
enum sdt_state fake_state(unsigned kind, const uint8_t *site);

/* The half of a word at PLACE. */
static inline uint16_t fake_half(const uint8_t *place)
{
    return (uint16_t)(place[0] | place[1] << 8);
}

#endif
