/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The plan: for each site what is there, what will be there, and what its record says. It is a
 * value that can be printed (--dry-run); rewriting applies it blindly, and the self-check of the
 * written file holds the file against it.
 */
#ifndef SDTLINK_PLAN_H
#define SDTLINK_PLAN_H

#include "sites.h"

#include <arch/arch.h>

struct planned_site {
    const struct site *site;
    const struct sdt_form *form;
    uint8_t before[SDT_SITE_MAX], after[SDT_SITE_MAX];
    struct slice function; /* length 0: unknown */
    struct slice module;   /* length 0: the DSO's */
    char *args;
    uint8_t nargs;
    uint16_t flags;
    uint64_t loader; /* of a tail: its loader's offset in the text's loader section */
};

/* The sites of one text section. */
struct planned_text {
    uint32_t section;
    uint32_t first, count; /* in plan.sites */
    uint32_t loader_size;
    uint32_t records, loaders; /* the sections made for them; set by set.c and stubs.c */
};

struct plan {
    const struct object *object;
    const struct sites *found;
    struct planned_site *sites;
    struct planned_text *texts;
    uint32_t count, text_count;
    bool is_companion;
    bool is_bounded; /* the final link puts bounds objects round the set: bounds.h */
};

void plan_build(struct plan *plan, const struct object *object, const struct sites *sites,
                bool is_companion);
void plan_print(const struct plan *plan, bool as_json);
void plan_free(struct plan *plan);

static inline const struct probe *plan_probe(const struct plan *plan,
                                             const struct planned_site *site)
{
    return &plan->found->probes[site_symbol(plan->found, site->site)->probe];
}

#endif
