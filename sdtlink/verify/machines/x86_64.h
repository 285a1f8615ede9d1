/* SPDX-License-Identifier: BSD-2-Clause */
/* What verify knows about x86-64. x86_64.c puts together what the others have. */
#ifndef SDT_VERIFY_X86_64_H
#define SDT_VERIFY_X86_64_H

#include "../arch.h"

#include <sdt/format.h>

extern const struct arch x86_64;

/* x86_64_code.c: the code of sites, and what the tool adds. */
enum {
    X86_64_FORMS = SDT_KIND_FUNCTION_RETURN + 1,
    X86_64_FREESTANDING_FORMS = SDT_KIND_DIRECT_ENABLED_TAIL + 1
};
extern const struct form x86_64_forms[X86_64_FORMS];
extern const struct form x86_64_companion_call, x86_64_companion_tail;
extern const struct step x86_64_stub[], x86_64_answer[], x86_64_loader[], x86_64_entry[];
/* x86_64_freestanding.c: the same in freestanding sets. */
extern const struct form x86_64_freestanding_forms[X86_64_FREESTANDING_FORMS];
const struct arch *x86_64_freestanding(void);

bool x86_64_is_step(const struct step *step, const struct insn *insn);
bool x86_64_is_harmless_prefix(uint8_t byte, unsigned kind);

/* x86_64_insn.c: instructions as LLVM prints them. */
void x86_64_tidy(struct insn *insn);
bool x86_64_has(const struct insn *insn, enum property property);
/* Whether the mnemonic of INSN is MNEMONIC (segment prefixes shown before it are ignored). */
bool x86_64_is_mnemonic(const struct insn *insn, const char *mnemonic);

/* x86_64_search.c: bytes of linked files that may be branches. */
bool x86_64_next_suspect(const struct section *section, uint64_t low, uint64_t high,
                         struct suspect *found);
bool x86_64_is_branch(const struct image *image, struct place field, unsigned *before);
bool x86_64_is_jump(const struct section *section, uint64_t field);
bool x86_64_is_filler(const uint8_t *bytes, uint64_t count);
uint64_t x86_64_next_disabled(const struct section *section, uint64_t offset);

/* x86_64_operand.c: arguments. */
bool x86_64_parse_operand(const char *text, size_t length, struct operand *operand);

#endif
