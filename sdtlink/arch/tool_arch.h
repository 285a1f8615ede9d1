/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The tool's architecture seam: what sdtlink must know of a machine to find the probes in an object
 * and to write the processed one. The machine of the input picks the struct, once, when the file is
 * opened; everything outside this folder asks it.
 *
 * The bytes of a site in each of its states are known to the runtime as well: they are in the
 * runtime's seam, runtime/arch/arch.h, on which the implementations here build. `sdtlink verify`
 * shares neither: it must be able to disagree.
 *
 * All members must be set, unless their comment says otherwise. Functions are pure: they see bytes
 * and numbers, and no object.
 */
#ifndef SDTLINK_TOOL_ARCH_H
#define SDTLINK_TOOL_ARCH_H

#include <arch/arch.h>
#include <arch/operand.h>
#include <elf.h>
#include <sdt/format.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- Uses of a probe's symbol. ---- */

/* A relocation that names a probe, and the section that it applies to. */
struct arch_use {
    enum sdt_use use;
    bool is_text;        /* a section of code */
    const uint8_t *data; /* its bytes; NULL: it has none */
    uint64_t size;
    uint64_t offset; /* where the relocated field is; perhaps outside */
    uint32_t type;
    int64_t addend;
};

/* Byte AT, counted from the relocated field; -1: outside. */
static inline int arch_byte_at(const struct arch_use *use, int64_t at)
{
    uint64_t offset = use->offset + (uint64_t)at;
    return use->data && offset < use->size ? use->data[offset] : -1;
}

/* Whether the relocated field, of SIZE bytes, lies inside the section. */
static inline bool arch_has_field(const struct arch_use *use, uint64_t size)
{
    return use->data && use->size >= size && use->offset <= use->size - size;
}

/* What a use is: a site; an address that is taken; or nothing that we understand. */
enum arch_verdict { ARCH_SITE, ARCH_ADDRESS, ARCH_REFUSED };

/*
 * What a companion or a freestanding set makes of a site: one of which kind; 0: it cannot serve it.
 * A companion's that is not moved is where the branch is, whose spelling must not be the linker's
 * choice; a moved one is in the companion, and start-up leads the branch there.
 */
struct arch_made {
    uint8_t kind; /* enum sdt_kind */
    bool is_moved;
};

/* The instruction of a site, as compiled. */
struct arch_site {
    uint64_t offset; /* where it begins */
    uint8_t length;
    uint8_t kind;         /* enum sdt_kind */
    bool is_moved;        /* it stays, and leads to a site that is made elsewhere … */
    uint32_t branch_type; /* … by a relocation of this type */
};

/* Where XRay has a sled. */
enum arch_sled { ARCH_SLED_ENTRY, ARCH_SLED_RETURN, ARCH_SLED_TAIL };

/* Why something is refused: the three parts of a message. */
struct arch_refusal {
    const char *problem;
    const char *expected; /* NULL: nothing to say */
    const char *remedy;   /* likewise */
};

/* ---- Code that the tool adds. ---- */

/* The places that added code refers to; each piece of code has its own. */
enum arch_place {
    ARCH_PLACE_PROBE,    /* struct sdt_probe, whose first word says what stubs and entries call */
    ARCH_PLACE_PATCH,    /* the site's patch byte */
    ARCH_PLACE_STUB,     /* the probe's stub */
    ARCH_PLACE_RETURN,   /* the first byte after the site */
    ARCH_PLACE_RECORD,   /* the site's struct sdt_site */
    ARCH_PLACE_DSO,      /* struct sdt_dso */
    ARCH_PLACE_REGISTER, /* the runtime's function that takes it, perhaps undefined */
    ARCH_PLACE_BOUND,    /* where the set begins or ends */
    ARCH_PLACE_ITSELF,   /* a label of its own, the fixup's addend into the code */
    /* By their symbols: of a freestanding set, functions of the runtime; and … */
    ARCH_PLACE_ENTER,  /* SDT_SYMBOL_ENTER */
    ARCH_PLACE_CALL,   /* SDT_SYMBOL_ENTER_CALL */
    ARCH_PLACE_FINISH, /* SDT_SYMBOL_FINISH */
    ARCH_PLACE_GOT,    /* the linker's _GLOBAL_OFFSET_TABLE_ */
    ARCH_PLACES
};

/* A relocation of added code: of the field at AT, against PLACE, with ADDEND added to its own. */
struct arch_fixup {
    uint8_t at;
    uint8_t place; /* enum arch_place */
    int16_t addend;
    uint32_t type;
};

enum { ARCH_FIXUPS_MAX = 4 };

struct arch_code {
    const uint8_t *bytes;
    uint32_t size;
    uint32_t fixup_count;
    struct arch_fixup fixups[ARCH_FIXUPS_MAX]; /* in the order in which they are written */
};

/* What sites lead to. Sizes of all variants of a stub are the same. */
struct arch_pieces {
    struct arch_code stub, enabled_stub;
    /* What a loader section holds. (Sites that only companions move are among the moved.) */
    struct arch_code loader, moved_site, moved_enabled;
    struct arch_code entry;
    struct arch_code note_entry; /* of a nop1 site, as large; no bytes: the same */
    struct arch_code taken_call, taken_enabled;
};

/* From which byte of an entry on, and up to which, the stack pointer is so much lower, as Linux's
 * ORC tables are told; all 0: this machine has no such tables. */
struct arch_lowered {
    uint8_t from, to, by;
};

/* A CIE for such code, as it stands in .eh_frame; a multiple of 8 bytes. */
struct arch_cie {
    const uint8_t *bytes;
    uint32_t size;
};

/* ---- Operands. ---- */

/* The number of no register. */
enum { ARCH_NO_REGISTER = 0xff };
/* Room for the longest place of an argument, without a NUL. */
enum { ARCH_PLACE_SIZE = 16 };

/* ---- The machine. ---- */

enum { ARCH_NO_ADDEND = 0xff };

/* The types of relocations that are not part of code. */
struct arch_relocations {
    uint32_t none;       /* it changes nothing; keeps its target alive */
    uint32_t distance;   /* 32 bits: symbol + addend - field */
    uint32_t address;    /* a pointer */
    uint32_t difference; /* what assemblers make of `.long label - .` beside `distance`: the first
                          * one of two at the field, which adds the label; 0: nothing */
    uint32_t subtracted; /* the second one, which subtracts a label; 0: nothing */
    uint32_t relax;      /* it lets linkers shorten what is relocated at the same place; then all of
                          * a section may move, and what leads there needs a label; 0: no such */
    uint32_t align;   /* linkers remove as much padding there as they like; of use where relax is */
    uint32_t got;     /* 32 bits: the distance of the GOT's word for the symbol; or `none`: there
                       * is no such type, and the tool adds a word of its own */
    bool has_veneers; /* linkers write code where a branch does not reach; mold 1.10 adds the
                       * branch's addend to that, so that it must be 0 */
    uint32_t branch_type; /* that of a branch that stays, in a site that is not moved … */
    int32_t bias;         /* … and what is added to the distance of its target from the field */
};

struct tool_arch {
    const char *name;      /* in messages, "x86-64" */
    const char *multiarch; /* the directory of its libraries in Debian, "x86_64-linux-gnu" */
    const char *emulation; /* what linkers call it, "elf_x86_64" */
    uint32_t flags;        /* e_flags of an object that has no code of a compiler's */
    uint16_t machine;      /* e_machine */
    uint8_t word;          /* bytes of an address: 8; or 4, then its objects are ELF32 */
    uint8_t context;       /* how many bytes before a relocated field a message shows */
    const struct arch_refusal *other_class; /* an object for this machine, but of the other class */
    /* Of ELF32 alone: relocations have no addends (SHT_REL). How many bytes of the relocated field
     * have that of a relocation of TYPE; ARCH_NO_ADDEND: the type is not known. NULL: they have. */
    size_t (*addend_size)(uint32_t type);

    struct arch_relocations relocations;
    const char *(*relocation_name)(uint32_t type);

    /* Uses. SITE is set for ARCH_SITE only; explain() is asked about ARCH_REFUSED, and about every
     * use of an inline site's symbol that is no site. */
    enum arch_verdict (*judge)(const struct arch_use *use, struct arch_site *site);
    const struct arch_refusal *(*explain)(const struct arch_use *use);

    /* Sites. */
    const struct sdt_form *(*form)(unsigned kind);
    /* From the bytes as compiled to the disabled form; the displacement of a kept branch is 0. */
    void (*encode_off)(unsigned kind, uint8_t *site);
    /* The same of a call that is to be no site at all: to what does nothing, or returns if it was
     * a jump, and cannot be taken for a site. */
    void (*silence)(unsigned kind, uint8_t *call);
    enum sdt_state (*state)(unsigned kind, const uint8_t *site);
    enum sdt_state as_compiled; /* what it says of a companion's site in the file */
    uint8_t moved_branch_size;  /* the displacement of a moved site's branch is in its last bytes */
    /* What a companion makes of a site. */
    struct arch_made (*companion)(unsigned kind, bool is_moved);
    /* The same of a freestanding set, and why it cannot serve what is refused; NULL: all stays. */
    struct arch_made (*freestanding)(unsigned kind);
    const struct arch_refusal *freestanding_got;
    /* Where the branch that led to a moved site leads, as linked; 0: it is none. NULL: a companion
     * moves none. */
    uint64_t (*companion_branch)(uint64_t address, const uint8_t *branch);
    uint32_t companion_branch_size;
    bool has_text_companions; /* <sdt/companion.h> has its stubs */
    /* Where a function site (SDT_USE_FUNCTION) has its first argument, the stack pointer, which is
     * the same at both ends of one call; NULL: compilers make no such sites. */
    const char *function_frame;
    /* Where what a function is given, or returns, is at such a site, as an operand: by a letter and
     * a number. 'g', 'v': general and vector register number N of those that have arguments; 's':
     * word N of the stack; 'r': the result in a general register. False: there is no such. NULL:
     * arguments and results are not described. */
    bool (*put_function_place)(char to[ARCH_PLACE_SIZE], char kind, unsigned n);
    /* What makes gcc's compilers proper call the two functions (probes/instrumented.h); NULL: they
     * cannot, and what names these functions is no site. */
    const char *function_options;
    /* Whether CODE, with SIZE bytes to the section's end, is such a sled of XRay's
     * (probes/sleds.h): a site, whose `length` is what changes of the sled. NULL: none is known. */
    bool (*read_sled)(enum arch_sled kind, const uint8_t *code, uint64_t size,
                      struct arch_site *site);
    /* What follows the disabled site of KIND in its sled. */
    void (*fill_sled)(unsigned kind, uint8_t *sled);
    /* Why a companion cannot serve what is not a plain call; NULL: it can, or there is no such. */
    const struct arch_refusal *companion_moved, *companion_got, *companion_inline;
    const struct arch_refusal *companion_enabled;
    /* … and why it cannot serve a section that linkers may shorten; NULL: they shorten none. */
    const struct arch_refusal *companion_relaxed;
    /* What kind of site the instruction at OFFSET of a section, CODE with SIZE bytes to the
     * section's end, is that a note names; 0: none. NULL: there are no such sites; notes stay what
     * they are, for tracers. */
    unsigned (*note_kind)(uint64_t offset, const uint8_t *code, uint64_t size);
    /* Whether a note's site, CODE with SIZE bytes, is nop11 if nothing jumps into it; NULL: no. */
    bool (*is_nop11)(const uint8_t *code, uint64_t size);
    const char *not_nop1;  /* the warning if it is none … */
    const char *same_nop1; /* … and if there is a site already */

    /* Added code. */
    struct arch_pieces code;
    const struct arch_pieces *freestanding_code; /* of a freestanding set, of the same sizes; NULL:
                                                  * the same */
    struct arch_fixup entry_record;              /* of an entry; written when the record exists */
    struct arch_lowered entry_lowered;
    struct arch_code constructor;
    struct arch_code bound_call; /* a plain call, never executed: stubs_add_constructors() */
    uint32_t stub_align, loader_align, entry_align, code_align;
    /* Whether a program's text can be larger than a branch reaches: then what sites lead to, stubs
     * as well, is beside the text section that has them, wherever linkers put that. */
    bool is_own_code_near;
    struct arch_cie plain_cie, entry_cie;
    uint32_t unwind_type; /* sh_type of .eh_frame */

    /* Recognising it, in objects and in linked files. CODE is at ADDRESS and as long as it must be.
     */
    bool (*is_stub)(const uint8_t *code);
    uint64_t (*stub_probe)(uint64_t address, const uint8_t *code);
    uint64_t (*kept_branch)(unsigned kind, uint64_t address, const uint8_t *site);
    bool (*is_loader)(uint64_t address, const uint8_t *code, uint64_t patch, uint64_t stub);
    bool (*is_entry)(uint64_t address, const uint8_t *code, const struct sdt_entry *entry);

    /*
     * Arguments. Whether every tracer can read OPERAND, of an inline site: a register or a part of
     * it, a constant, memory at a constant distance from a register. *REGISTER is its number, or
     * ARCH_NO_REGISTER.
     */
    bool (*is_plain)(const char *operand, uint8_t *reg);
    /* Write REGISTER, whole, at TO as tracers spell it; returns how many bytes that takes. */
    size_t (*put_register)(char *to, uint8_t reg);
    /* The same of the argument of a call, or of a tail call, in word WORD of all of them. */
    size_t (*put_call_place)(char *to, unsigned word, bool is_tail);
    /* The operands of notes, as the runtime will read them. */
    const struct operand_syntax *operands;
};

/* ELFCLASS64 or ELFCLASS32. */
static inline uint8_t tool_arch_class(const struct tool_arch *arch)
{
    return arch->word == 8 ? ELFCLASS64 : ELFCLASS32;
}

#endif
