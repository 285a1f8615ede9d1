/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * riscv64, as the tool sees it; inside its folder only, and for the list of machines.
 */
#ifndef SDTLINK_ARCH_RISCV64_H
#define SDTLINK_ARCH_RISCV64_H

#include <arch/tool_arch.h>

/* riscv64.c */
extern const struct tool_arch tool_arch_riscv64;

/* use.c */
const char *riscv64_relocation_name(uint32_t type);
enum arch_verdict riscv64_judge(const struct arch_use *use, struct arch_site *site);
const struct arch_refusal *riscv64_explain(const struct arch_use *use);

/* code.c */
extern const uint8_t riscv64_stub[SDT_STUB_SIZE], riscv64_enabled_stub[SDT_STUB_SIZE];
enum {
    RISCV64_CONSTRUCTOR_SIZE = 32,
    RISCV64_BOUND_CALL_SIZE = 8,
    RISCV64_MOVED_ENABLED_SIZE = 8,
    RISCV64_TAKEN_SIZE = 4,
    RISCV64_PLAIN_CIE_SIZE = 24,
    RISCV64_ENTRY_CIE_SIZE = 64
};
extern const uint8_t riscv64_moved_enabled[RISCV64_MOVED_ENABLED_SIZE];
extern const uint8_t riscv64_taken_call[RISCV64_TAKEN_SIZE];
extern const uint8_t riscv64_taken_enabled[RISCV64_TAKEN_SIZE];
extern const uint8_t riscv64_constructor[RISCV64_CONSTRUCTOR_SIZE];
extern const uint8_t riscv64_bound_call[RISCV64_BOUND_CALL_SIZE];
uint64_t riscv64_kept_branch(unsigned kind, uint64_t address, const uint8_t *site);

/* unwind.c */
extern const uint8_t riscv64_plain_cie[RISCV64_PLAIN_CIE_SIZE];
extern const uint8_t riscv64_entry_cie[RISCV64_ENTRY_CIE_SIZE];

/* operand.c */
bool riscv64_is_plain(const char *operand, uint8_t *reg);
size_t riscv64_put_register(char *to, uint8_t reg);
size_t riscv64_put_call_place(char *to, unsigned i, bool is_tail);

#endif
