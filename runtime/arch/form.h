/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What the architectures' forms.h have in common.
 *
 * Vocabulary: a site is `length` bytes of text. Byte `patch` of it is the only byte that changes
 * between off and jump; byte `trap` is the one that becomes a breakpoint. For a call site the two
 * differ, so that our breakpoint leaves byte 0, the tracers' byte, alone.
 */
#ifndef SDT_ARCH_FORM_H
#define SDT_ARCH_FORM_H

#include <sdt/format.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SDT_SITE_MAX 11 /* the longest site, in bytes */
#define SDT_MAX_PATCH 5 /* the largest offset of a patch byte in its site */

/* What the bytes of a site say it is doing. */
enum sdt_state {
    SDT_STATE_OFF,    /* the disabled form: NOPs, a ret, or "return 0" */
    SDT_STATE_TRAP,   /* off, with a breakpoint at the trap byte */
    SDT_STATE_ON,     /* jump or call armed; is-enabled: answers 1 */
    SDT_STATE_TRACED, /* off, with a foreign breakpoint at byte 0 (uprobe, debugger) */
    SDT_STATE_CALL,   /* still the call as compiled (companion mode before start-up) */
    SDT_STATE_UNKNOWN /* none of ours: never write to it */
};

/* Which family of undefined symbol a relocation names. */
enum sdt_use {
    SDT_USE_CALL,
    SDT_USE_INLINE,
    SDT_USE_ENABLED,
    SDT_USE_FUNCTION /* what a compiler calls at entries and ends of functions, by itself */
};

/* One row of the table of site kinds (enum sdt_kind of <sdt/format.h>). */
struct sdt_form {
    const char *name;     /* as printed by `sdtlink list`: "call", "tail", "enabled-tail", … */
    uint8_t length;       /* bytes of the site */
    uint8_t field;        /* offset of the 32-bit relocated field in the site as compiled */
    uint8_t patch;        /* offset of the patch byte */
    uint8_t trap;         /* offset of the breakpoint byte; == length: this kind has none */
    uint8_t mm;           /* offset of the byte that leads to its window; 0: this kind has none */
    uint8_t branch_at;    /* where a branch has its displacement, in the disabled form */
    uint8_t on;           /* value of the patch byte when armed for jumps */
    uint8_t off;          /* value of the patch byte when off */
    bool returns;         /* a tail form: control leaves the function after the site */
    bool keeps_branch;    /* the 32-bit field stays a branch displacement, re-aimed at a loader or
                             an entry */
    bool is_enabled_test; /* is-enabled: the patch byte is the answer, and nothing is called */
};

/* Whether a branch that is not kept has a place: before the site is first armed, the runtime writes
 * it there, into a NOP. */
static inline bool form_gets_branch(const struct sdt_form *form)
{
    return form->branch_at && !form->keeps_branch;
}

/* Whether the site was made of a note that was there. */
static inline bool kind_is_of_note(unsigned kind)
{
    return kind == SDT_KIND_NOP1 || kind == SDT_KIND_NOP11;
}

/* Whether it is at the entry or the end of a function, where nothing was compiled but a call that
 * keeps all registers. */
static inline bool kind_is_of_function(unsigned kind)
{
    return kind == SDT_KIND_FUNCTION || kind == SDT_KIND_FUNCTION6 ||
           kind == SDT_KIND_FUNCTION_RETURN;
}

/* Whether a thread comes by an entry (<sdt/format.h>): all registers are live at such a site. */
static inline bool kind_has_entry(unsigned kind)
{
    return kind == SDT_KIND_INLINE || kind_is_of_note(kind) || kind_is_of_function(kind);
}

/* How threads come from a site of KIND with FLAGS (enum sdt_site_flag). */
static inline enum sdt_access kind_access(unsigned kind, unsigned flags)
{
    if (!kind_has_entry(kind))
        return SDT_BY_CALL;
    return flags & SDT_SITE_LIVE_FLAGS ? SDT_BY_FLAGGED_ENTRY : SDT_BY_ENTRY;
}

enum { ACCESSES = SDT_BY_CALL + 1 };

/* The entry (<sdt/format.h>) of the site at PC, and what it leads to. */
struct sdt_entry {
    uint64_t pc, record, probe;
    unsigned kind;
    bool live_flags;
    uint64_t enter; /* the function that it calls; 0: the one that sdt_probe.way says */
};

/* What it calls, or where it finds that. */
static inline uint64_t entry_from(const struct sdt_entry *entry)
{
    return entry->enter ? entry->enter : entry->probe + offsetof(struct sdt_probe, way);
}

#endif
