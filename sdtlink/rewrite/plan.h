/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The plan: for each site the bytes found, the bytes to write, and its record. It is a value that
 * can be printed (plan_print.h, --dry-run); rewriting applies it blindly, and the self-check
 * compares the written file with it.
 */
#ifndef SDTLINK_REWRITE_PLAN_H
#define SDTLINK_REWRITE_PLAN_H

#include "probes/sites.h"

#include <arch/tool_arch.h>

struct planned_site {
    const struct site *site;
    const struct sdt_form *form;
    uint8_t kind;  /* enum sdt_kind: the site's, or what a companion makes of it */
    bool is_moved; /* the site itself is in the loader section, and the branch leads there */
    uint8_t before[SDT_SITE_MAX], after[SDT_SITE_MAX]; /* site->length bytes of the text */
    struct slice function;                             /* length 0: unknown */
    struct slice module;                               /* length 0: the DSO's */
    const char *args;
    uint32_t args_size;                   /* with its NUL, and the names that may follow */
    const struct stapsdt_target *targets; /* of its operands that name variables */
    uint8_t target_count;
    uint8_t nargs;
    uint16_t flags;
    uint8_t note_args; /* how many its note for tracers says, if it gets one (SDT_SITE_NOTE) */
    bool has_loader, has_entry;
    uint64_t own_code_at; /* where that begins in the section that the text has for it */
    uint64_t stub_at;     /* the same of the stub, if the text has stubs of its own */
};

/* The sites of one text section. */
struct planned_text {
    uint32_t section;
    uint32_t first, count; /* in plan.sites */
    uint32_t loader_size, entry_size;
    uint32_t stub_size; /* of stubs of its own (is_own_code_near): one for each probe */
    bool has_moved;     /* sites that lie in the loader section */
    bool has_notes;     /* sites with notes for tracers */
};

/* What the command line and the launcher know. */
struct plan_wishes {
    bool is_companion;
    bool is_text;         /* the companion is to be C: companion_text.h */
    bool has_no_notes;    /* none for tracers, whatever is found */
    bool has_late_notes;  /* the final link is followed by finalize_file() */
    bool is_bounded;      /* the final link puts bounds objects round the set: bounds.h */
    bool is_freestanding; /* for a runtime that nothing loads or starts: <sdt/format.h> */
};

struct plan {
    const struct object *object;
    const struct sites *found;
    struct planned_site *sites;
    struct planned_text *texts;
    uint32_t count, text_count;
    struct arena pieces; /* what the planned sites point to */
    struct plan_wishes wishes;
    bool has_notes;
    const struct arch_pieces *code; /* what sites lead to */
};

/* Final when it returns. Warns where notes would say what tracers misunderstand. */
void plan_build(struct plan *plan, const struct object *object, const struct sites *sites,
                const struct plan_wishes *wishes);
void plan_free(struct plan *plan);

/* What a site that has_loader has in the loader section. */
const struct arch_code *plan_loader_code(const struct plan *plan, const struct planned_site *site);

/* Whether each text section has its own stubs, beside it, and not each probe one. */
static inline bool plan_has_near_stubs(const struct plan *plan)
{
    return plan->object->arch->is_own_code_near || plan->wishes.is_freestanding;
}

/* Where a branch that stays has its displacement, in the site as rewritten. */
static inline uint64_t plan_branch(const struct tool_arch *arch, const struct planned_site *site)
{
    return site->site->place.offset +
           (site->is_moved ? site->site->length - arch->moved_branch_size : site->form->branch_at);
}

static inline const struct probe *plan_probe(const struct plan *plan,
                                             const struct planned_site *site)
{
    return &plan->found->probes[site->site->probe];
}

#endif
