/* SPDX-License-Identifier: BSD-2-Clause */
/* Instructions that the runtime writes, or looks for; docs/decisions/0043-…: why only these. */
#ifndef SDT_MACHINE_SITE_H
#define SDT_MACHINE_SITE_H

#include <arch/arch.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What changes in a site, at `patch` or `trap` of its form: a parcel, half an instruction or one
 * of the short ones. */
typedef uint16_t site_word;

#define SITE_BREAKPOINT ((site_word)SDT_RISCV64_BREAK)
#define SITE_RETURN ((site_word)SDT_RISCV64_RETURN)
#define SITE_NOP ((site_word)SDT_RISCV64_NOP2)
enum {
    SITE_THUNK = 8, /* bytes: no window is ever mapped */
    SITE_LOADER = SDT_RISCV64_LOADER_SIZE,
    SITE_ENTRY_RETURN = SDT_RISCV64_ENTRY_RETURN,
    SITE_IS_FLUSHED_ALONE = false /* each flush interrupts all harts */,
    SITE_IS_COPIED_WHOLE = false /* kernels copy so few bytes one by one */,
    SITE_LEAVES_BY_TRAP = true /* entries of notes (../entry.S) */,
    SITE_IS_CALL = true /* a linked call is a site that is armed for jumps */,
    SITE_REAIM_STEPS = SDT_RISCV64_REAIM_STEPS,
    SITE_REAIM_MOST = SDT_RISCV64_REAIM_MOST,
    SITE_REAIM_BRANCH = SDT_RISCV64_COMPANION_BRANCH,
    SITE_NOP_HAS_ROOM = false, /* where a NOP was, no jump fits */
    SITE_HAS_STOCK = true,
    SITE_TRAPS_CALLS = true, /* foreign calls that are diverted */
    SITE_CALL = 4,           /* bytes of one of them, if so */
    SITE_FAR_JUMP = 4        /* never made */
};
/* How far code may be from the sites that branch to it. */
#define SITE_REACH (UINT64_C(1) << 31)

static inline unsigned site_kind(const struct sdt_form *form)
{
    return (unsigned)(form - sdt_riscv64_form(SDT_KIND_CALL)) + SDT_KIND_CALL;
}

/* What the word at `patch` is when the site at PC, which leads to STUB, is armed for jumps. */
static inline site_word site_on(const struct sdt_form *form, uintptr_t pc, uintptr_t stub)
{
    (void)pc;
    (void)stub;
    return sdt_riscv64_on(site_kind(form));
}

/* The same of a site that is off. */
static inline site_word site_off(const struct sdt_form *form)
{
    return sdt_riscv64_off(site_kind(form));
}

/* Whether arming for jumps is to write site_on() at `patch`, and nothing else: a branch that
 * reaches STUB is there then. */
static inline bool site_has_branch(const struct sdt_form *form, uintptr_t pc, uintptr_t stub)
{
    (void)pc;
    (void)stub;
    return form->keeps_branch;
}

/* Of two bytes, or the first half of one of four. */
static inline bool site_is_breakpoint(site_word word)
{
    return word == SITE_BREAKPOINT || word == 0x0073;
}

/* The breakpoint at ADDRESS; 0: there is none. For trapped hits. */
static inline uintptr_t site_breakpoint_at(uintptr_t address)
{
    const site_word *word = (const site_word *)address;
    if (address % sizeof *word != 0)
        return 0;
    site_word now = __atomic_load_n(word, __ATOMIC_ACQUIRE);
    return now == SITE_BREAKPOINT || (now == 0x0073 && word[1] == 0x0010) ? address : 0;
}

#endif
