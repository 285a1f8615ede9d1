/* SPDX-License-Identifier: BSD-2-Clause */
/* What verify knows about riscv64. riscv64.c puts together what the others have. */
#ifndef SDT_VERIFY_RISCV64_H
#define SDT_VERIFY_RISCV64_H

#include "../arch.h"

#include <sdt/format.h>

extern const struct arch riscv64;

/* riscv64_code.c: the code of sites, and what the tool adds. */
enum { RISCV64_FORMS = SDT_KIND_NOP1 + 1 };
extern const struct form riscv64_forms[RISCV64_FORMS];
extern const struct form riscv64_companion_call, riscv64_companion_tail;
extern const struct step riscv64_stub[], riscv64_answer[], riscv64_loader[], riscv64_entry[],
    riscv64_note_entry[];
bool riscv64_is_step(const struct step *step, const struct insn *insn);

/* riscv64_insn.c: instructions as LLVM prints them. */
void riscv64_tidy(struct insn *insn);
bool riscv64_has(const struct insn *insn, enum property property);

/* riscv64_address.c: what `auipc` and the next instruction compute together. */
bool riscv64_reach(const struct image *image, struct place place, uint64_t *target);
bool riscv64_begins_branch(const struct image *image, struct place place);

/* riscv64_search.c: parcels of linked files that may be branches. */
bool riscv64_next_suspect(const struct section *section, uint64_t low, uint64_t high,
                          struct suspect *found);
bool riscv64_is_branch(const struct image *image, struct place field, unsigned *before);
bool riscv64_is_jump(const struct section *section, uint64_t field);
uint64_t riscv64_next_disabled(const struct section *section, uint64_t offset);

/* riscv64_operand.c: arguments. */
bool riscv64_parse_operand(const char *text, size_t length, struct operand *operand);

#endif
