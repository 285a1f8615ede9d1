/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * aarch64, as the tool sees it; inside its folder only, and for the list of machines.
 */
#ifndef SDTLINK_ARCH_AARCH64_H
#define SDTLINK_ARCH_AARCH64_H

#include <arch/tool_arch.h>

/* aarch64.c */
extern const struct tool_arch tool_arch_aarch64;

/* use.c */
const char *aarch64_relocation_name(uint32_t type);
enum arch_verdict aarch64_judge(const struct arch_use *use, struct arch_site *site);
const struct arch_refusal *aarch64_explain(const struct arch_use *use);

/* code.c */
extern const uint8_t aarch64_stub[SDT_STUB_SIZE], aarch64_enabled_stub[SDT_STUB_SIZE];
enum {
    AARCH64_CONSTRUCTOR_SIZE = 32,
    AARCH64_BOUND_CALL_SIZE = 4,
    AARCH64_TAKEN_CALL_SIZE = 8,
    AARCH64_TAKEN_ENABLED_SIZE = 12,
    AARCH64_PLAIN_CIE_SIZE = 24,
    AARCH64_ENTRY_CIE_SIZE = 56
};
extern const uint8_t aarch64_moved_site[SDT_LOADER_SIZE], aarch64_moved_enabled[SDT_LOADER_SIZE];
extern const uint8_t aarch64_taken_call[AARCH64_TAKEN_CALL_SIZE];
extern const uint8_t aarch64_taken_enabled[AARCH64_TAKEN_ENABLED_SIZE];
extern const uint8_t aarch64_constructor[AARCH64_CONSTRUCTOR_SIZE];
extern const uint8_t aarch64_bound_call[AARCH64_BOUND_CALL_SIZE];
uint64_t aarch64_kept_branch(unsigned kind, uint64_t address, const uint8_t *site);

/* sled.c */
bool aarch64_read_sled(enum arch_sled kind, const uint8_t *code, uint64_t size,
                       struct arch_site *site);
void aarch64_fill_sled(unsigned kind, uint8_t *sled);

/* unwind.c */
extern const uint8_t aarch64_plain_cie[AARCH64_PLAIN_CIE_SIZE];
extern const uint8_t aarch64_entry_cie[AARCH64_ENTRY_CIE_SIZE];

/* operand.c */
bool aarch64_is_plain(const char *operand, uint8_t *reg);
size_t aarch64_put_register(char *to, uint8_t reg);
size_t aarch64_put_call_place(char *to, unsigned i, bool is_tail);

#endif
