/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Uses of a probe's symbol on aarch64: which are sites, which take its address, and the messages
 * about the others. Relocations: ELF for the Arm 64-bit architecture (AAELF64), 5.7.
 */
#include "aarch64.h"

#include <elf.h>

enum { WORD = 4 };

const char *aarch64_relocation_name(uint32_t type)
{
    static const struct {
        uint32_t type;
        const char *name;
    } names[] = {
        {R_AARCH64_NONE, "R_AARCH64_NONE"},
        {R_AARCH64_ABS64, "R_AARCH64_ABS64"},
        {R_AARCH64_ABS32, "R_AARCH64_ABS32"},
        {R_AARCH64_PREL64, "R_AARCH64_PREL64"},
        {R_AARCH64_PREL32, "R_AARCH64_PREL32"},
        {R_AARCH64_MOVW_UABS_G0, "R_AARCH64_MOVW_UABS_G0"},
        {R_AARCH64_MOVW_UABS_G0_NC, "R_AARCH64_MOVW_UABS_G0_NC"},
        {R_AARCH64_MOVW_UABS_G3, "R_AARCH64_MOVW_UABS_G3"},
        {R_AARCH64_LD_PREL_LO19, "R_AARCH64_LD_PREL_LO19"},
        {R_AARCH64_ADR_PREL_LO21, "R_AARCH64_ADR_PREL_LO21"},
        {R_AARCH64_ADR_PREL_PG_HI21, "R_AARCH64_ADR_PREL_PG_HI21"},
        {R_AARCH64_ADD_ABS_LO12_NC, "R_AARCH64_ADD_ABS_LO12_NC"},
        {R_AARCH64_TSTBR14, "R_AARCH64_TSTBR14"},
        {R_AARCH64_CONDBR19, "R_AARCH64_CONDBR19"},
        {R_AARCH64_JUMP26, "R_AARCH64_JUMP26"},
        {R_AARCH64_CALL26, "R_AARCH64_CALL26"},
        {R_AARCH64_GOT_LD_PREL19, "R_AARCH64_GOT_LD_PREL19"},
        {R_AARCH64_ADR_GOT_PAGE, "R_AARCH64_ADR_GOT_PAGE"},
        {R_AARCH64_LD64_GOT_LO12_NC, "R_AARCH64_LD64_GOT_LO12_NC"},
        {R_AARCH64_LD64_GOTPAGE_LO15, "R_AARCH64_LD64_GOTPAGE_LO15"},
    };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (names[i].type == type)
            return names[i].name;
    return "an unknown relocation";
}

/* The branch that a relocation of this type is for; each type is for one. */
static enum sdt_aarch64_branch branch_of(uint32_t type)
{
    switch (type) {
    case R_AARCH64_CALL26:
        return SDT_AARCH64_CALL;
    case R_AARCH64_JUMP26:
        return SDT_AARCH64_JUMP;
    case R_AARCH64_CONDBR19:
    case R_AARCH64_TSTBR14:
        return SDT_AARCH64_CONDITIONAL;
    default:
        return SDT_AARCH64_NO_BRANCH;
    }
}

static bool is_plain(const struct arch_use *u)
{
    return arch_has_field(u, WORD) && u->offset % WORD == 0 && u->addend == 0 &&
           sdt_aarch64_branch(sdt_aarch64_word(u->data + u->offset)) == branch_of(u->type);
}

static bool is_address(const struct arch_use *u)
{
    switch (u->type) {
    case R_AARCH64_ABS64:
    case R_AARCH64_ABS32:
    case R_AARCH64_PREL64:
    case R_AARCH64_PREL32:
    case R_AARCH64_ADR_PREL_LO21:
    case R_AARCH64_ADR_PREL_PG_HI21:
    case R_AARCH64_ADD_ABS_LO12_NC:
        return true;
    default:
        return !u->is_text;
    }
}

enum arch_verdict aarch64_judge(const struct arch_use *u, struct arch_site *site)
{
    enum sdt_aarch64_branch branch = u->is_text ? branch_of(u->type) : SDT_AARCH64_NO_BRANCH;
    unsigned kind = branch ? sdt_aarch64_kind(u->use, branch) : 0;
    if (branch && (!kind || !is_plain(u)))
        return ARCH_REFUSED;
    if (!branch)
        return is_address(u) ? ARCH_ADDRESS : ARCH_REFUSED;
    *site = (struct arch_site){.offset = u->offset,
                               .length = WORD,
                               .kind = (uint8_t)kind,
                               .is_moved = sdt_aarch64_is_moved(kind),
                               .branch_type = u->type};
    return ARCH_SITE;
}

/* ---- words ---- */

#define BRANCHES "bl, b, cbz, cbnz, tbz, tbnz or b.cond"

static const struct arch_refusal got_load = {
    "the probe's address is loaded from the GOT; the calls through the register cannot be found",
    BRANCHES,
    "compile without -fno-plt, or declare the probe's symbol with hidden visibility",
};
static const struct arch_refusal wrong_branch = {
    "this is not a plain branch: its addend or displacement is not that of a branch to the symbol "
    "itself",
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
    "bl, with addend 0 and a zero displacement",
    "use SDT_PROBE; what is called as a function is __dtrace_sdt_<provider>___<name>",
};
static const struct arch_refusal unknown = {
    "unknown use of a probe",
    BRANCHES,
    "call the probe as a function",
};

const struct arch_refusal *aarch64_explain(const struct arch_use *u)
{
    if (!arch_has_field(u, WORD))
        return &outside;
    if (u->use == SDT_USE_INLINE)
        return &not_inline;
    if (u->type == R_AARCH64_ADR_GOT_PAGE || u->type == R_AARCH64_LD64_GOT_LO12_NC ||
        u->type == R_AARCH64_LD64_GOTPAGE_LO15 || u->type == R_AARCH64_GOT_LD_PREL19)
        return &got_load; /* most likely, to call it */
    return branch_of(u->type) ? &wrong_branch : &unknown;
}
