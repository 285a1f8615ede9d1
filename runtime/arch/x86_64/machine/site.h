/* SPDX-License-Identifier: BSD-2-Clause */
/* Instructions that the runtime writes, or looks for. */
#ifndef SDT_MACHINE_SITE_H
#define SDT_MACHINE_SITE_H

#include <arch/arch.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* What changes in a site, at `patch` or `trap` of its form: a byte. */
typedef uint8_t site_word;

enum {
    SITE_BREAKPOINT = 0xcc, /* int3 */
    SITE_RETURN = 0xc3,     /* ret */
    SITE_NOP = 0x90,        /* nop */
    SITE_THUNK = 5,         /* bytes: jmp rel32 */
    SITE_LOADER = SDT_LOADER_SIZE,
    SITE_ENTRY_RETURN = SDT_ENTRY_RETURN,
    SITE_IS_FLUSHED_ALONE = true /* nothing is flushed */,
    SITE_IS_COPIED_WHOLE = true /* a byte */,
    SITE_LEAVES_BY_TRAP = false,
    SITE_IS_CALL = false,
    SITE_REAIM_STEPS = 0, /* companions move no sites */
    SITE_REAIM_MOST = 1,
    SITE_REAIM_BRANCH = 5,
    SITE_NOP_HAS_ROOM = false, /* where a NOP was, no jump fits */
    SITE_HAS_STOCK = true,
    SITE_TRAPS_CALLS = false, /* foreign calls that are diverted */
    SITE_CALL = 0,            /* bytes of one of them, if so */
    SITE_FAR_JUMP = 1         /* never made */
};
/* How far code may be from the sites that branch to it. */
#define SITE_REACH (UINT64_C(1) << 31)

/* What the word at `patch` is when the site at PC, which leads to STUB, is armed for jumps. */
static inline site_word site_on(const struct sdt_form *form, uintptr_t pc, uintptr_t stub)
{
    (void)pc;
    (void)stub;
    return form->on;
}

/* The same of a site that is off. */
static inline site_word site_off(const struct sdt_form *form)
{
    return form->off;
}

/* Whether arming for jumps is to write site_on() at `patch`, and nothing else: a branch that
 * reaches STUB is there then. */
static inline bool site_has_branch(const struct sdt_form *form, uintptr_t pc, uintptr_t stub)
{
    enum { JMP = 0xe9 };
    if (!form_gets_branch(form)) /* direct-tail has two branches, and chooses one */
        return form->keeps_branch || (!form->mm && form->on != form->off);
    const uint8_t *field = (const uint8_t *)pc + form->branch_at;
    int32_t displacement;
    memcpy(&displacement, field, sizeof displacement);
    return field[-1] == JMP && pc + form->length + (uintptr_t)(intptr_t)displacement == stub;
}

static inline bool site_is_breakpoint(site_word word)
{
    return word == SITE_BREAKPOINT;
}

/* Where the breakpoint begins whose last byte is at ADDRESS; 0: there is none. For trapped hits. */
static inline uintptr_t site_breakpoint_at(uintptr_t address)
{
    const uint8_t *byte = (const uint8_t *)address;
    uint8_t last = __atomic_load_n(byte, __ATOMIC_ACQUIRE);
    if (last == 3 && byte[-1] == 0xcd) /* "int $3", in its long spelling */
        return address - 1;
    return last == SITE_BREAKPOINT ? address : 0;
}

#endif
