/* SPDX-License-Identifier: BSD-2-Clause */
/* Instructions that the runtime writes, or looks for; docs/decisions/0041-…: why only these. */
#ifndef SDT_MACHINE_SITE_H
#define SDT_MACHINE_SITE_H

#include <arch/arch.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What changes in a site, at `patch` or `trap` of its form: an instruction. */
typedef uint32_t site_word;

#define SITE_BREAKPOINT SDT_AARCH64_BREAK
#define SITE_RETURN SDT_AARCH64_RET
#define SITE_NOP SDT_AARCH64_NOP
enum {
    SITE_THUNK = 4, /* bytes: no window is ever mapped */
    SITE_LOADER = SDT_AARCH64_LOADER_TAIL,
    SITE_ENTRY_RETURN = 16,
    SITE_IS_FLUSHED_ALONE = true /* by lines of the cache */,
    SITE_IS_COPIED_WHOLE = true /* an aligned word */,
    SITE_LEAVES_BY_TRAP = false,
    SITE_IS_CALL = true /* a linked call is a site that is armed for jumps */,
    SITE_REAIM_STEPS = 1,
    SITE_REAIM_MOST = 1,
    SITE_REAIM_BRANCH = SDT_AARCH64_COMPANION_BRANCH,
    SITE_NOP_HAS_ROOM = true, /* for a branch */
    SITE_HAS_STOCK = true,
    SITE_TRAPS_CALLS = false, /* foreign calls that are diverted */
    SITE_CALL = 0,            /* bytes of one of them, if so */
    SITE_FAR_JUMP = 16        /* bytes: two instructions and where to */
};
/* How far code may be from the sites that branch to it. */
#define SITE_REACH (UINT64_C(1) << 27)

/* What the word at `patch` is when the site at PC, which leads to STUB, is armed for jumps. */
static inline site_word site_on(const struct sdt_form *form, uintptr_t pc, uintptr_t stub)
{
    if (form->returns || form->is_enabled_test) /* the branch around what is to be done is gone */
        return SDT_AARCH64_NOP;
    bool is_call = form == sdt_aarch64_form(SDT_KIND_CALL);
    return sdt_aarch64_encode_branch(is_call ? SDT_AARCH64_BL : SDT_AARCH64_B, pc, stub);
}

/* The same of a site that is off. */
static inline site_word site_off(const struct sdt_form *form)
{
    if (form->is_enabled_test)
        return SDT_AARCH64_B | 2; /* b .+8 */
    return form->returns ? SDT_AARCH64_B | 3 : SDT_AARCH64_NOP;
}

/* Whether arming for jumps is to write site_on() at `patch`, and nothing else: a branch that
 * reaches STUB is there then. */
static inline bool site_has_branch(const struct sdt_form *form, uintptr_t pc, uintptr_t stub)
{
    return form->returns || form->is_enabled_test || sdt_aarch64_can_reach(pc, stub);
}

static inline bool site_is_breakpoint(site_word word)
{
    return (word & 0xffe0001f) == 0xd4200000; /* brk, whatever its number */
}

/* The breakpoint at ADDRESS; 0: there is none. For trapped hits. */
static inline uintptr_t site_breakpoint_at(uintptr_t address)
{
    const site_word *word = (const site_word *)address;
    return address % sizeof *word == 0 &&
                   site_is_breakpoint(__atomic_load_n(word, __ATOMIC_ACQUIRE))
               ? address
               : 0;
}

#endif
