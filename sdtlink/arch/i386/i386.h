/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * i386, as the tool sees it; inside its folder only, and for the list of machines.
 */
#ifndef SDTLINK_ARCH_I386_H
#define SDTLINK_ARCH_I386_H

#include <arch/tool_arch.h>

/* i386.c */
extern const struct tool_arch tool_arch_i386;

/* use.c */
const char *i386_relocation_name(uint32_t type);
size_t i386_addend_size(uint32_t type);
enum arch_verdict i386_judge(const struct arch_use *use, struct arch_site *site);
const struct arch_refusal *i386_explain(const struct arch_use *use);

/* code.c */
extern const uint8_t i386_stub[SDT_STUB_SIZE], i386_enabled_stub[SDT_STUB_SIZE];
extern const uint8_t i386_loader[SDT_LOADER_SIZE];
extern const uint8_t i386_moved_site[2 * SDT_LOADER_SIZE], i386_moved_enabled[SDT_LOADER_SIZE];
enum {
    I386_STUB_PROBE = 16,  /* where both stubs have the distance of their probe, … */
    I386_STUB_LABEL = 13,  /* … which is counted from here */
    I386_LOADER_PATCH = 7, /* the same of a loader and its patch byte */
    I386_LOADER_LABEL = 5,
    I386_LOADER_JUMP = 12, /* its displacement */
    I386_TAKEN_CALL_SIZE = 5,
    I386_TAKEN_ENABLED_SIZE = 7,
    I386_CONSTRUCTOR_SIZE = 32,
    I386_BOUND_CALL_SIZE = 8,
    I386_PLAIN_CIE_SIZE = 24
};
extern const uint8_t i386_taken_call[I386_TAKEN_CALL_SIZE];
extern const uint8_t i386_taken_enabled[I386_TAKEN_ENABLED_SIZE];
extern const uint8_t i386_constructor[I386_CONSTRUCTOR_SIZE];
extern const uint8_t i386_bound_call[I386_BOUND_CALL_SIZE];
extern const uint8_t i386_plain_cie[I386_PLAIN_CIE_SIZE];
bool i386_is_stub(const uint8_t *code);
uint64_t i386_stub_probe(uint64_t address, const uint8_t *code);
uint64_t i386_kept_branch(unsigned kind, uint64_t address, const uint8_t *site);
bool i386_is_loader(uint64_t address, const uint8_t *code, uint64_t patch, uint64_t stub);

#endif
