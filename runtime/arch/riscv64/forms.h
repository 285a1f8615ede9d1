/* SPDX-License-Identifier: BSD-2-Clause */
/* The site forms of riscv64 (../arch.h; docs/decisions/0043-forms-of-a-site-on-riscv64.md). */
#ifndef SDT_ARCH_RISCV64_FORMS_H
#define SDT_ARCH_RISCV64_FORMS_H

#include <arch/form.h>

/* Instructions with zero displacements. x1 is ra, x5 to x7 are t0 to t2, x10 is a0. */
#define SDT_RISCV64_AUIPC_RA 0x00000097u
#define SDT_RISCV64_AUIPC_T1 0x00000317u
#define SDT_RISCV64_AUIPC_T2 0x00000397u
#define SDT_RISCV64_JALR_RA 0x000080e7u   /* jalr ra, 0(ra) */
#define SDT_RISCV64_JUMP_T1 0x00030067u   /* jalr zero, 0(t1) */
#define SDT_RISCV64_JUMP_T2 0x00038067u   /* jalr zero, 0(t2) */
#define SDT_RISCV64_NOP4 0x00000013u      /* addi zero, zero, 0 */
#define SDT_RISCV64_ANSWER_NO 0x00000513u /* addi a0, zero, 0 */

/* Parcels of two bytes: what a site changes by. */
#define SDT_RISCV64_ADDI_RA 0x8013u       /* the first one of addi zero, ra, …: does nothing */
#define SDT_RISCV64_ADDI_T1 0x0013u       /* … of addi zero, t1, … */
#define SDT_RISCV64_JALR_RA_FIRST 0x80e7u /* … of jalr ra, …(ra) */
#define SDT_RISCV64_JUMP_T1_FIRST 0x0067u /* … of jalr zero, …(t1) */
#define SDT_RISCV64_JUMP_T2_FIRST 0x8067u /* … of jalr zero, …(t2) */
#define SDT_RISCV64_RETURN 0x8082u        /* c.jr ra */
#define SDT_RISCV64_BREAK 0x9002u         /* c.ebreak */
#define SDT_RISCV64_LI_A0_0 0x4501u       /* c.li a0, 0 */
#define SDT_RISCV64_LI_A0_1 0x4505u
#define SDT_RISCV64_NOP2 0x0001u /* c.nop */

static inline uint16_t sdt_riscv64_parcel(const uint8_t *bytes)
{
    return (uint16_t)(bytes[0] | bytes[1] << 8);
}

static inline uint32_t sdt_riscv64_word(const uint8_t *bytes)
{
    return sdt_riscv64_parcel(bytes) | (uint32_t)sdt_riscv64_parcel(bytes + 2) << 16;
}

/* The row of KIND, or NULL if this machine does not have it. */
const struct sdt_form *sdt_riscv64_form(unsigned kind);

/* What two instructions, auipc and jalr with displacements of 0, are as a use of a probe. */
enum sdt_riscv64_branch {
    SDT_RISCV64_NO_BRANCH,
    SDT_RISCV64_CALL, /* by ra */
    SDT_RISCV64_JUMP  /* by t1 */
};
enum sdt_riscv64_branch sdt_riscv64_branch(const uint8_t *pair);

/* The kind of site that such a branch is; 0: none. */
unsigned sdt_riscv64_kind(enum sdt_use use, enum sdt_riscv64_branch branch);

/* The parcel at `patch` of a site of KIND that is armed, or off. */
uint16_t sdt_riscv64_on(unsigned kind);
uint16_t sdt_riscv64_off(unsigned kind);
/* Write the disabled form of KIND to SITE, whose branch still leads where it did. */
void sdt_riscv64_encode_off(unsigned kind, uint8_t *site);
/* What SITE (form->length bytes) is doing. Where its branch leads is not checked. */
enum sdt_state sdt_riscv64_state(unsigned kind, const uint8_t *site);
/* Whether PARCEL, and NEXT after it, begin with a breakpoint, of two bytes or of four. */
bool sdt_riscv64_is_breakpoint(uint16_t parcel, uint16_t next);

/* ---- Branches: auipc and jalr. ---- */

/* Whether two such instructions at FROM reach TO: [-2^31 - 2^11, 2^31 - 2^11). */
bool sdt_riscv64_can_reach(uint64_t from, uint64_t to);
/* Where they lead, whatever their registers; the second may be disabled. */
uint64_t sdt_riscv64_target(uint64_t address, const uint8_t *pair);

/*
 * Of a companion: where the branch of a moved site, a call or a jump, leads, also while its second
 * instruction is disabled; 0: it is none. And in step STEP of leading it to TO, the parcels to
 * change: which, of its four, and their values; how many there are, 0 if it does not reach TO.
 * Between two steps, all harts must have seen the first.
 */
enum { SDT_RISCV64_COMPANION_BRANCH = 8, SDT_RISCV64_REAIM_STEPS = 3, SDT_RISCV64_REAIM_MOST = 3 };
uint64_t sdt_riscv64_companion_branch(uint64_t address, const uint8_t *branch);
unsigned sdt_riscv64_reaim(uint64_t address, const uint8_t *branch, uint64_t to, unsigned step,
                           uint8_t at[SDT_RISCV64_REAIM_MOST],
                           uint16_t values[SDT_RISCV64_REAIM_MOST]);

/* ---- Code that the tool adds (decision 43). ---- */

enum {
    SDT_RISCV64_LOADER_SIZE = 24,
    SDT_RISCV64_MOVED_LOADER = 8, /* where that of a companion's tail site is: after the site */
    SDT_RISCV64_MOVED_SIZE = SDT_RISCV64_MOVED_LOADER + SDT_RISCV64_LOADER_SIZE,
    SDT_RISCV64_LOADER_JUMP = 12,
    SDT_RISCV64_LOADER_PATCH = 20, /* a word: the distance of the patch parcel from the loader */
    SDT_RISCV64_STUB_RETURN = 6,   /* a `ret` */
    SDT_RISCV64_STUB_PROBE = 28    /* a word: the distance of the probe from stub + SDT_STUB_AT */
};
/* A tail site that is off, and its loader, which all tail sites have. */
extern const uint8_t sdt_riscv64_moved_code[SDT_RISCV64_MOVED_SIZE];
bool sdt_riscv64_is_loader(uint64_t address, const uint8_t *code, uint64_t patch, uint64_t stub);
/* What both stubs begin with, and the probe that one names. */
enum { SDT_RISCV64_STUB_HEAD = 16 };
bool sdt_riscv64_is_stub(const uint8_t *code);
uint64_t sdt_riscv64_stub_probe(uint64_t address, const uint8_t *code);

/*
 * The code of an entry, its distances all zero, and where it has what; record and probe are where
 * they are in all entries (<sdt/format.h>).
 */
enum { SDT_RISCV64_ENTRY_RETURN = 12 };
extern const uint8_t sdt_riscv64_entry_code[SDT_ENTRY_SIZE];
/* The same of a note's site; what its `jalr` leaves in t1 leads to the distance of what is after
 * the site. */
enum { SDT_RISCV64_NOTE_ENTRY_ENTER = 4, SDT_RISCV64_NOTE_ENTRY_AFTER = 16 };
extern const uint8_t sdt_riscv64_note_entry_code[SDT_ENTRY_SIZE];
/* Whether CODE, SDT_ENTRY_SIZE bytes at ADDRESS, is the entry ENTRY. */
bool sdt_riscv64_is_entry(uint64_t address, const uint8_t *code, const struct sdt_entry *entry);
/* Write ENTRY, which will be at ADDRESS, to CODE. All it names must be in reach. */
void sdt_riscv64_make_entry(uint8_t *code, uint64_t address, const struct sdt_entry *entry);

#endif
