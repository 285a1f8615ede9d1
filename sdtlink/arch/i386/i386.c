/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The tool's architecture seam for i386. Its sites are x86-64's call sites, byte for byte; what
 * differs is how they are compiled (use.c), and the code that they lead to (code.c).
 *
 * docs/decisions/0070-elf32-is-read-into-elf64.md says what there is, and what is missing.
 */
#include "i386.h"

#include <elf.h>
#include <string.h>

static void encode_off(unsigned kind, uint8_t *site)
{
    const struct sdt_form *form = sdt_x86_64_form(kind);
    if (form->keeps_branch)
        memset(site + form->branch_at, 0, sizeof(int32_t));
    sdt_x86_64_encode_off(kind, SDT_X86_64_MM, site);
}

/* No compiler's calls are sites here, so none is silenced. */
static void silence(unsigned kind, uint8_t *call)
{
    encode_off(kind, call);
}

static struct arch_made companion(unsigned kind, bool is_moved)
{
    (void)kind;
    (void)is_moved;
    return (struct arch_made){0};
}

/* ---- arguments ---- */

/* What has no inline sites has no operands of any. */
static bool is_plain(const char *operand, uint8_t *reg)
{
    (void)operand;
    *reg = ARCH_NO_REGISTER;
    return false;
}

static size_t put_register(char *to, uint8_t reg)
{
    (void)to;
    (void)reg;
    return 0;
}

/* All are on the stack, in words of four bytes (psABI 2.2.3); at a tail call there is the return
 * address below them. */
static size_t put_call_place(char *to, unsigned word, bool is_tail)
{
    static const char base[] = "(%esp)";
    unsigned offset = 4 * (word + is_tail); /* below 1000 */
    size_t length = 0;
    for (unsigned unit = 100; unit; unit /= 10)
        if (offset >= unit || unit == 1)
            to[length++] = (char)('0' + offset / unit % 10);
    memcpy(to + length, base, sizeof base - 1);
    return length + sizeof base - 1;
}

/* ---- entries, of which there are none ---- */

static bool is_entry(uint64_t address, const uint8_t *code, const struct sdt_entry *entry)
{
    (void)address;
    (void)code;
    (void)entry;
    return false;
}

/* ---- the machine ---- */

static const struct arch_refusal other_class = {"a 64-bit ELF file for i386", NULL,
                                                "compile with -m32"};
static const struct arch_refusal no_companion = {
    "there are no companions for i386: nothing would make their sites NOPs",
    NULL,
    "process the object itself: sdtlink -o OUT IN",
};

/* A displacement counts from its end; a distance in code from a label before its field. */
enum {
    BIAS = -4,
    STUB_BIAS = I386_STUB_PROBE - I386_STUB_LABEL,
    LOADER_BIAS = I386_LOADER_PATCH - I386_LOADER_LABEL,
    SITE = 5 /* bytes before the loader of a moved site */
};

/* clang-format off */
const struct tool_arch tool_arch_i386 = {
    .name = "i386",
    .multiarch = "i386-linux-gnu",
    .emulation = "elf_i386",
    .machine = EM_386,
    .word = 4,
    .other_class = &other_class,
    .addend_size = i386_addend_size,

    .relocations = {.none = R_386_NONE,
                    .distance = R_386_PC32,
                    .address = R_386_32,
                    .got = R_386_NONE,
                    .branch_type = R_386_PC32,
                    .bias = BIAS},
    .relocation_name = i386_relocation_name,

    .judge = i386_judge,
    .explain = i386_explain,
    .context = 3,

    .form = sdt_x86_64_form,
    .encode_off = encode_off,
    .silence = silence,
    .state = sdt_x86_64_state,
    .moved_branch_size = 4,
    .as_compiled = SDT_STATE_CALL,
    .companion = companion,
    .companion_moved = &no_companion,
    .companion_got = &no_companion,
    .companion_inline = &no_companion,
    .companion_enabled = &no_companion,

    .code.stub = {i386_stub, sizeof i386_stub, 1,
                  {{I386_STUB_PROBE, ARCH_PLACE_PROBE, STUB_BIAS, R_386_PC32}}},
    .code.enabled_stub = {i386_enabled_stub, sizeof i386_enabled_stub, 1,
                          {{I386_STUB_PROBE, ARCH_PLACE_PROBE, STUB_BIAS, R_386_PC32}}},
    .code.loader = {i386_loader, sizeof i386_loader, 2,
                    {{I386_LOADER_PATCH, ARCH_PLACE_PATCH, LOADER_BIAS, R_386_PC32},
                     {I386_LOADER_JUMP, ARCH_PLACE_STUB, SDT_STUB_AT + BIAS, R_386_PC32}}},
    .code.moved_site = {i386_moved_site, sizeof i386_moved_site, 2,
                        {{SITE + I386_LOADER_PATCH, ARCH_PLACE_PATCH, LOADER_BIAS, R_386_PC32},
                         {SITE + I386_LOADER_JUMP, ARCH_PLACE_STUB, SDT_STUB_AT + BIAS,
                          R_386_PC32}}},
    .code.moved_enabled = {i386_moved_enabled, sizeof i386_moved_enabled, 0, {{0}}},
    .code.taken_call = {i386_taken_call, sizeof i386_taken_call, 0, {{0}}},
    .code.taken_enabled = {i386_taken_enabled, sizeof i386_taken_enabled, 0, {{0}}},
    .constructor = {i386_constructor, sizeof i386_constructor, 3,
                    {{8, ARCH_PLACE_GOT, 3, R_386_GOTPC},
                     {14, ARCH_PLACE_REGISTER, 0, R_386_GOT32},
                     {24, ARCH_PLACE_DSO, 0, R_386_GOTOFF}}},
    .bound_call = {i386_bound_call, sizeof i386_bound_call, 1,
                   {{1, ARCH_PLACE_BOUND, BIAS, R_386_PLT32}}},
    .stub_align = SDT_STUB_SIZE,
    .loader_align = SDT_LOADER_SIZE,
    .entry_align = SDT_ENTRY_SIZE,
    .code_align = 16,
    .plain_cie = {i386_plain_cie, sizeof i386_plain_cie},
    .unwind_type = SHT_PROGBITS,

    .is_stub = i386_is_stub,
    .stub_probe = i386_stub_probe,
    .kept_branch = i386_kept_branch,
    .is_loader = i386_is_loader,
    .is_entry = is_entry,

    .is_plain = is_plain,
    .put_register = put_register,
    .put_call_place = put_call_place,
    .operands = &sdt_x86_64_operands,
};
/* clang-format on */
