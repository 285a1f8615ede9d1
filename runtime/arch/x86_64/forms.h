/* SPDX-License-Identifier: BSD-2-Clause */
/* The site forms of x86-64 (../arch.h). */
#ifndef SDT_ARCH_X86_64_FORMS_H
#define SDT_ARCH_X86_64_FORMS_H

#include <arch/form.h>

/* The row of KIND, or NULL if KIND is no kind of this format. */
const struct sdt_form *sdt_x86_64_form(unsigned kind);

/* Whether MM is one of the fourteen values for which `66 0f 1f MM` is one four-byte NOP. */
bool sdt_x86_64_is_mm(uint8_t mm);
/* The MM that the tool writes. */
#define SDT_X86_64_MM 0xc0

/*
 * Classify a use as compiled. FIELD points at the relocated 32-bit field, BEFORE is how many bytes
 * of the section precede it, GOT says that the relocation goes through the GOT (ff 15 / ff 25).
 * Returns the kind, or 0 if the bytes are no call or jump that we know. Prefixes are not checked:
 * the byte before an opcode may as well end the instruction before (docs/design.md, section 4).
 */
unsigned sdt_x86_64_decode(enum sdt_use use, const uint8_t *field, size_t before, bool got);
/* Whether CODE, what follows a function site, is a return: then that is SDT_KIND_FUNCTION_RETURN.
 */
bool sdt_x86_64_is_return(const uint8_t *code);

/*
 * Whether the use is a conditional jump (0f 8x rel32, SDT_JCC_LENGTH bytes). It stays what it is,
 * re-aimed at the site, which the tool makes elsewhere: kind jcc, or enabled-tail for a question.
 */
bool sdt_x86_64_is_conditional(const uint8_t *field, size_t before);
#define SDT_JCC_LENGTH 6

/*
 * What kind of site the NOP of a note can be, CODE at ADDRESS with SIZE bytes to the end of its
 * section, or at least 128: no gap is longer. 0: that is no NOP.
 */
unsigned sdt_x86_64_note_kind(uint64_t address, const uint8_t *code, size_t size);

/* Whether CODE has the bytes of a nop11 site, which it is if nothing can jump to the second NOP. */
bool sdt_x86_64_is_nop11(const uint8_t *code, size_t size);

/*
 * Write the disabled form of KIND, with MM in its NOP, to SITE (form->length bytes). Bytes that
 * hold a kept branch displacement are left as they are. Returns false if KIND is unknown, keeps
 * its instruction (jcc), or MM is not valid.
 */
bool sdt_x86_64_encode_off(unsigned kind, uint8_t mm, uint8_t *site);

/* What SITE (form->length bytes) is doing. For a jcc, SITE is the first byte of its loader. */
enum sdt_state sdt_x86_64_state(unsigned kind, const uint8_t *site);

/* ---- Thunk windows: where a site goes when its patch byte becomes a call or a jump. ---- */

/* Every MM, in the order in which they are tried: 0xc0 to 0xc7 lead downwards, the others up. */
#define SDT_X86_64_MM_COUNT 14
extern const uint8_t sdt_x86_64_mms[SDT_X86_64_MM_COUNT];

/* How far a site's thunk is from its patch byte when the site holds MM. */
int64_t sdt_x86_64_thunk_distance(uint8_t mm);

/* A thunk: a jump to TARGET, to be put at ADDRESS. The caller has checked that it can reach. */
#define SDT_THUNK_SIZE 5
void sdt_x86_64_encode_jump(uint64_t address, uint64_t target, uint8_t thunk[SDT_THUNK_SIZE]);

/* Whether CODE, SDT_ENTRY_SIZE bytes at ADDRESS, is ENTRY (<sdt/format.h>). */
bool sdt_x86_64_is_entry(uint64_t address, const uint8_t code[SDT_ENTRY_SIZE],
                         const struct sdt_entry *entry);
/* Its code, with its distances all zero: they are relocations. */
extern const uint8_t sdt_x86_64_entry_code[SDT_ENTRY_SIZE];
extern const uint8_t sdt_x86_64_direct_entry_code[SDT_ENTRY_SIZE]; /* of freestanding sets */
#define SDT_ENTRY_ENTER 7 /* where it has the displacement of `enter` */

/* Whether a 32-bit displacement at FIELD (the address of its first byte) reaches TARGET. */
bool sdt_x86_64_can_reach(uint64_t field, uint64_t target);

/* The displacement for that; the caller has checked can_reach. */
int32_t sdt_x86_64_displacement(uint64_t field, uint64_t target);

/* The target of the displacement stored at FIELD. BYTES are its four bytes. */
uint64_t sdt_x86_64_target(uint64_t field, const uint8_t *bytes);

#endif
