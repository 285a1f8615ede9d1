/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Judging one use of a probe's symbol on i386. What compilers make of a call (measured with gcc 12
 * and clang 14):
 *
 *   e8 rel32, e9 rel32     R_386_PC32; PLT32 with -fPIC, where %ebx has been set     a site
 *   0f 8x rel32            the same; clang -Os: a conditional tail call              a site, moved
 *   ff 9r, ff ar disp32    GOT32X, GOT32: -fno-plt, through any register r           a site
 *   ff 15, ff 25 disp32    the same without -fPIC                                    a site
 *   mov sym@GOT(%r)        GOT32X: one load for several calls (hoisted)              refused
 *   mov $sym,%r; call *%r  R_386_32: -mforce-indirect-call                           refused
 *   mov $sym,%r            R_386_32: the address is taken                            a warning
 *   lea sym@GOTOFF(%r)     the same of a hidden symbol                               a warning
 *   .long sym              the same in a data section                                a warning
 *
 * Relocations have no addends of their own: what the field holds is the addend, -4 of a branch.
 * That tells a branch from arithmetic (`sub $sym-.,%ecx` has another one), so its type, PC32 of
 * most branches here, need not.
 *
 * Bytes of sites are those of x86-64: both machines read them alike, but for `%eax` and `%esp`.
 */
#include "i386.h"

#include <elf.h>

/* Types that Debian 12's <elf.h> does not know. */
enum { GNU_VTINHERIT = 250, GNU_VTENTRY = 251 };

const char *i386_relocation_name(uint32_t type)
{
    static const char *const names[] = {
        [R_386_NONE] = "R_386_NONE",     [R_386_32] = "R_386_32",
        [R_386_PC32] = "R_386_PC32",     [R_386_GOT32] = "R_386_GOT32",
        [R_386_PLT32] = "R_386_PLT32",   [R_386_GOTOFF] = "R_386_GOTOFF",
        [R_386_GOTPC] = "R_386_GOTPC",   [R_386_16] = "R_386_16",
        [R_386_PC16] = "R_386_PC16",     [R_386_8] = "R_386_8",
        [R_386_PC8] = "R_386_PC8",       [R_386_SIZE32] = "R_386_SIZE32",
        [R_386_GOT32X] = "R_386_GOT32X",
    };
    if (type < sizeof names / sizeof names[0] && names[type])
        return names[type];
    return "an unknown relocation";
}

/* What compilers and assemblers write into objects: psABI 4.4; dynamic relocations are not known.
 */
size_t i386_addend_size(uint32_t type)
{
    switch (type) {
    case R_386_NONE:
    case R_386_TLS_DESC_CALL: /* a mark at an instruction */
    case GNU_VTINHERIT:
    case GNU_VTENTRY:
        return 0;
    case R_386_8:
    case R_386_PC8:
        return 1;
    case R_386_16:
    case R_386_PC16:
        return 2;
    case R_386_32:
    case R_386_PC32:
    case R_386_GOT32:
    case R_386_PLT32:
    case R_386_GOTOFF:
    case R_386_GOTPC:
    case R_386_TLS_TPOFF:
    case R_386_TLS_IE:
    case R_386_TLS_GOTIE:
    case R_386_TLS_LE:
    case R_386_TLS_GD:
    case R_386_TLS_LDM:
    case R_386_TLS_LDO_32:
    case R_386_TLS_IE_32:
    case R_386_TLS_LE_32:
    case R_386_TLS_DTPMOD32:
    case R_386_TLS_DTPOFF32:
    case R_386_TLS_TPOFF32:
    case R_386_SIZE32:
    case R_386_TLS_GOTDESC:
    case R_386_GOT32X:
        return sizeof(uint32_t);
    default:
        return ARCH_NO_ADDEND;
    }
}

/* ---- uses ---- */

enum { FIELD = 4 }; /* bytes */

static bool is_branch_type(const struct arch_use *u)
{
    return u->type == R_386_PC32 || u->type == R_386_PLT32;
}

static bool is_got_type(const struct arch_use *u)
{
    return u->type == R_386_GOT32X || u->type == R_386_GOT32;
}

/* ff /2 or /4: a call or jump through memory at the field, alone or from a register. 0: it is none
 * of these; else the opcode of the direct one. */
static uint8_t through_got(const struct arch_use *u)
{
    enum { MEMORY = 0x05, FROM_REGISTER = 0x80, SIB = 4, CALL = 2 << 3, JUMP = 4 << 3 };
    int modrm = arch_byte_at(u, -1);
    if (arch_byte_at(u, -2) != 0xff || modrm < 0)
        return 0;
    bool is_memory = (modrm & 0xc7) == MEMORY;
    bool is_from_register = (modrm & 0xc0) == FROM_REGISTER && (modrm & 7) != SIB;
    if (!is_memory && !is_from_register)
        return 0;
    return (modrm & 0x38) == CALL ? 0xe8 : (modrm & 0x38) == JUMP ? 0xe9 : 0;
}

static unsigned got_kind(const struct arch_use *u)
{
    switch (through_got(u)) {
    case 0xe8:
        return u->use == SDT_USE_ENABLED ? SDT_KIND_ENABLED6 : SDT_KIND_CALL6;
    case 0xe9:
        return u->use == SDT_USE_ENABLED ? SDT_KIND_ENABLED_TAIL6 : SDT_KIND_TAIL6;
    default:
        return 0;
    }
}

/* Fill in SITE if the bytes are those of a call or jump to the symbol itself. */
static bool find_site(const struct arch_use *u, struct arch_site *site)
{
    enum { OF_BRANCH = -4 };
    unsigned kind = 0;
    if (!u->is_text || !arch_has_field(u, FIELD) ||
        (u->use != SDT_USE_CALL && u->use != SDT_USE_ENABLED))
        return false;
    const uint8_t *field = u->data + u->offset;
    if (is_branch_type(u) && u->addend == OF_BRANCH)
        kind = sdt_x86_64_decode(u->use, field, u->offset, false);
    else if (is_got_type(u) && u->addend == 0)
        kind = got_kind(u);
    if (!kind)
        return false;
    site->kind = (uint8_t)kind;
    site->is_moved = is_branch_type(u) && sdt_x86_64_is_conditional(field, u->offset);
    site->branch_type = R_386_PC32;
    site->length = site->is_moved ? SDT_JCC_LENGTH : sdt_x86_64_form(kind)->length;
    site->offset = u->offset + sizeof(uint32_t) - site->length; /* the field ends each of them */
    return true;
}

/* mov $sym,%reg with an indirect call or jump through that register right after it. */
static bool is_forced_call(const struct arch_use *u)
{
    int load = arch_byte_at(u, -1), call = arch_byte_at(u, 5);
    return u->is_text && u->type == R_386_32 && (load & 0xf8) == 0xb8 &&
           arch_byte_at(u, 4) == 0xff && (call & 7) == (load & 7) &&
           ((call & 0xf8) == 0xd0 || (call & 0xf8) == 0xe0);
}

static bool is_address_type(const struct arch_use *u)
{
    switch (u->type) {
    case R_386_32:
    case R_386_GOTOFF:
        return true;
    default:
        return !u->is_text;
    }
}

enum arch_verdict i386_judge(const struct arch_use *u, struct arch_site *site)
{
    if (find_site(u, site))
        return ARCH_SITE;
    return is_address_type(u) && !is_forced_call(u) ? ARCH_ADDRESS : ARCH_REFUSED;
}

/* ---- words ---- */

#define A_CALL                                                                                     \
    "a call or jump: e8, e9, 0f 8x with R_386_PC32 or R_386_PLT32, or ff /2, ff /4 with "          \
    "R_386_GOT32X"

static const struct arch_refusal got_load = {
    "the probe's address is loaded from the GOT; the calls through the register cannot be found",
    A_CALL,
    "compile without -fno-plt and -mforce-indirect-call, or declare the probe's symbol with hidden "
    "visibility",
};
static const struct arch_refusal forced_call = {
    "the probe is called through a register",
    A_CALL,
    "compile without -mforce-indirect-call",
};
static const struct arch_refusal wrong_field = {
    "this is not a plain call: what its field holds is not that of a branch to the symbol itself",
    "-4 in the field of a branch, 0 in one that goes through the GOT",
    "call the probe's symbol itself, without an offset",
};
static const struct arch_refusal outside = {
    "the relocation lies outside its section; the file is damaged",
    "an offset inside the section",
    NULL,
};
static const struct arch_refusal unknown = {
    "unknown use of a probe",
    A_CALL,
    "call the probe as a function",
};
static const struct arch_refusal no_inline = {
    "there are no inline probe sites on i386",
    A_CALL " of __dtrace_sdt_<provider>___<name>",
    "call the probe as a function",
};

const struct arch_refusal *i386_explain(const struct arch_use *u)
{
    if (!arch_has_field(u, FIELD))
        return &outside;
    if (u->use == SDT_USE_INLINE)
        return &no_inline;
    if (is_got_type(u) && arch_byte_at(u, -2) == 0x8b) /* mov */
        return &got_load;
    if (is_branch_type(u) || is_got_type(u))
        return (is_got_type(u) ? u->addend == 0 : u->addend == -4) ? &unknown : &wrong_field;
    return u->type == R_386_32 ? &forced_call : &unknown;
}
