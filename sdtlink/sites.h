/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What the object holds: probes, the symbols that name them, and their sites. Finding changes
 * nothing in the object.
 */
#ifndef SDTLINK_SITES_H
#define SDTLINK_SITES_H

#include "enums.h"
#include "names.h"
#include "object.h"
#include "stapsdt.h"

#include <sdt/format.h>

struct probe {
    struct slice provider, name;
    uint32_t site_count;
    uint32_t record; /* symbol id of __sdt_probe_…; 0: not defined in this object yet */
    uint32_t stub;   /* symbol id of __sdt_stub_…; likewise */
};

/* A symbol of one of the families in names.h. */
struct probe_symbol {
    uint32_t symbol; /* its index */
    uint32_t probe;  /* index into sites.probes */
    struct probe_name name;
    bool is_defined;                    /* by an earlier run, in .text.sdt_taken */
    bool is_taken;                      /* its address is used: a warning was given */
    uint32_t taken_section;             /* where that was seen first … */
    const Elf64_Rela *taken_relocation; /* … and what said so */
};

/* A call that came without a descriptor is taken for one with that many words. */
enum { UNTYPED_ARGS = 6 };

/* The arguments of one site, as the macro described them. */
struct descriptor {
    uint8_t nargs;
    uint8_t types[SDT_MAX_ARGS];
    uint8_t places[SDT_MAX_ARGS]; /* of an inline site's operands: registers */
    const char *operands;         /* as many strings, one behind the other */
    const char *spelling;         /* the place in the source and the arguments: fields.h; or NULL */
    struct enum_names *enums;     /* of its probe; NULL: none */
    uint32_t enum_count;
};

struct site {
    uint32_t section;  /* the text section */
    uint32_t slot;     /* its relocation, in the section's SHT_RELA; none of a note's site */
    uint64_t offset;   /* first byte of the call or jump */
    uint32_t probe;    /* index into sites.probes */
    uint32_t symbol;   /* index into sites.symbols; none of a note's site */
    uint32_t function; /* symbol index of the function around it; 0: unknown */
    uint8_t kind;      /* enum sdt_kind */
    uint8_t length;    /* bytes of the call or jump */
    bool is_moved;     /* a jcc: it stays, and the site is made behind it, in the loader section */
    uint32_t branch;   /* of a moved one: the type of the relocation that leads there */
    bool is_described; /* `arguments` is set */
    bool is_asm;       /* is-enabled: in an asm statement that a real call would break */
    struct descriptor arguments;
    const struct stapsdt_note *note; /* kind nop1: what it was made from; NULL: a call or jump */
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
    uint32_t mark; /* symbol index of SDT_SYMBOL_MARK; 0: none */
};

/* Those of <sys/sdt.h>'s notes as well, if WITH_NOTES. */
int sites_find(struct sites *sites, const struct object *object, bool with_notes);
/* The probe of that provider and name; NULL: there is none. */
struct probe *sites_probe(const struct sites *sites, struct slice provider, struct slice name);
void sites_free(struct sites *sites);
/* Whether there is anything for the tool to do. */
bool sites_is_empty(const struct sites *sites);

static inline const struct probe_symbol *site_symbol(const struct sites *s, const struct site *site)
{
    return &s->symbols[site->symbol];
}

/* The parts of the probe's symbol that override the site's own; length 0: none. */
static inline struct slice site_module(const struct sites *s, const struct site *site)
{
    return site->note ? (struct slice){NULL, 0} : site_symbol(s, site)->name.module;
}
static inline struct slice site_function(const struct sites *s, const struct site *site)
{
    return site->note ? (struct slice){NULL, 0} : site_symbol(s, site)->name.function;
}

/* functions.c: which function is a place in? */
struct functions;
/* A byte of a section. */
struct spot {
    uint32_t section;
    uint64_t offset;
};
/* Find the functions around COUNT spots. */
struct functions *functions_index(const struct object *object, const struct spot *spots,
                                  size_t count);
/* The symbol index of the function around one of these spots; 0: none. */
uint32_t functions_find(struct functions *functions, uint32_t section, uint64_t offset);
void functions_free(struct functions *functions);
/* The name without what compilers append to the parts and copies of a function (.cold, .isra.0). */
struct slice function_name(const struct object *object, uint32_t symbol);

/* args.c: append to SPOTS what functions_find() will be asked about entries of .sdt_args. */
void args_collect_spots(const struct object *object, struct bytes *spots);
/* args.c: attach the entries of .sdt_args to the sites they describe. */
int args_read(struct sites *sites, const struct object *object, struct functions *functions);
/* args_enums.c: have the sites of probes that sites->enums speaks of know it; warns. */
void args_attach_enums(struct sites *sites, const struct object *object);
/* What the values of the argument of this KIND and NAME are called; NULL: just numbers. */
struct enum_names *args_enum_of(const struct descriptor *descriptor, char kind, const char *name);
/*
 * Append the descriptor of SITE and a NUL, "-4@%rdi 8p@%rsi", and what follows it if the arguments
 * have names (<sdt/format.h>). Returns how many arguments it has.
 */
unsigned args_append_text(struct bytes *text, const struct tool_arch *arch,
                          const struct site *site);
/* Append COUNT arguments of SITE in the words of tracers: "-4@%rdi 8@%rsi". */
void args_append_note(struct bytes *text, const struct tool_arch *arch, const struct site *site,
                      unsigned count);

#endif
