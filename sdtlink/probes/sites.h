/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What the object holds: probes, the symbols that name them, and their sites.
 */
#ifndef SDTLINK_PROBES_SITES_H
#define SDTLINK_PROBES_SITES_H

#include "elf/object.h"
#include "enums.h"
#include "names.h"
#include "stapsdt.h"

#include <sdt/format.h>

struct probe {
    struct slice provider, name;
    uint32_t site_count;
    /* Symbol ids; 0: not defined in this object yet. */
    uint32_t records[ACCESSES]; /* of each struct sdt_probe */
    uint32_t stub;
};

/* What the symbol of its struct sdt_probe begins with, by enum sdt_access. */
extern const char *const probe_prefixes[ACCESSES];

/* A symbol of one of the families in names.h. */
struct probe_symbol {
    uint32_t symbol; /* its index; 0: none, of sleds */
    uint32_t probe;  /* index into sites.probes */
    struct probe_name name;
    bool is_function;                   /* a compiler calls it by itself: instrumented.h */
    bool is_defined;                    /* by an earlier run, in .text.sdt_taken */
    bool is_taken;                      /* its address is used: a warning was given */
    uint32_t taken_section;             /* where that was seen first … */
    const Elf64_Rela *taken_relocation; /* … and what said so */
};

/* A call that came without a descriptor is taken for one with that many words. */
enum { UNTYPED_ARGS = 6 };

/* The arguments of one site, as the macro described them. */
struct descriptor {
    bool is_given;       /* there is one */
    bool is_asm_enabled; /* is-enabled, in an asm statement that a real call would break */
    uint8_t nargs;
    uint8_t types[SDT_MAX_ARGS];
    uint8_t places[SDT_MAX_ARGS]; /* of an inline site's operands: registers */
    const char *operands;         /* as many strings, one after the other */
    const char *spelling;         /* the place in the source and the arguments: fields.h; or NULL */
    struct place spelled;         /* where that is; section 0: in another object */
    struct enum_names *enums;     /* of its probe; NULL: none */
    uint32_t enum_count;
};

struct site {
    /* Of its relocation, or its note of <sys/sdt.h>: sites_find.c. */
    struct place place; /* first byte of the call or jump, in a text section */
    uint32_t slot;      /* its relocation, in the section's SHT_RELA; none of a note's or sled's */
    uint32_t probe;     /* index into sites.probes */
    uint32_t symbol;    /* index into sites.symbols; none of a note's site */
    const struct stapsdt_note *stapsdt; /* of a note: that; NULL: a call or jump */
    bool is_sled;   /* XRay's (sleds.h): no relocation; the length is what changes of the sled */
    bool is_marked; /* of a sled: its function is marked by SDT_FUNCTION */
    /* What the machine calls it: reference_judge(). */
    uint8_t kind;   /* enum sdt_kind */
    uint8_t length; /* bytes of the call or jump */
    bool is_moved;  /* a jcc: it stays, and the site is made apart, in the loader section … */
    uint32_t branch_type; /* … by a relocation of this type */
    /* Its symbol's index; 0: unknown: functions.c. */
    uint32_t function;
    /* What .sdt_args says of it: args.c. */
    struct descriptor arguments;
};

struct sites {
    struct probe_symbol *symbols; /* by symbol index */
    uint32_t symbol_count;
    struct stapsdt stapsdt;
    struct enums enums;
    struct probe *probes; /* by provider, name */
    uint32_t probe_count;
    struct site *items; /* by section, offset */
    uint32_t count;
    struct site *silenced; /* calls in functions that were not chosen: disabled, and no sites */
    uint32_t silenced_count;
    struct arena texts; /* of signatures.c */
    bool has_sleds;
    uint32_t mark; /* symbol index of SDT_SYMBOL_MARK; 0: none */
};

/* By provider and name; for qsort. */
int probe_compare(const void *left, const void *right);
/* The probe of that provider and name; NULL: there is none. */
struct probe *sites_probe(const struct sites *sites, struct slice provider, struct slice name);
void sites_free(struct sites *sites);
/* Whether there is nothing for the tool to do. */
bool sites_is_empty(const struct sites *sites);

static inline const struct probe_symbol *site_symbol(const struct sites *s, const struct site *site)
{
    return &s->symbols[site->symbol];
}

/* Whether the site is at the entry or the end of a function. */
static inline bool site_is_function(const struct sites *s, const struct site *site)
{
    return !site->stapsdt && site_symbol(s, site)->is_function;
}

/* Whether its first argument is the frame of the call: it is no call of its own. */
static inline bool site_has_frame(const struct sites *s, const struct site *site)
{
    return !site->stapsdt && site_symbol(s, site)->name.use == SDT_USE_FUNCTION;
}

/* The parts of the probe's symbol that override the site's own; length 0: none. */
static inline struct slice site_module(const struct sites *s, const struct site *site)
{
    return site->stapsdt ? (struct slice){NULL, 0} : site_symbol(s, site)->name.module;
}
static inline struct slice site_function(const struct sites *s, const struct site *site)
{
    return site->stapsdt ? (struct slice){NULL, 0} : site_symbol(s, site)->name.function;
}

#endif
