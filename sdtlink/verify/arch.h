/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The seam to what verify knows about a machine. Everything else in this folder speaks of
 * instructions, relocations and operands by what they mean; their bytes, numbers and names are in
 * the folder machines, one struct arch each.
 *
 * The tool and the runtime have a seam of their own. This one shares nothing with it: if verify
 * took its tables of bytes from there, it would repeat their mistakes instead of finding them.
 */
#ifndef SDT_VERIFY_ARCH_H
#define SDT_VERIFY_ARCH_H

#include "image.h"

struct record;

/* ---- relocations ---- */

enum meaning {
    RELOC_OTHER,    /* one that has no business where this program looks */
    RELOC_NONE,     /* changes nothing; keeps alive what its symbol names */
    RELOC_DISTANCE, /* 32 bits: S + A - P */
    RELOC_BRANCH,   /* the same, of a call or jump; fewer bits, perhaps */
    RELOC_CALL,     /* the same, of two instructions side by side */
    RELOC_PAGE,     /* the upper bits of S + A, of an instruction before one with RELOC_LOW, … */
    RELOC_LOW,      /* … which adds the rest, … */
    RELOC_REST,     /* … or with this one, which names the first instruction by a label */
    RELOC_SHORTEN,  /* lets linkers make the code here shorter; changes nothing by itself */
    RELOC_PLUS,     /* 32 bits: S + A is added, … */
    RELOC_MINUS,    /* … or taken away: both together are a distance */
    RELOC_GOT,      /* the distance of the word in the GOT that has the symbol's address */
    RELOC_GOT_CODE, /* the same, of an instruction that linkers may replace */
    RELOC_ADDRESS,  /* 64 bits: S + A */
    /* Of a linked file; a word gets, when the file is loaded, … */
    RELOC_NAMED,    /* … the address of a symbol, */
    RELOC_RELATIVE, /* … its addend as an address of this file, */
    RELOC_CHOSEN    /* … what a function of this file returns (ifunc). */
};

/* ---- instructions ---- */

/* One instruction, as LLVM's disassembler understands it. */
struct insn {
    const uint8_t *bytes;
    unsigned available; /* how many of them there are, up to the longest instruction's */
    uint64_t address;
    unsigned length; /* 0: these bytes are no instruction */
    bool has_target; /* a branch, or a PC-relative operand */
    uint64_t target; /* where it leads */
    char text[96];   /* "call name": one blank between mnemonic and operands */
};

enum property {
    INSN_BRANCH,      /* a call or jump of any kind, conditional ones included */
    INSN_CALL,        /* one that comes back */
    INSN_CONDITIONAL, /* a conditional jump */
    INSN_INDIRECT,    /* a call or jump whose target is in a register or in memory */
    INSN_LEAVES,      /* goes anywhere but to what lies after it, perhaps; and INDIRECT */
    INSN_END,         /* nothing after it is executed: a return, a jump, a trap */
    INSN_IDLE,        /* changes nothing but flags: what the tool writes over a call */
    INSN_RETURN,      /* a plain one */
    INSN_VECTORS      /* names a register of vectors, masks or floats, or works on their state */
};

/* One instruction that is expected. */
struct step {
    const char *text;    /* as is_step() reads it; NULL: dead bytes */
    const char *relaxed; /* what linkers may make of it, if anything */
    unsigned length;     /* 0: the end of the list */
    unsigned field;      /* where it has its distance, if it is judged by where that leads; of dead
                          * bytes: the byte of the list that their distance is counted from */
};

/* What a kind of site holds while it is off. */
struct form {
    const char *words; /* for messages */
    unsigned patch;    /* offset of the patch byte */
    unsigned way;      /* offset of the distance to its loader or entry; 0: it has none, … */
    bool is_pair;      /* … but if it begins with that of a pair of instructions */
    bool has_loader;
    bool calls_stub;      /* the distance of its way is that of the stub */
    unsigned finish;      /* the step that ends the function by RUNTIME_FINISH; 0: none */
    struct step steps[6]; /* none: this machine has no such kind */
};

/* The entry of a site: its instructions, which of them calls by a word of `enter`, and which leads
 * to what comes after the site. Two words follow: the record and the probe. */
struct entry_form {
    const struct step *steps;
    unsigned call, jump;
    enum runtime_function callee; /* it calls this function instead; 0: by the word */
};

/* Four bytes of a linked file's code that may be a branch. */
struct suspect {
    uint64_t field;   /* where they are in the section */
    uint64_t target;  /* the address that they lead to, … */
    bool is_indirect; /* … or that of a word with the address */
};

/* What linkers write where a branch would not reach, in a linked file's code. */
struct veneer {
    struct place place;
    uint64_t target; /* where it goes on, with no register changed but those that are its own */
};

/* ---- operands of argument descriptors ---- */

struct operand {
    enum { CONSTANT, REGISTER, MEMORY } kind;
    unsigned number; /* of the register */
    int64_t value;   /* the constant, or the displacement */
};

/* ---- the machine ---- */

struct arch {
    unsigned machine;                        /* e_machine */
    const char *llvm_family;                 /* what LLVM calls it, for a message, … */
    const char *llvm_triple, *llvm_features; /* … and for LLVM */
    void (*llvm_prepare)(void);
    unsigned longest; /* no instruction is longer */
    unsigned align;   /* addresses of instructions are multiples of it */
    unsigned unit;    /* all are so long; 0: they differ in length */
    unsigned pair;    /* bytes of the first of two instructions that make one address; 0: no such */

    /* Relocations, by type; and two types as they are called in messages. */
    enum meaning (*meaning)(uint32_t type);
    const char *none_name, *distance_name;
    /* Linkers make code shorter, so that only a label is a measure: these relocations let them.
     * NULL: none does. */
    const char *shorten_name;
    /* Fields of instructions: how far after its first byte a distance is counted from, and how
     * far before the end of its instruction that is; 0: its first byte is the field's. */
    unsigned counts_from, field_from_end;
    /* Where the instruction at PLACE leads, by itself or with the next one. NULL: such fields are
     * distances of 32 bits. */
    bool (*reach)(const struct image *image, struct place place, uint64_t *target);

    /* Make of INSN's text what all versions of LLVM print; and tell its target, if LLVM does so in
     * the text only. */
    void (*tidy)(struct insn *insn);
    bool (*has)(const struct insn *insn, enum property property);
    /* Whether the instruction at PLACE is the first of two that are a branch together. NULL: there
     * are no such. */
    bool (*begins_branch)(const struct image *image, struct place place);
    unsigned sled; /* bytes of one of XRay's; 0: there are none */
    /* Handlers of general registers only (promise.c). False: this machine has none, and has() need
     * know no other properties than INSN_BRANCH, INSN_IDLE and INSN_RETURN. */
    bool has_promises;
    bool (*is_step)(const struct step *step, const struct insn *insn);

    /* Sites, by enum sdt_kind; and as compiled, in companion mode (NULL: there is no such). What a
     * companion moves are those of these two that lead to its sites, unless is_kept() tells. */
    const struct form *forms;
    size_t nforms;
    const struct form *companion_call, *companion_tail;
    bool companions_move; /* they may have moved sites */
    /* A branch that stays and leads to a moved site: its length, and where its field is. Where no
     * site can be moved, there are no such. */
    unsigned kept_length, kept_field;
    bool keeps_jumps;       /* unconditional ones as well, which are a byte shorter */
    const char *kept_words; /* for messages: "conditional jump" */
    /* Whether INSN, such a branch, may stay for a site of KIND. */
    bool (*is_kept)(const struct insn *insn, unsigned kind);
    /* Whether the site of RECORD, whose kind and flags are known, may be moved, or not. */
    bool (*can_be_moved)(const struct record *record);
    const char *moved_words; /* where the flag is, for messages */
    /* Whether BYTE, before a site of KIND, changes nothing in any of the site's states. */
    bool (*is_harmless_prefix)(uint8_t byte, unsigned kind);

    /* What the tool adds (the answer: of companions' questions). Which step names the probe; the
     * patch byte, and enters the stub. */
    const struct step *stub, *answer, *loader;
    unsigned stub_probe, loader_patch, loader_jump;
    /* Whether a text section has its own stubs, beside it, and not each probe one. */
    bool has_near_stubs;
    unsigned stub_jump;                /* which step of the stub jumps to this function, … */
    enum runtime_function stub_callee; /* … 0: none */
    unsigned loader_finish; /* which step of the loader does what a form's `finish` does; 0: none */
    unsigned stub_own_jump; /* where the stub jumps to its second entry itself; 0: it does not */
    /* Entries; and those of notes' sites, where they are others (steps NULL: they are not): these
     * take the second word of `enter`, and their sites alone are said to have live flags. */
    struct entry_form entry, note_entry;

    /* Branches of linked files, where no relocation says what is one. AT: begin with its field;
     * the next one that leads to LOW..HIGH, or is indirect. False: there is none. */
    bool (*next_suspect)(const struct section *section, uint64_t low, uint64_t high,
                         struct suspect *at);
    /* AT: the next veneer from its place on, in the same section. False: there is none. NULL:
     * branches reach everything. */
    bool (*next_veneer)(const struct image *image, struct veneer *at);
    /* The same of landing pads that linkers write for veneers, with the field of their jump so far
     * on; NULL: there are none. */
    bool (*next_pad)(const struct image *image, struct veneer *at);
    unsigned pad_jump;
    /* Whether there is a branch with that FIELD, and how many bytes before it starts. */
    bool (*is_branch)(const struct image *image, struct place field, unsigned *before);
    /* Whether the branch with FIELD is an unconditional jump. */
    bool (*is_jump)(const struct section *section, uint64_t field);
    /* Whether linkers put such bytes between sections, after a jump over them. */
    bool (*is_filler)(const uint8_t *bytes, uint64_t count);
    /* What only the tool writes, over a call or as the first bytes of a moved site or an entry: the
     * next such bytes from AT on; the section's size: there are none. */
    uint64_t (*next_disabled)(const struct section *section, uint64_t at);

    /* The operand of LENGTH characters at TEXT, after which there is at least one more. */
    bool (*parse_operand)(const char *text, size_t length, struct operand *operand);

    /* The address of the word that INSN at PLACE, an indirect branch of a linked file, goes by. */
    bool (*word_of)(const struct image *image, struct place place, const struct insn *insn,
                    uint64_t *address);

    /* The same machine in freestanding sets; NULL: the code is the same there. */
    const struct arch *(*freestanding)(void);
};

static inline enum meaning rela_meaning(const struct image *image, const struct rela *rela)
{
    return image->arch->meaning(rela->type);
}

/* Whether RELA changes no byte. */
static inline bool rela_is_idle(const struct image *image, const struct rela *rela)
{
    enum meaning meaning = rela_meaning(image, rela);
    return meaning == RELOC_NONE || meaning == RELOC_SHORTEN;
}

#endif
