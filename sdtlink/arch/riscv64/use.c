/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Uses of a probe's symbol on riscv64: which are sites, which take its address, and the messages
 * about the others. Relocations: RISC-V ELF psABI, "Relocations".
 *
 * Compilers call by auipc and jalr, which a linker may shorten. Objects do not have the short forms
 * yet, except those written in assembly.
 */
#include "riscv64.h"

#include <elf.h>

enum { PAIR = 8 };

const char *riscv64_relocation_name(uint32_t type)
{
    static const struct {
        uint32_t type;
        const char *name;
    } names[] = {
        {R_RISCV_NONE, "R_RISCV_NONE"},
        {R_RISCV_32, "R_RISCV_32"},
        {R_RISCV_64, "R_RISCV_64"},
        {R_RISCV_BRANCH, "R_RISCV_BRANCH"},
        {R_RISCV_JAL, "R_RISCV_JAL"},
        {R_RISCV_CALL, "R_RISCV_CALL"},
        {R_RISCV_CALL_PLT, "R_RISCV_CALL_PLT"},
        {R_RISCV_GOT_HI20, "R_RISCV_GOT_HI20"},
        {R_RISCV_PCREL_HI20, "R_RISCV_PCREL_HI20"},
        {R_RISCV_HI20, "R_RISCV_HI20"},
        {R_RISCV_LO12_I, "R_RISCV_LO12_I"},
        {R_RISCV_LO12_S, "R_RISCV_LO12_S"},
        {R_RISCV_ADD32, "R_RISCV_ADD32"},
        {R_RISCV_ADD64, "R_RISCV_ADD64"},
        {R_RISCV_SUB32, "R_RISCV_SUB32"},
        {R_RISCV_SUB64, "R_RISCV_SUB64"},
        {R_RISCV_RVC_BRANCH, "R_RISCV_RVC_BRANCH"},
        {R_RISCV_RVC_JUMP, "R_RISCV_RVC_JUMP"},
        {R_RISCV_32_PCREL, "R_RISCV_32_PCREL"},
    };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (names[i].type == type)
            return names[i].name;
    return "an unknown relocation";
}

static bool is_branch(const struct arch_use *u)
{
    return u->is_text && (u->type == R_RISCV_CALL || u->type == R_RISCV_CALL_PLT);
}

static bool is_address(const struct arch_use *u)
{
    switch (u->type) {
    case R_RISCV_64:
    case R_RISCV_32:
    case R_RISCV_32_PCREL:
    case R_RISCV_PCREL_HI20:
    case R_RISCV_HI20:
    case R_RISCV_LO12_I:
    case R_RISCV_LO12_S:
        return true;
    default:
        return !u->is_text;
    }
}

enum arch_verdict riscv64_judge(const struct arch_use *u, struct arch_site *site)
{
    if (!is_branch(u))
        return is_address(u) ? ARCH_ADDRESS : ARCH_REFUSED;
    if (!arch_has_field(u, PAIR) || u->offset % 2 != 0 || u->addend != 0)
        return ARCH_REFUSED;
    unsigned kind = sdt_riscv64_kind(u->use, sdt_riscv64_branch(u->data + u->offset));
    if (!kind)
        return ARCH_REFUSED;
    *site = (struct arch_site){
        .offset = u->offset, .length = PAIR, .kind = (uint8_t)kind, .branch_type = u->type};
    return ARCH_SITE;
}

/* ---- words ---- */

#define BRANCHES "auipc and jalr, by ra or t1"

static const struct arch_refusal got_load = {
    "the probe's address is loaded from the GOT; the calls through the register cannot be found",
    BRANCHES,
    "compile without -fno-plt, or declare the probe's symbol with hidden visibility",
};
static const struct arch_refusal short_branch = {
    "a branch of one instruction leads to the probe; it has no room for a site",
    BRANCHES,
    "write `call` or `tail` in assembly, or declare the probe's symbol and call it in C",
};
static const struct arch_refusal wrong_branch = {
    "this is not a plain call: its addend, its displacement or its registers are not those of a "
    "call of the symbol itself",
    BRANCHES ", with addend 0 and a zero displacement",
    "call the probe's symbol itself, without an offset",
};
static const struct arch_refusal outside = {
    "the relocation lies outside its section; the file is damaged",
    "an offset inside the section",
    NULL,
};
static const struct arch_refusal not_inline = {
    "this is not an inline probe site",
    "auipc and jalr by t1, with addend 0 and a zero displacement",
    "use SDT_PROBE; what is called as a function is __dtrace_sdt_<provider>___<name>",
};
static const struct arch_refusal unknown = {
    "unknown use of a probe",
    BRANCHES,
    "call the probe as a function",
};

const struct arch_refusal *riscv64_explain(const struct arch_use *u)
{
    if (!u->data || u->offset >= u->size || (is_branch(u) && !arch_has_field(u, PAIR)))
        return &outside;
    if (u->use == SDT_USE_INLINE)
        return &not_inline;
    if (u->type == R_RISCV_GOT_HI20)
        return &got_load;
    if (u->type == R_RISCV_JAL || u->type == R_RISCV_BRANCH || u->type == R_RISCV_RVC_JUMP ||
        u->type == R_RISCV_RVC_BRANCH)
        return &short_branch;
    return is_branch(u) ? &wrong_branch : &unknown;
}
