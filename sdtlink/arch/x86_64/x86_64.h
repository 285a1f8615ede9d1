/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * x86-64, as the tool sees it; inside its folder only, and for the list of machines.
 */
#ifndef SDTLINK_ARCH_X86_64_H
#define SDTLINK_ARCH_X86_64_H

#include <arch/tool_arch.h>

/* x86_64.c */
extern const struct tool_arch tool_arch_x86_64;

/* use.c */
const char *x86_64_relocation_name(uint32_t type);
enum arch_verdict x86_64_judge(const struct arch_use *use, struct arch_site *site);
const struct arch_refusal *x86_64_explain(const struct arch_use *use);

/* code.c */
extern const uint8_t x86_64_stub[SDT_STUB_SIZE], x86_64_enabled_stub[SDT_STUB_SIZE];
extern const uint8_t x86_64_loader[SDT_LOADER_SIZE];
extern const uint8_t x86_64_moved_site[2 * SDT_LOADER_SIZE], x86_64_moved_enabled[SDT_LOADER_SIZE];
enum {
    X86_64_STUB_PROBE = 11, /* where both stubs have the displacement of their probe */
    X86_64_TAKEN_CALL_SIZE = 5,
    X86_64_TAKEN_ENABLED_SIZE = 7,
    X86_64_CONSTRUCTOR_SIZE = 24,
    X86_64_BOUND_CALL_SIZE = 8,
    X86_64_PLAIN_CIE_SIZE = 24,
    X86_64_ENTRY_CIE_SIZE = 72
};
extern const uint8_t x86_64_taken_call[X86_64_TAKEN_CALL_SIZE];
extern const uint8_t x86_64_taken_enabled[X86_64_TAKEN_ENABLED_SIZE];
extern const uint8_t x86_64_constructor[X86_64_CONSTRUCTOR_SIZE];
extern const uint8_t x86_64_bound_call[X86_64_BOUND_CALL_SIZE];
bool x86_64_is_stub(const uint8_t *code);
uint64_t x86_64_stub_probe(uint64_t address, const uint8_t *code);
uint64_t x86_64_kept_branch(unsigned kind, uint64_t address, const uint8_t *site);
bool x86_64_is_loader(uint64_t address, const uint8_t *code, uint64_t patch, uint64_t stub);

/* freestanding.c */
extern const struct arch_pieces x86_64_freestanding;
extern const struct arch_refusal x86_64_freestanding_got;
struct arch_made x86_64_made_freestanding(unsigned kind);

/* sled.c */
bool x86_64_read_sled(enum arch_sled kind, const uint8_t *code, uint64_t size,
                      struct arch_site *site);
void x86_64_fill_sled(unsigned kind, uint8_t *sled);

/* unwind.c */
/* Where all entries begin and end to have the red zone above the stack pointer. */
enum { X86_64_ENTRY_MOVED = 5, X86_64_ENTRY_BACK = 19, X86_64_RED_ZONE = 128 };
extern const uint8_t x86_64_plain_cie[X86_64_PLAIN_CIE_SIZE];
extern const uint8_t x86_64_entry_cie[X86_64_ENTRY_CIE_SIZE];

/* operand.c */
enum { X86_64_REGISTER_SIZE = 5 }; /* the room that x86_64_put_register() takes */
bool x86_64_is_plain(const char *operand, uint8_t *reg);
size_t x86_64_put_register(char *to, uint8_t reg);
size_t x86_64_put_call_place(char *to, unsigned i, bool is_tail);
bool x86_64_put_function_place(char to[ARCH_PLACE_SIZE], char kind, unsigned n);

#endif
