/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The tool's architecture seam for aarch64. Its site forms are the runtime's, in arch/arch.h; here
 * are the choices that only the tool makes: relocations, and the code that surrounds the sites.
 */
#include "aarch64.h"

#include <elf.h>

/* Start-up makes a `nop` of a `bl`. The other sites are moved as always. */
static struct arch_made companion(unsigned kind, bool is_moved)
{
    return (struct arch_made){kind == SDT_KIND_INLINE ? 0 : (uint8_t)kind, is_moved};
}

static unsigned note_kind(uint64_t offset, const uint8_t *code, uint64_t size)
{
    enum { WORD = 4 };
    bool is_nop = offset % WORD == 0 && size >= WORD && sdt_aarch64_word(code) == SDT_AARCH64_NOP;
    return is_nop ? SDT_KIND_NOP1 : 0;
}

static const struct arch_refusal other_class = {"a 32-bit ELF file (ILP32)", NULL,
                                                "compile with -mabi=lp64"};
static const struct arch_refusal companion_inline = {
    "a companion cannot patch an inline probe: until start-up its call would be executed, where "
    "the compiler expects no register to change",
    "a call that the compiler made",
    "compile with -DSDT_CALL_SITES, or process the object itself: sdtlink -o OUT IN",
};
static const struct arch_refusal companion_enabled = {
    "a companion cannot patch an inline SDT_PROBE_ENABLED: until start-up its call would be "
    "executed, where the compiler expects no register except x0 and x30 to change",
    "a call that the compiler made",
    "compile with -DSDT_CALL_SITES, or process the object itself: sdtlink -o OUT IN",
};

/* clang-format off */
const struct tool_arch tool_arch_aarch64 = {
    .name = "aarch64",
    .multiarch = "aarch64-linux-gnu",
    .emulation = "aarch64linux",
    .machine = EM_AARCH64,
    .word = 8,
    .other_class = &other_class,

    .relocations = {.none = R_AARCH64_NONE,
                    .distance = R_AARCH64_PREL32,
                    .address = R_AARCH64_ABS64,
                    .got = R_AARCH64_NONE,
                    .has_veneers = true,
                    .bias = 0},
    .relocation_name = aarch64_relocation_name,

    .judge = aarch64_judge,
    .explain = aarch64_explain,
    .context = 0,

    .form = sdt_aarch64_form,
    .encode_off = sdt_aarch64_encode_off,
    .silence = sdt_aarch64_encode_off,
    .state = sdt_aarch64_state,
    .moved_branch_size = 4,
    .as_compiled = SDT_STATE_ON, /* a `bl` to the stub is what arming writes */
    .companion = companion,
    .companion_branch = sdt_aarch64_companion_branch,
    .companion_branch_size = SDT_AARCH64_COMPANION_BRANCH,
    .companion_inline = &companion_inline,
    .companion_enabled = &companion_enabled,
    .function_frame = "sp",
    .read_sled = aarch64_read_sled,
    .fill_sled = aarch64_fill_sled,
    .note_kind = note_kind,
    .same_nop1 = "another note names the same NOP",
    .not_nop1 = "the instruction there is not a NOP and cannot be replaced",

    .code.stub = {aarch64_stub, sizeof aarch64_stub, 2,
                  {{8, ARCH_PLACE_PROBE, 0, R_AARCH64_ADR_PREL_PG_HI21},
                   {12, ARCH_PLACE_PROBE, 0, R_AARCH64_ADD_ABS_LO12_NC}}},
    .code.enabled_stub = {aarch64_enabled_stub, sizeof aarch64_enabled_stub, 2,
                          {{8, ARCH_PLACE_PROBE, 0, R_AARCH64_ADR_PREL_PG_HI21},
                           {12, ARCH_PLACE_PROBE, 0, R_AARCH64_ADD_ABS_LO12_NC}}},
    /* All loaders begin with the site; after it they are this. */
    .code.loader = {aarch64_moved_site + 4, SDT_AARCH64_LOADER_TAIL, 1,
                    {{4, ARCH_PLACE_STUB, SDT_STUB_AT, R_AARCH64_JUMP26}}},
    .code.moved_site = {aarch64_moved_site, sizeof aarch64_moved_site, 1,
                        {{8, ARCH_PLACE_STUB, SDT_STUB_AT, R_AARCH64_JUMP26}}},
    .code.moved_enabled = {aarch64_moved_enabled, sizeof aarch64_moved_enabled, 0, {{0}}},
    .code.entry = {sdt_aarch64_entry_code, SDT_ENTRY_SIZE, 4,
                   {{4, ARCH_PLACE_PROBE, 0, R_AARCH64_ADR_PREL_PG_HI21},
                    {8, ARCH_PLACE_PROBE, 0, R_AARCH64_LDST64_ABS_LO12_NC},
                    {SDT_AARCH64_ENTRY_JUMP, ARCH_PLACE_RETURN, 0, R_AARCH64_JUMP26},
                    {SDT_ENTRY_PROBE, ARCH_PLACE_PROBE, 0, R_AARCH64_PREL32}}},
    .entry_record = {SDT_ENTRY_RECORD, ARCH_PLACE_RECORD, 0, R_AARCH64_PREL32},
    .code.taken_call = {aarch64_taken_call, sizeof aarch64_taken_call, 0, {{0}}},
    .code.taken_enabled = {aarch64_taken_enabled, sizeof aarch64_taken_enabled, 0, {{0}}},
    .constructor = {aarch64_constructor, sizeof aarch64_constructor, 4,
                    {{4, ARCH_PLACE_REGISTER, 0, R_AARCH64_ADR_GOT_PAGE},
                     {8, ARCH_PLACE_REGISTER, 0, R_AARCH64_LD64_GOT_LO12_NC},
                     {16, ARCH_PLACE_DSO, 0, R_AARCH64_ADR_PREL_PG_HI21},
                     {20, ARCH_PLACE_DSO, 0, R_AARCH64_ADD_ABS_LO12_NC}}},
    .bound_call = {aarch64_bound_call, sizeof aarch64_bound_call, 1,
                   {{0, ARCH_PLACE_BOUND, 0, R_AARCH64_CALL26}}},
    .stub_align = 32,
    .loader_align = 16,
    .entry_align = SDT_ENTRY_SIZE,
    .code_align = 16,
    .is_own_code_near = true,
    .plain_cie = {aarch64_plain_cie, sizeof aarch64_plain_cie},
    .entry_cie = {aarch64_entry_cie, sizeof aarch64_entry_cie},
    .unwind_type = SHT_PROGBITS,

    .is_stub = sdt_aarch64_is_stub,
    .stub_probe = sdt_aarch64_stub_probe,
    .kept_branch = aarch64_kept_branch,
    .is_loader = sdt_aarch64_is_loader,
    .is_entry = sdt_aarch64_is_entry,

    .is_plain = aarch64_is_plain,
    .put_register = aarch64_put_register,
    .put_call_place = aarch64_put_call_place,
    .operands = &sdt_aarch64_operands,
};
/* clang-format on */
