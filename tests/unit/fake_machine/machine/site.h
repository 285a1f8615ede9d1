/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The machine of fake_code.h as the runtime sees it: this takes the place of the host's
 * <machine/site.h>. What changes in a site is half an instruction, which no real machine has.
 */
#ifndef SDT_MACHINE_SITE_H
#define SDT_MACHINE_SITE_H

#include <arch/arch.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../../fake_code.h"

typedef uint16_t site_word;

enum {
    SITE_BREAKPOINT = FAKE_BREAK,
    SITE_RETURN = FAKE_RETURN,
    SITE_NOP = FAKE_NOP,
    SITE_THUNK = 8,
    SITE_LOADER = 12,
    SITE_ENTRY_RETURN = 8,
    SITE_IS_FLUSHED_ALONE = false,
    SITE_IS_COPIED_WHOLE = true,
    SITE_HAS_STOCK = false,
    SITE_LEAVES_BY_TRAP = false,
    SITE_IS_CALL = false,
    SITE_REAIM_STEPS = 0, /* companions move no sites */
    SITE_REAIM_MOST = 1,
    SITE_REAIM_BRANCH = 4,
    SITE_NOP_HAS_ROOM = false,
    SITE_FAR_JUMP = 4
};
#define SITE_REACH (UINT64_C(1) << 27)

static inline site_word site_on(const struct sdt_form *form, uintptr_t pc, uintptr_t stub)
{
    (void)pc;
    (void)stub;
    return form->on;
}

static inline site_word site_off(const struct sdt_form *form)
{
    return form->off;
}

static inline bool site_has_branch(const struct sdt_form *form, uintptr_t pc, uintptr_t stub)
{
    (void)pc;
    (void)stub;
    return form->keeps_branch;
}

static inline bool site_is_breakpoint(site_word word)
{
    return word == SITE_BREAKPOINT;
}

static inline uintptr_t site_breakpoint_at(uintptr_t address)
{
    if (address % FAKE_WORD != 0)
        return 0;
    return fake_half((const uint8_t *)address) == FAKE_BREAK ? address : 0;
}

#endif
