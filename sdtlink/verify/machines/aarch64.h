/* SPDX-License-Identifier: BSD-2-Clause */
/* What verify knows about aarch64. aarch64.c puts together what the others have. */
#ifndef SDT_VERIFY_AARCH64_H
#define SDT_VERIFY_AARCH64_H

#include "../arch.h"

#include <sdt/format.h>

extern const struct arch aarch64;

/* aarch64_code.c: the code of sites, and what the tool adds. */
enum { AARCH64_FORMS = SDT_KIND_NOP1 + 1 };
extern const struct form aarch64_forms[AARCH64_FORMS];
extern const struct form aarch64_companion_call;
extern const struct step aarch64_stub[], aarch64_answer[], aarch64_loader[], aarch64_entry[];
bool aarch64_is_step(const struct step *step, const struct insn *insn);
bool aarch64_is_kept(const struct insn *insn, unsigned kind);
bool aarch64_can_be_moved(const struct record *record);

/* aarch64_insn.c: instructions as LLVM prints them. */
void aarch64_tidy(struct insn *insn);
bool aarch64_has(const struct insn *insn, enum property property);

/* aarch64_address.c: what instructions compute together. */
bool aarch64_reach(const struct image *image, struct place place, uint64_t *target);
bool aarch64_word_of(const struct image *image, struct place place, const struct insn *insn,
                     uint64_t *address);

/* aarch64_search.c: words of linked files that may be branches. */
bool aarch64_next_suspect(const struct section *section, uint64_t low, uint64_t high,
                          struct suspect *found);
bool aarch64_is_branch(const struct image *image, struct place field, unsigned *before);
bool aarch64_is_jump(const struct section *section, uint64_t field);
bool aarch64_is_filler(const uint8_t *bytes, uint64_t count);
uint64_t aarch64_next_disabled(const struct section *section, uint64_t offset);

/* aarch64_veneer.c: veneers. */
bool aarch64_next_veneer(const struct image *image, struct veneer *at);
bool aarch64_next_pad(const struct image *image, struct veneer *at);

/* aarch64_operand.c: arguments. */
bool aarch64_parse_operand(const char *text, size_t length, struct operand *operand);

#endif
