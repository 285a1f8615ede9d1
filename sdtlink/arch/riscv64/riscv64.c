/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The tool's architecture seam for riscv64. Its site forms are the runtime's, in arch/arch.h; here
 * are the choices that only the tool makes: relocations, and the code that surrounds the sites.
 */
#include "riscv64.h"

#include <elf.h>
#include <string.h>

static void silence(unsigned kind, uint8_t *call)
{
    static const uint8_t nops[] = {0x13, 0, 0, 0, 0x13, 0, 0, 0}; /* nop; nop */
    static const uint8_t ret[] = {0x82, 0x80, 1, 0, 1, 0, 1, 0};  /* c.jr ra; c.nop … */
    memcpy(call, kind == SDT_KIND_TAIL ? ret : nops, sizeof nops);
}

/* Start-up disarms what is a site already. The others are moved: tail calls need a loader,
 * questions an answer that returns, whatever they are compiled as. */
static struct arch_made companion(unsigned kind, bool is_moved)
{
    (void)is_moved; /* no branch is conditional */
    if (kind == SDT_KIND_ENABLED)
        kind = SDT_KIND_ENABLED_TAIL;
    return (struct arch_made){kind == SDT_KIND_INLINE ? 0 : (uint8_t)kind, kind != SDT_KIND_CALL};
}

/* One of two bytes: its breakpoint has two as well. */
static unsigned note_kind(uint64_t offset, const uint8_t *code, uint64_t size)
{
    bool is_nop = offset % 2 == 0 && size >= 2 && sdt_riscv64_parcel(code) == SDT_RISCV64_NOP2;
    return is_nop ? SDT_KIND_NOP1 : 0;
}

static const struct arch_refusal other_class = {"a 32-bit ELF file (RV32)", NULL,
                                                "compile with -march=rv64gc -mabi=lp64d"};
static const struct arch_refusal companion_inline = {
    "a companion cannot patch an inline probe: until start-up its call would be executed, where "
    "the compiler expects no register to change",
    "a call that the compiler made",
    "compile with -DSDT_CALL_SITES, or process the object itself: sdtlink -o OUT IN",
};
static const struct arch_refusal companion_enabled = {
    "a companion cannot patch an inline SDT_PROBE_ENABLED: until start-up its call would be "
    "executed, where the compiler expects no register except a0 and ra to change",
    "a call that the compiler made",
    "compile with -DSDT_CALL_SITES, or process the object itself: sdtlink -o OUT IN",
};
static const struct arch_refusal companion_relaxed = {
    "linkers may shorten this section (R_RISCV_RELAX, R_RISCV_ALIGN); then the companion's offsets "
    "would be wrong, and the call too short for a site",
    NULL,
    "compile with -mno-relax, or process the object itself: sdtlink -o OUT IN",
};

enum { MOVED_LOADER = SDT_RISCV64_MOVED_LOADER };

/* clang-format off */
const struct tool_arch tool_arch_riscv64 = {
    .name = "riscv64",
    .multiarch = "riscv64-linux-gnu",
    .emulation = "elf64lriscv",
    .machine = EM_RISCV,
    .flags = EF_RISCV_RVC | EF_RISCV_FLOAT_ABI_DOUBLE, /* linkers compare the latter */
    .word = 8,
    .other_class = &other_class,

    .relocations = {.none = R_RISCV_NONE,
                    .distance = R_RISCV_32_PCREL,
                    .difference = R_RISCV_ADD32,
                    .subtracted = R_RISCV_SUB32,
                    .relax = R_RISCV_RELAX,
                    .align = R_RISCV_ALIGN,
                    .address = R_RISCV_64,
                    .got = R_RISCV_NONE,
                    .branch_type = R_RISCV_CALL_PLT,
                    .bias = 0},
    .relocation_name = riscv64_relocation_name,

    .judge = riscv64_judge,
    .explain = riscv64_explain,
    .context = 0,

    .form = sdt_riscv64_form,
    .encode_off = sdt_riscv64_encode_off,
    .silence = silence,
    .state = sdt_riscv64_state,
    .as_compiled = SDT_STATE_ON, /* a call of the stub is what arming writes */
    .moved_branch_size = 8,
    .companion = companion,
    .companion_branch = sdt_riscv64_companion_branch,
    .companion_branch_size = SDT_RISCV64_COMPANION_BRANCH,
    .companion_inline = &companion_inline,
    .companion_enabled = &companion_enabled,
    .companion_relaxed = &companion_relaxed,
    .note_kind = note_kind,
    .same_nop1 = "another note names the same NOP",
    .not_nop1 = "the instruction there is not a NOP of two bytes (c.nop) and cannot be replaced",

    .code.stub = {riscv64_stub, sizeof riscv64_stub, 1,
                  {{SDT_RISCV64_STUB_PROBE, ARCH_PLACE_PROBE, 20, R_RISCV_32_PCREL}}},
    .code.enabled_stub = {riscv64_enabled_stub, sizeof riscv64_enabled_stub, 1,
                          {{SDT_RISCV64_STUB_PROBE, ARCH_PLACE_PROBE, 20, R_RISCV_32_PCREL}}},
    .code.loader = {sdt_riscv64_moved_code + MOVED_LOADER, SDT_RISCV64_LOADER_SIZE, 2,
                    {{SDT_RISCV64_LOADER_JUMP, ARCH_PLACE_STUB, SDT_STUB_AT, R_RISCV_CALL_PLT},
                     {SDT_RISCV64_LOADER_PATCH, ARCH_PLACE_PATCH, SDT_RISCV64_LOADER_PATCH,
                      R_RISCV_32_PCREL}}},
    /* Sites are moved by companions only; there are no conditional ones. */
    .code.moved_site = {sdt_riscv64_moved_code, sizeof sdt_riscv64_moved_code, 2,
                        {{MOVED_LOADER + SDT_RISCV64_LOADER_JUMP, ARCH_PLACE_STUB, SDT_STUB_AT,
                          R_RISCV_CALL_PLT},
                         {MOVED_LOADER + SDT_RISCV64_LOADER_PATCH, ARCH_PLACE_PATCH,
                          SDT_RISCV64_LOADER_PATCH, R_RISCV_32_PCREL}}},
    .code.moved_enabled = {riscv64_moved_enabled, sizeof riscv64_moved_enabled, 0, {{0}}},
    .code.entry = {sdt_riscv64_entry_code, SDT_ENTRY_SIZE, 4,
                   {{0, ARCH_PLACE_PROBE, 0, R_RISCV_PCREL_HI20},
                    {4, ARCH_PLACE_ITSELF, 0, R_RISCV_PCREL_LO12_I},
                    {SDT_RISCV64_ENTRY_RETURN, ARCH_PLACE_RETURN, 0, R_RISCV_CALL_PLT},
                    {SDT_ENTRY_PROBE, ARCH_PLACE_PROBE, 0, R_RISCV_32_PCREL}}},
    .code.note_entry = {sdt_riscv64_note_entry_code, SDT_ENTRY_SIZE, 4,
                        {{SDT_RISCV64_NOTE_ENTRY_ENTER, ARCH_PLACE_PROBE, 0, R_RISCV_PCREL_HI20},
                         {SDT_RISCV64_NOTE_ENTRY_ENTER + 4, ARCH_PLACE_ITSELF,
                          SDT_RISCV64_NOTE_ENTRY_ENTER, R_RISCV_PCREL_LO12_I},
                         {SDT_RISCV64_NOTE_ENTRY_AFTER, ARCH_PLACE_RETURN, 0, R_RISCV_32_PCREL},
                         {SDT_ENTRY_PROBE, ARCH_PLACE_PROBE, 0, R_RISCV_32_PCREL}}},
    .entry_record = {SDT_ENTRY_RECORD, ARCH_PLACE_RECORD, 0, R_RISCV_32_PCREL},
    .code.taken_call = {riscv64_taken_call, sizeof riscv64_taken_call, 0, {{0}}},
    .code.taken_enabled = {riscv64_taken_enabled, sizeof riscv64_taken_enabled, 0, {{0}}},
    .constructor = {riscv64_constructor, sizeof riscv64_constructor, 3,
                    {{0, ARCH_PLACE_REGISTER, 0, R_RISCV_GOT_HI20},
                     {4, ARCH_PLACE_ITSELF, 0, R_RISCV_PCREL_LO12_I},
                     {28, ARCH_PLACE_DSO, 16, R_RISCV_32_PCREL}}},
    .bound_call = {riscv64_bound_call, sizeof riscv64_bound_call, 1,
                   {{0, ARCH_PLACE_BOUND, 0, R_RISCV_CALL_PLT}}},
    .stub_align = 32,
    .loader_align = 8,
    .entry_align = SDT_ENTRY_SIZE,
    .code_align = 16,
    .plain_cie = {riscv64_plain_cie, sizeof riscv64_plain_cie},
    .entry_cie = {riscv64_entry_cie, sizeof riscv64_entry_cie},
    .unwind_type = SHT_PROGBITS,

    .is_stub = sdt_riscv64_is_stub,
    .stub_probe = sdt_riscv64_stub_probe,
    .kept_branch = riscv64_kept_branch,
    .is_loader = sdt_riscv64_is_loader,
    .is_entry = sdt_riscv64_is_entry,

    .is_plain = riscv64_is_plain,
    .put_register = riscv64_put_register,
    .put_call_place = riscv64_put_call_place,
    .operands = &sdt_riscv64_operands,
};
/* clang-format on */
