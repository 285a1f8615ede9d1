/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Judging one use of a probe's symbol on x86-64. What compilers make of a call (measured with gcc
 * 12 and clang 14 to 22):
 *
 *   e8 rel32, e9 rel32   R_X86_64_PLT32 (PC32 from old assemblers), addend -4    a site
 *   0f 8x rel32          the same; clang -Os: a conditional tail call            a site, moved
 *   ff 15, ff 25 disp32  GOTPCREL, GOTPCRELX: -fno-plt                           a site
 *   mov sym@GOTPCREL     REX_GOTPCRELX: one load for several calls (hoisted)     refused
 *   mov $sym,%reg; call  R_X86_64_32: -mforce-indirect-call                      refused
 *   movabs $sym,%reg     R_X86_64_64, PLTOFF64, GOT64: -mcmodel=large            refused
 *   sub $sym-.,%ecx      PC32 after 81 e9: arithmetic that looks like a jump    refused
 *   lea sym(%rip)        PC32: the address is taken                              a warning
 *   mov $sym,%reg        32, 32S: the same                                       a warning
 *   .quad sym            64 in a data section: the same                          a warning
 *
 * A NOP in place of a conditional tail call would run both arms; so the jump stays, and leads to a
 * site made elsewhere.
 */
#include "x86_64.h"

#include <elf.h>

const char *x86_64_relocation_name(uint32_t type)
{
    static const char *const names[] = {
        [R_X86_64_NONE] = "R_X86_64_NONE",
        [R_X86_64_64] = "R_X86_64_64",
        [R_X86_64_PC32] = "R_X86_64_PC32",
        [R_X86_64_GOT32] = "R_X86_64_GOT32",
        [R_X86_64_PLT32] = "R_X86_64_PLT32",
        [R_X86_64_GOTPCREL] = "R_X86_64_GOTPCREL",
        [R_X86_64_32] = "R_X86_64_32",
        [R_X86_64_32S] = "R_X86_64_32S",
        [R_X86_64_16] = "R_X86_64_16",
        [R_X86_64_PC16] = "R_X86_64_PC16",
        [R_X86_64_8] = "R_X86_64_8",
        [R_X86_64_PC8] = "R_X86_64_PC8",
        [R_X86_64_PC64] = "R_X86_64_PC64",
        [R_X86_64_GOTOFF64] = "R_X86_64_GOTOFF64",
        [R_X86_64_GOT64] = "R_X86_64_GOT64",
        [R_X86_64_GOTPCREL64] = "R_X86_64_GOTPCREL64",
        [R_X86_64_PLTOFF64] = "R_X86_64_PLTOFF64",
        [R_X86_64_SIZE32] = "R_X86_64_SIZE32",
        [R_X86_64_SIZE64] = "R_X86_64_SIZE64",
        [R_X86_64_GOTPCRELX] = "R_X86_64_GOTPCRELX",
        [R_X86_64_REX_GOTPCRELX] = "R_X86_64_REX_GOTPCRELX",
    };
    if (type < sizeof names / sizeof names[0] && names[type])
        return names[type];
    return "an unknown relocation";
}

/* The bytes that a displacement or an address of 32 bits has. */
enum { FIELD = 4 };

static bool is_branch_type(const struct arch_use *u)
{
    return u->type == R_X86_64_PLT32 || u->type == R_X86_64_PC32;
}

static bool is_got_type(const struct arch_use *u)
{
    return u->type == R_X86_64_GOTPCREL || u->type == R_X86_64_GOTPCRELX;
}

static bool is_plain_field(const struct arch_use *u)
{
    return u->addend == -4 && arch_byte_at(u, 0) == 0 && arch_byte_at(u, 1) == 0 &&
           arch_byte_at(u, 2) == 0 && arch_byte_at(u, 3) == 0;
}

/* lea disp32(%rip),%reg: [REX.W] 8d, ModRM with mod 0 and r/m 5. */
static bool is_lea(const struct arch_use *u)
{
    return u->type == R_X86_64_PC32 && arch_byte_at(u, -2) == 0x8d &&
           (arch_byte_at(u, -1) & 0xc7) == 0x05;
}

/* movabs $imm64,%reg: REX.W b8+r. */
static bool is_movabs(const struct arch_use *u)
{
    return (arch_byte_at(u, -2) & 0xfe) == 0x48 && (arch_byte_at(u, -1) & 0xf8) == 0xb8;
}

static bool is_address_type(const struct arch_use *u)
{
    switch (u->type) {
    case R_X86_64_64:
        return !u->is_text || !is_movabs(u);
    case R_X86_64_32:
    case R_X86_64_32S:
        return true;
    case R_X86_64_PC32:
    case R_X86_64_PC64:
    case R_X86_64_PLT32:
        return !u->is_text || is_lea(u);
    default:
        return !u->is_text;
    }
}

/*
 * An immediate of arithmetic (81 /r: add, sub, cmp, …; 69 /r: imul) on a register whose ModRM byte
 * is e8 or e9. A branch has the type PLT32 since binutils 2.31; PC32 could be either.
 */
static bool is_arithmetic(const struct arch_use *u)
{
    return u->type == R_X86_64_PC32 &&
           (arch_byte_at(u, -2) == 0x81 || arch_byte_at(u, -2) == 0x69) &&
           (arch_byte_at(u, -1) & 0xfe) == 0xe8;
}

/* mov $sym,%reg with an indirect call or jump through that register right after it. */
static bool is_forced_call(const struct arch_use *u)
{
    int load = arch_byte_at(u, -1), at = 4;
    if (!u->is_text || (u->type != R_X86_64_32 && u->type != R_X86_64_32S) || (load & 0xf8) != 0xb8)
        return false;
    at += arch_byte_at(u, at) == 0x41; /* %r8 to %r15 */
    int call = arch_byte_at(u, at + 1);
    return arch_byte_at(u, at) == 0xff && (call & 7) == (load & 7) &&
           ((call & 0xf8) == 0xd0 || (call & 0xf8) == 0xe0);
}

/* Fill in SITE if the bytes are those of a call or jump to the symbol itself. */
static bool find_site(const struct arch_use *u, struct arch_site *site)
{
    if (!u->is_text || !(is_branch_type(u) || is_got_type(u)) || !arch_has_field(u, FIELD) ||
        !is_plain_field(u) || is_arithmetic(u))
        return false;
    const uint8_t *bytes = u->data + u->offset;
    unsigned kind = sdt_x86_64_decode(u->use, bytes, u->offset, is_got_type(u));
    if (!kind)
        return false;
    if (kind == SDT_KIND_FUNCTION && arch_byte_at(u, FIELD) >= 0 &&
        sdt_x86_64_is_return(bytes + FIELD))
        kind = SDT_KIND_FUNCTION_RETURN;
    site->kind = (uint8_t)kind;
    site->is_moved = sdt_x86_64_is_conditional(bytes, u->offset);
    site->branch_type = R_X86_64_PC32;
    site->length = site->is_moved ? SDT_JCC_LENGTH : sdt_x86_64_form(kind)->length;
    site->offset = u->offset + 4 - site->length; /* the displacement ends each of them */
    return true;
}

enum arch_verdict x86_64_judge(const struct arch_use *u, struct arch_site *site)
{
    if (find_site(u, site))
        return ARCH_SITE;
    return is_address_type(u) && !is_forced_call(u) ? ARCH_ADDRESS : ARCH_REFUSED;
}

/* ---- words ---- */

/* The refusals, most specific first. */

static const struct arch_refusal got_load = {
    "the probe's address is loaded from the GOT; the calls through the register cannot be found",
    "a call or jump: e8, e9, 0f 8x with R_X86_64_PLT32, or ff 15, ff 25 with R_X86_64_GOTPCRELX",
    "compile without -fno-plt and -mforce-indirect-call, declare the probe's symbol with hidden "
    "visibility, or use SDT_PROBE",
};
static const struct arch_refusal forced_call = {
    "the probe is called through a register",
    "a call or jump: e8, e9 or 0f 8x, R_X86_64_PLT32",
    "compile without -mforce-indirect-call, or with -fpie, or use SDT_PROBE",
};
static const struct arch_refusal arithmetic = {
    "this is arithmetic on the probe's address, or an old assembler's call that looks like it",
    "R_X86_64_PLT32 after a call or jump",
    "call the probe as a function; assemble calls with binutils 2.31 or later",
};
static const struct arch_refusal large_model = {
    "the large code model is not supported: calls go through a register",
    "a call or jump: e8, e9 or 0f 8x, R_X86_64_PLT32",
    "compile without -mcmodel=large (-mcmodel=medium works)",
};
static const struct arch_refusal wrong_field = {
    "this is not a plain call: its addend or displacement is not that of a branch to the symbol "
    "itself",
    "addend -4 and a zero displacement",
    "call the probe's symbol itself, without an offset",
};
static const struct arch_refusal outside = {
    "the relocation lies outside its section; the file is damaged",
    "an offset inside the section",
    NULL,
};
static const struct arch_refusal unknown = {
    "unknown use of a probe",
    "a call or jump: e8, e9, 0f 8x with R_X86_64_PLT32, or ff 15, ff 25 with R_X86_64_GOTPCRELX",
    "call the probe as a function, or use SDT_PROBE",
};

static const struct arch_refusal not_inline = {
    "this is not an inline probe site",
    "nop; nopw (%rax); call: 90 66 0f 1f 00 e8 with R_X86_64_PLT32",
    "use SDT_PROBE; what is called as a function is __dtrace_sdt_<provider>___<name>",
};
static const struct arch_refusal old_inline = {
    "this inline probe was compiled with the headers of an older version, which left it less room",
    "nop; nopw (%rax); call: 90 66 0f 1f 00 e8 with R_X86_64_PLT32",
    "compile again with this version's <sdt/probe.h>",
};

static const struct arch_refusal not_function = {
    "this is not a call that gcc makes at the entry or the end of a function",
    "e8 with R_X86_64_PLT32, or ff 15 with R_X86_64_GOTPCRELX",
    "let sdtlink --functions choose the compiler's options, and do not name __fentry__ and "
    "__return__ in the source",
};

/* nop; call: what version 0.1 compiled until its format 2. */
static bool is_old_inline(const struct arch_use *u)
{
    return is_branch_type(u) && is_plain_field(u) && arch_byte_at(u, -2) == 0x90 &&
           arch_byte_at(u, -1) == 0xe8;
}

const struct arch_refusal *x86_64_explain(const struct arch_use *u)
{
    if (!arch_has_field(u, FIELD))
        return &outside;
    if (u->use == SDT_USE_FUNCTION)
        return &not_function;
    if (u->use == SDT_USE_INLINE)
        return is_old_inline(u) ? &old_inline : &not_inline;
    switch (u->type) {
    case R_X86_64_PLT32:
    case R_X86_64_PC32:
        if (is_plain_field(u))
            return is_arithmetic(u) ? &arithmetic : &unknown;
        return &wrong_field;
    case R_X86_64_GOTPCREL:
    case R_X86_64_GOTPCRELX:
        if (arch_byte_at(u, -2) == 0x8b) /* mov */
            return &got_load;
        return is_plain_field(u) ? &unknown : &wrong_field;
    case R_X86_64_REX_GOTPCRELX:
        return &got_load;
    case R_X86_64_32:
    case R_X86_64_32S:
        return &forced_call;
    case R_X86_64_64:
    case R_X86_64_PLTOFF64:
    case R_X86_64_GOTOFF64:
    case R_X86_64_GOT64:
    case R_X86_64_GOTPCREL64:
        return &large_model;
    default:
        return &unknown;
    }
}
