/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The site set while it is built: its strings, its records, the places that they name. It is used
 * by unwind.c, the unwind information of a piece of code; by stubs.c, which makes text with these
 * (stubs, loaders, constructors), and entries.c, which makes that of sites with live registers;
 * and by set_build.c, which uses all of them.
 */
#ifndef SDTLINK_REWRITE_SET_H
#define SDTLINK_REWRITE_SET_H

#include "plan.h"
#include "string_pool.h"

/* What was made, or found, for one probe. */
struct set_probe {
    uint32_t records[ACCESSES], stub; /* symbol ids; no stub: texts have their own */
    uint32_t stub_section;            /* of a stub made here */
    uint32_t semaphore;               /* symbol id of its counter for tracers; 0: none */
    uint32_t name_at;                 /* where its name is in the strings, if that was added */
    bool is_named;
};

/* A place: a symbol's (by its id) and a distance. */
struct set_place {
    uint32_t symbol;
    uint64_t offset;
};

/* The sections made for the sites of one text section; 0: none. */
struct set_text {
    uint32_t records, stubs, loaders, entries;
};

/* What is being built, and where it goes: the input object, or a companion's own. */
struct set {
    struct object *object;
    const struct plan *plan;
    struct string_pool strings, fields; /* .rodata.sdt_str; descriptors that names follow */
    struct arena names; /* of sections that have one of their own; the object has no copy */
    uint32_t string_section;
    struct slice function;    /* the name of the one whose site was added last, … */
    uint32_t function_at;     /* … and where it is in the strings */
    uint32_t operands;        /* the section of descriptors that name variables … */
    uint32_t operands_of;     /* … of the records in this section */
    uint32_t words, words_of; /* the same: addresses, where records cannot name the GOT's */
    uint32_t moved;           /* a companion's section of sites made there; 0: none yet */
    uint32_t fields_section;  /* 0: none yet */
    uint32_t probes_section;  /* the same */
    struct set_text *texts;   /* in the order of plan->texts */
    struct set_probe *probes; /* in the order of plan->found->probes */
    uint32_t *labels;         /* symbol ids at sites, in the order of plan->sites; 0: none yet */
    uint32_t unwind;          /* the .eh_frame section; 0: none yet */
    uint64_t unwind_cie;      /* unwind.c's: where our CIE is in it, … */
    uint64_t entry_cie;       /* … and that of the entries */
    uint32_t base, page;      /* symbol ids: what tracers' notes need; see notes.c */
    /* The same: what code names by symbols, from ARCH_PLACE_ENTER on. */
    uint32_t named[ARCH_PLACE_GOT - ARCH_PLACE_ENTER + 1];
    struct orc *orc; /* Linux's unwind tables; NULL: there are none; orc.c */
};

static inline struct set_text *set_text(const struct set *set, const struct planned_text *text)
{
    return &set->texts[text - set->plan->texts];
}

void set_begin(struct set *set, struct object *object, const struct plan *plan);
/*
 * Where SITE of TEXT begins. If linkers may move what a section holds, a label of its own: a
 * distance from the section's beginning would be wrong then. A moved site has one for its branch,
 * where that may get a veneer.
 */
struct set_place set_site_place(struct set *set, const struct planned_text *text,
                                const struct planned_site *site);
/* The symbol of the struct sdt_probe that SITE belongs to. */
uint32_t set_record(const struct set *set, const struct planned_site *site);
/* The stub that SITE of TEXT leads to. */
struct set_place set_stub(const struct set *set, const struct planned_text *text,
                          const struct planned_site *site);
/* Add a section for code that sites of TEXT lead to: NAME, or one that linkers put beside it. */
uint32_t set_add_own_code(struct set *set, const struct planned_text *text, const char *name,
                          uint32_t align);
/* Write the strings; nothing may be added afterwards. */
void set_finish(struct set *set);
void set_free(struct set *set);

/* The name of a label that linkers leave out of the symbol table. */
#define SET_LABEL ".Lsdt"

/* Make the 32-bit field at OFFSET of SECTION the distance to symbol SYMBOL + ADDEND. */
void set_relocate(struct set *set, uint32_t section, uint64_t offset, uint32_t symbol,
                  uint64_t addend);
/* The same for a string; an empty one is "none": the field stays 0. */
void set_relocate_string(struct set *set, uint32_t section, uint64_t offset, struct slice text);

/* Append CODE (a stub, a loader, an entry, …) to SECTION, relocated against those of PLACES that it
 * names; returns where it is. */
uint64_t set_add_code(struct set *set, uint32_t section, const struct arch_code *code,
                      const struct set_place places[ARCH_PLACES]);
/* One such relocation of the code at AT. */
void set_add_fixup(struct set *set, uint32_t section, uint64_t at, const struct arch_fixup *fixup,
                   const struct set_place *place);

#endif
