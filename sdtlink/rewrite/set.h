/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Building the site set and its code. set.c makes data (records, probes, strings, registration),
 * stubs.c makes text (stubs, loaders, constructors), entries.c that of sites with live registers,
 * unwind.c the unwind information of both.
 */
#ifndef SDTLINK_REWRITE_SET_H
#define SDTLINK_REWRITE_SET_H

#include "plan.h"
#include "string_pool.h"

/* What was made, or found, for one probe. */
struct set_probe {
    uint32_t record, stub; /* symbol ids */
    uint32_t stub_section; /* of a stub made here */
    uint32_t semaphore;    /* symbol id of its counter for tracers; 0: none */
};

/* A place: a symbol's (by its id) and a distance. */
struct set_place {
    uint32_t symbol;
    uint64_t offset;
};

/* The sections made for the sites of one text section; 0: none. */
struct set_text {
    uint32_t records, loaders, entries;
};

/* What is being built, and where it goes: the input object, or a companion's own. */
struct set {
    struct object *object;
    const struct plan *plan;
    struct string_pool strings;
    uint32_t string_section;
    struct slice function;    /* the name of the one whose site was added last, … */
    uint32_t function_at;     /* … and where it is in the strings */
    uint32_t operands;        /* the section of descriptors that name variables … */
    uint32_t operands_of;     /* … of the records in this section */
    uint32_t words, words_of; /* the same: addresses, where records cannot name the GOT's */
    uint32_t fields;          /* the section of descriptors that names follow; 0: none yet */
    struct set_text *texts;   /* in the order of plan->texts */
    struct set_probe *probes; /* in the order of plan->found->probes */
    uint32_t *labels;         /* symbol ids at sites, in the order of plan->sites; 0: none yet */
    uint32_t unwind;          /* the .eh_frame section; 0: none yet */
    uint64_t unwind_cie;      /* unwind.c's: where our CIE is in it, … */
    uint64_t entry_cie;       /* … and that of the entries */
    uint32_t base, page;      /* symbol ids: what tracers' notes need; see notes.c */
};

static inline struct set_text *set_text(const struct set *set, const struct planned_text *text)
{
    return &set->texts[text - set->plan->texts];
}

/* set.c */
void set_begin(struct set *set, struct object *object, const struct plan *plan);
/*
 * Where SITE of TEXT begins. If linkers may move what a section holds, a label of its own: a
 * distance from the section's beginning would be wrong then. A moved site has one for its branch,
 * where that may get a veneer.
 */
struct set_place set_site_place(struct set *set, const struct planned_text *text,
                                const struct planned_site *site);
/* Records of probes, with their stubs, for every probe that has none in this object yet. */
void set_add_probes(struct set *set);
/* One sdt_sites section per text section. */
void set_add_sites(struct set *set);
/* The registration group of an object with sites; one of all that are linked together remains. */
void set_add_registration(struct set *set);
/* The registration of a companion: its own set, all of section SITES. */
void set_add_companion_registration(struct set *set, uint32_t sites);
/* Write the strings; nothing may be added afterwards. */
void set_finish(struct set *set);
void set_free(struct set *set);

/* Append SITE's record to SECTION. The site lies in symbol BASE + OFFSET; it leads to STUB. */
void set_add_record(struct set *set, uint32_t section, const struct planned_site *site,
                    uint32_t base, uint64_t offset, struct set_place stub);

/* stubs.c */

/* The name of a label that linkers leave out of the symbol table. */
#define SET_LABEL ".Lsdt"

/* Append CODE to SECTION, relocated against those of PLACES that it names; returns where it is. */
uint64_t code_add(struct set *set, uint32_t section, const struct arch_code *code,
                  const struct set_place places[ARCH_PLACES]);
/* One such relocation of the code at AT. */
void code_relocate(struct set *set, uint32_t section, uint64_t at, const struct arch_fixup *fixup,
                   const struct set_place *place);
void stubs_add_stub(struct set *set, const struct probe *probe, struct set_probe *made,
                    uint32_t group);
/* What a companion defines is-enabled symbols as: returns 0. Returns its section. */
uint32_t stubs_add_enabled(struct set *set, uint32_t record);
/* One loader section per text section that needs one. Must be before set_add_sites(). */
void stubs_add_loaders(struct set *set);
/* One entry section per text section that needs one. Must be before set_add_sites(), which calls …
 */
void entries_add(struct set *set);
/* … this, when the records of TEXT exist: entries lead to them. */
void entries_add_records(struct set *set, const struct planned_text *text);
/* A function for a symbol whose address is taken: does nothing, or returns 0. */
void stubs_add_taken(struct set *set);
/* Constructor and destructor that hand DSO (a section) to the runtime. */
void stubs_add_constructors(struct set *set, uint32_t dso, uint32_t group);
/* Say that code in SECTION at OFFSET has its return address on top of the stack. */
void unwind_add(struct set *set, uint32_t section, uint64_t offset, uint32_t size);
/* Say that SECTION holds entries. */
void unwind_add_entries(struct set *set, uint32_t section, uint32_t size);
/* The object's stack need not be executable. Of a companion only: of an object that was compiled
 * it is not ours to say. */
void stubs_add_stack_note(struct set *set);

#endif
