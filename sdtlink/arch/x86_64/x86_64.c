/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The tool's architecture seam for x86-64. Its site forms are the runtime's, in arch/arch.h; here
 * are the choices that only the tool makes: relocations, and the code that surrounds the sites.
 */
#include "x86_64.h"

#include <elf.h>
#include <string.h>

/* The displacement may come from a relocation, and after it may be the rest of a longer opcode. */
static void encode_off(unsigned kind, uint8_t *site)
{
    const struct sdt_form *form = sdt_x86_64_form(kind);
    if (form->keeps_branch)
        memset(site + form->branch_at, 0, sizeof(int32_t));
    sdt_x86_64_encode_off(kind, SDT_X86_64_MM, site);
}

static void silence(unsigned kind, uint8_t *call)
{
    static const uint8_t nop[] = {0x66, 0x0f, 0x1f, 0x44, 0, 0}; /* without the 66, of five bytes */
    if (kind == SDT_KIND_CALL || kind == SDT_KIND_FUNCTION)
        memcpy(call, nop + 1, sizeof nop - 1);
    else if (kind == SDT_KIND_CALL6 || kind == SDT_KIND_FUNCTION6)
        memcpy(call, nop, sizeof nop);
    else
        encode_off(kind, call); /* a return */
}

/* Five bytes: what goes through the GOT has six, and linkers make other instructions of it. */
static struct arch_made companion(unsigned kind, bool is_moved)
{
    bool can_be = !is_moved && sdt_x86_64_form(kind)->length == 5 && !kind_has_entry(kind);
    return (struct arch_made){can_be ? (uint8_t)kind : 0, false};
}

/* A displacement counts from its end, where the instruction ends. */
enum { BIAS = -4 };

/* ---- Refusals, by the name of the member. ---- */

static const struct arch_refusal other_class = {"a 32-bit ELF file (x32)", NULL,
                                                "compile with -m64"};
static const struct arch_refusal companion_moved = {
    "a companion cannot patch a conditional tail call: its branch would need another target",
    "a direct call or jump: e8 or e9",
    "compile with -fno-optimize-sibling-calls, or process the object itself: sdtlink -o OUT IN",
};
static const struct arch_refusal companion_got = {
    "a companion cannot patch a call through the GOT: the final linker chooses its encoding",
    "a direct call or jump: e8 or e9",
    "compile without -fno-plt, or process the object itself: sdtlink -o OUT IN",
};
static const struct arch_refusal companion_inline = {
    "a companion cannot patch an inline probe: until start-up its call would be executed, where "
    "the compiler expects no register to change",
    "a call: e8",
    "compile with -DSDT_CALL_SITES, or process the object itself: sdtlink -o OUT IN",
};
static const struct arch_refusal companion_enabled = {
    "a companion cannot patch an inline SDT_PROBE_ENABLED: until start-up its call would be "
    "executed, where the compiler expects no register except rax to change",
    "a call that the compiler made",
    "compile with -DSDT_CALL_SITES, or process the object itself: sdtlink -o OUT IN",
};

/* clang-format off */
const struct tool_arch tool_arch_x86_64 = {
    .name = "x86-64",
    .multiarch = "x86_64-linux-gnu",
    .emulation = "elf_x86_64",
    .machine = EM_X86_64,
    .word = 8,
    .other_class = &other_class,

    .relocations = {.none = R_X86_64_NONE,
                    .distance = R_X86_64_PC32,
                    .address = R_X86_64_64,
                    .got = R_X86_64_GOTPCREL,
                    .branch_type = R_X86_64_PC32,
                    .bias = BIAS},
    .relocation_name = x86_64_relocation_name,

    .judge = x86_64_judge,
    .explain = x86_64_explain,
    .context = 3,

    .form = sdt_x86_64_form,
    .encode_off = encode_off,
    .silence = silence,
    .state = sdt_x86_64_state,
    .moved_branch_size = 4,
    .as_compiled = SDT_STATE_CALL,
    .companion = companion,
    .has_text_companions = true,
    .function_frame = "%rsp",
    .function_options = "-p -mfentry -minstrument-return=call",
    .read_sled = x86_64_read_sled,
    .fill_sled = x86_64_fill_sled,
    .companion_moved = &companion_moved,
    .companion_got = &companion_got,
    .companion_inline = &companion_inline,
    .companion_enabled = &companion_enabled,
    .freestanding = x86_64_made_freestanding,
    .freestanding_got = &x86_64_freestanding_got,
    .note_kind = sdt_x86_64_note_kind,
    .is_nop11 = sdt_x86_64_is_nop11,
    .same_nop1 = "another note names the same NOP",
    .not_nop1 = "the instruction there is not a one-byte NOP and cannot be replaced",

    .code.stub = {x86_64_stub, sizeof x86_64_stub, 1,
                  {{X86_64_STUB_PROBE, ARCH_PLACE_PROBE, BIAS, R_X86_64_PC32}}},
    .code.enabled_stub = {x86_64_enabled_stub, sizeof x86_64_enabled_stub, 1,
                          {{X86_64_STUB_PROBE, ARCH_PLACE_PROBE, BIAS, R_X86_64_PC32}}},
    .code.loader = {x86_64_loader, sizeof x86_64_loader, 2,
                    {{3, ARCH_PLACE_PATCH, BIAS, R_X86_64_PC32},
                     {8, ARCH_PLACE_STUB, SDT_STUB_AT + BIAS, R_X86_64_PC32}}},
    .code.moved_site = {x86_64_moved_site, sizeof x86_64_moved_site, 2,
                        {{5 + 3, ARCH_PLACE_PATCH, BIAS, R_X86_64_PC32},
                         {5 + 8, ARCH_PLACE_STUB, SDT_STUB_AT + BIAS, R_X86_64_PC32}}},
    .code.moved_enabled = {x86_64_moved_enabled, sizeof x86_64_moved_enabled, 0, {{0}}},
    .code.entry = {sdt_x86_64_entry_code, SDT_ENTRY_SIZE, 3,
                   {{SDT_ENTRY_ENTER, ARCH_PLACE_PROBE, BIAS, R_X86_64_PC32},
                    {SDT_ENTRY_JUMP, ARCH_PLACE_RETURN, BIAS, R_X86_64_PC32},
                    {SDT_ENTRY_PROBE, ARCH_PLACE_PROBE, 0, R_X86_64_PC32}}},
    .freestanding_code = &x86_64_freestanding,
    .entry_lowered = {X86_64_ENTRY_MOVED, X86_64_ENTRY_BACK, X86_64_RED_ZONE},
    .entry_record = {SDT_ENTRY_RECORD, ARCH_PLACE_RECORD, 0, R_X86_64_PC32},
    .code.taken_call = {x86_64_taken_call, sizeof x86_64_taken_call, 0, {{0}}},
    .code.taken_enabled = {x86_64_taken_enabled, sizeof x86_64_taken_enabled, 0, {{0}}},
    .constructor = {x86_64_constructor, sizeof x86_64_constructor, 2,
                    {{3, ARCH_PLACE_REGISTER, BIAS, R_X86_64_REX_GOTPCRELX},
                     {15, ARCH_PLACE_DSO, BIAS, R_X86_64_PC32}}},
    .bound_call = {x86_64_bound_call, sizeof x86_64_bound_call, 1,
                   {{1, ARCH_PLACE_BOUND, BIAS, R_X86_64_PLT32}}},
    .stub_align = 32,
    .loader_align = 16,
    .entry_align = SDT_ENTRY_SIZE,
    .code_align = 16,
    .plain_cie = {x86_64_plain_cie, sizeof x86_64_plain_cie},
    .entry_cie = {x86_64_entry_cie, sizeof x86_64_entry_cie},
    .unwind_type = SHT_X86_64_UNWIND,

    .is_stub = x86_64_is_stub,
    .stub_probe = x86_64_stub_probe,
    .kept_branch = x86_64_kept_branch,
    .is_loader = x86_64_is_loader,
    .is_entry = sdt_x86_64_is_entry,

    .is_plain = x86_64_is_plain,
    .put_register = x86_64_put_register,
    .put_call_place = x86_64_put_call_place,
    .put_function_place = x86_64_put_function_place,
    .operands = &sdt_x86_64_operands,
};
/* clang-format on */
