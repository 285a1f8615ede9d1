/* SPDX-License-Identifier: BSD-2-Clause */
/* The site forms of aarch64 (../arch.h; docs/decisions/0041-forms-of-a-site-on-aarch64.md). */
#ifndef SDT_ARCH_AARCH64_FORMS_H
#define SDT_ARCH_AARCH64_FORMS_H

#include <arch/form.h>

/* Instructions. Of B and BL, the displacement is the lowest 26 bits, in words. */
#define SDT_AARCH64_NOP 0xd503201fu
#define SDT_AARCH64_RET 0xd65f03c0u
#define SDT_AARCH64_B 0x14000000u
#define SDT_AARCH64_BL 0x94000000u
#define SDT_AARCH64_BREAK 0xd420bae0u        /* brk #0x5d7: only we use it */
#define SDT_AARCH64_MOV_W0_0 0x52800000u     /* mov w0, #0 */
#define SDT_AARCH64_MOV_W0_1 0x52800020u     /* mov w0, #1 */
#define SDT_AARCH64_ADR_X11_BACK 0x10ffffebu /* adr x11, .-4 */

static inline uint32_t sdt_aarch64_word(const uint8_t *bytes)
{
    return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

/* The row of KIND, or NULL if this machine does not have it. */
const struct sdt_form *sdt_aarch64_form(unsigned kind);

/* What INSTRUCTION, with a displacement of 0, is as a use of a probe. */
enum sdt_aarch64_branch {
    SDT_AARCH64_NO_BRANCH,
    SDT_AARCH64_CALL,       /* bl */
    SDT_AARCH64_JUMP,       /* b */
    SDT_AARCH64_CONDITIONAL /* b.cond, cbz, cbnz, tbz, tbnz */
};
enum sdt_aarch64_branch sdt_aarch64_branch(uint32_t instruction);

/* The kind of site that such a branch is; 0: none. */
unsigned sdt_aarch64_kind(enum sdt_use use, enum sdt_aarch64_branch branch);
/* Whether the branch of a site of KIND stays, and leads to a site that is made elsewhere. */
bool sdt_aarch64_is_moved(unsigned kind);

/* Write the disabled form of KIND, which is not moved, to SITE. */
void sdt_aarch64_encode_off(unsigned kind, uint8_t *site);

/*
 * What SITE (form->length bytes) is doing; of a kind that is moved, SITE is in its loader. Where a
 * `bl` or `b` leads is not checked.
 */
enum sdt_state sdt_aarch64_state(unsigned kind, const uint8_t *site);

/* ---- Branches. ---- */

/* Whether a `b` or `bl` at FROM reaches TO: [-2^27, 2^27 - 4], and both are words. */
bool sdt_aarch64_can_reach(uint64_t from, uint64_t to);
/* The instruction; the caller has checked that. OPERATION: SDT_AARCH64_B or SDT_AARCH64_BL. */
uint32_t sdt_aarch64_encode_branch(uint32_t operation, uint64_t from, uint64_t to);
/* Whether INSTRUCTION is `b` or `bl`, wherever it leads. */
bool sdt_aarch64_is_branch(uint32_t instruction);
/* Where INSTRUCTION, a branch at ADDRESS, leads. */
uint64_t sdt_aarch64_target(uint64_t address, uint32_t instruction);

/*
 * Of a companion: where the branch of a moved site, of any of the kinds above, leads; 0: it is
 * none. And its instruction, changed so that it leads to TO; 0: it does not reach that.
 */
enum { SDT_AARCH64_COMPANION_BRANCH = 4 };
uint64_t sdt_aarch64_companion_branch(uint64_t address, const uint8_t *branch);
uint32_t sdt_aarch64_reaim(uint64_t address, const uint8_t *branch, uint64_t to);

/*
 * The address that two instructions at ADDRESS put into register NUMBER: adrp and add, or what
 * linkers make of these: `nop; adr`, `adr; nop`, or adr and add. 0: they are something else.
 */
uint64_t sdt_aarch64_address(uint64_t address, const uint8_t *pair, unsigned number);

/* ---- Code that the tool adds (decision 41). ---- */

/* The part of a loader after the site's word, and all of it. */
enum { SDT_AARCH64_LOADER_TAIL = 12, SDT_AARCH64_LOADER_SIZE = 16, SDT_AARCH64_STUB_PROBE = 8 };
bool sdt_aarch64_is_loader(uint64_t address, const uint8_t *tail, uint64_t patch, uint64_t stub);
/* The two first words of both stubs, and the address of a probe after them. */
bool sdt_aarch64_is_stub(const uint8_t *code);
uint64_t sdt_aarch64_stub_probe(uint64_t address, const uint8_t *code);

/*
 * The code of an entry, its distances all zero, and where it has what; record and probe are where
 * they are in all entries (<sdt/format.h>).
 */
enum { SDT_AARCH64_ENTRY_ENTER = 4, SDT_AARCH64_ENTRY_RETURN = 16, SDT_AARCH64_ENTRY_JUMP = 20 };
extern const uint8_t sdt_aarch64_entry_code[SDT_ENTRY_SIZE];
/* Whether CODE, SDT_ENTRY_SIZE bytes at ADDRESS, is the entry ENTRY. */
bool sdt_aarch64_is_entry(uint64_t address, const uint8_t *code, const struct sdt_entry *entry);
/* Write ENTRY, which will be at ADDRESS, to CODE. All it names must be in reach. */
void sdt_aarch64_make_entry(uint8_t *code, uint64_t address, const struct sdt_entry *entry);

#endif
