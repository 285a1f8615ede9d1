/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * x86-64 site forms. The bytes are chosen so that every transition of a running site is one
 * one-byte store, and so that a thread which resumes anywhere inside a site resumes at a NOP:
 *
 *     90            nop        the tracers' byte: a uprobe here is safe on every kernel
 *     66 0f 1f MM   nop        four bytes; after an e8 or e9 the same four bytes are the
 *                              displacement 0xMM1f0f66, which reaches a thunk window
 *     cc 0f 1f MM   int3; nop  a breakpoint over the first of them leaves a NOP
 *
 * `66 0f 1f MM` is a NOP without memory operand bytes after it for MM = c0..c7 (register form) and
 * 00..03, 06, 07 (plain (%reg) forms; 04 would need a SIB byte, 05 a displacement). Source: Intel
 * SDM vol. 2, NOP (0F 1F /0) and table 2-2.
 *
 * An inline site has room for a displacement of its own, which a NOP can hold:
 *
 *     66 0f 1f 84 e9 rel32   nopw rel32(%rcx,%rbp,8)      84: a SIB byte follows, and four more
 *     66 0f 1f 00 e9 rel32   nopw (%rax); jmp             00: neither
 *     cc 0f 1f 84 e9 rel32   int3; nopl rel32(%rcx,%rbp,8)
 *
 * A nop11 site has a prefix more after the 66 (2e, %cs:), and its operand may still be that of the
 * file: 00 00 00 00 00.
 *
 * A tail site is a `ret`: one byte, so no thread can be stopped inside it, and its displacement,
 * which the linker aims at the site's loader, is dead until byte 0 becomes `e9`.
 * An is-enabled site is `mov $0,%eax` whose immediate becomes 1; in tail position push/pop/ret.
 *
 * A function site is the call that gcc makes at a function's entry or before its end, where all
 * registers are live and the flags are dead: so a branch to its entry is disabled as an instruction
 * that changes nothing but the flags. What went through the GOT has one byte more, the tracers'.
 *
 *     a9 rel32      test $rel32,%eax          90 a9 rel32   nop; test
 *     e9 rel32      jmp                       90 e9 rel32   nop; jmp
 *     cc rel32      int3                      90 cc rel32
 *
 * One that is followed by a return is disabled as that return (function-return): c3, and e9 or cc
 * instead. Its entry leads to the return after it.
 *
 * In a freestanding set (<sdt/format.h>) no site needs a thunk: a call keeps its displacement, as
 * that of `test $imm32,%eax` (a9), and what a tail call led to begins with a short jump, over the
 * way to the stub or to it.
 */
#include "forms.h"

#include <sdt/format.h>
#include <string.h>

enum { NOP = 0x90, INT3 = 0xcc, RET = 0xc3, CALL = 0xe8, JMP = 0xe9, MOV_EAX = 0xb8 };
enum { TEST_EAX = 0xa9, JMP_SHORT = 0xeb, OVER_LOADER = 0x0c };

/* clang-format off */
static const struct sdt_form forms[] = {
    /* name, length, field, patch, trap, mm, branch_at, on, off, returns, keeps_branch,
       is_enabled_test */
    [SDT_KIND_CALL]          = {"call",          5, 1, 0, 1, 4, 0, CALL, NOP,  false, false, false},
    [SDT_KIND_CALL6]         = {"call6",         6, 2, 1, 1, 5, 0, CALL, 0x3e, false, false, false},
    [SDT_KIND_INLINE]        = {"inline",       10, 6, 4, 1, 0, 6, 0x00, 0x84, false, true,  false},
    [SDT_KIND_TAIL]          = {"tail",          5, 1, 0, 0, 0, 1, JMP,  RET,  true,  true,  false},
    [SDT_KIND_TAIL6]         = {"tail6",         6, 2, 0, 0, 0, 1, JMP,  RET,  true,  true,  false},
    [SDT_KIND_JCC]           = {"jcc",           6, 2, 0, 0, 0, 1, JMP,  RET,  true,  true,  false},
    [SDT_KIND_ENABLED]       = {"enabled",       5, 1, 1, 5, 0, 0, 1,    0,    false, false, true},
    [SDT_KIND_ENABLED6]      = {"enabled6",      6, 2, 1, 6, 0, 0, 1,    0,    false, false, true},
    [SDT_KIND_ENABLED_TAIL]  = {"enabled-tail",  5, 1, 1, 5, 0, 0, 1,    0,    true,  false, true},
    [SDT_KIND_ENABLED_TAIL6] = {"enabled-tail6", 6, 2, 1, 6, 0, 0, 1,    0,    true,  false, true},
    [SDT_KIND_NOP1]          = {"nop1",          1, 1, 0, 0, 0, 0, NOP,  NOP,  false, false, false},
    [SDT_KIND_NOP11]         = {"nop11",        11, 7, 5, 1, 0, 7, 0x00, 0x84, false, false, false},
    [SDT_KIND_DIRECT_CALL]   = {"direct-call",   5, 1, 0, 0, 0, 1, CALL, TEST_EAX, false, true,
                                false},
    [SDT_KIND_DIRECT_TAIL]   = {"direct-tail",   2, 1, 1, 0, 0, 0, 0x00, OVER_LOADER, true, false,
                                false},
    [SDT_KIND_DIRECT_ENABLED_TAIL] = {"direct-enabled-tail", 5, 1, 1, 5, 0, 0, 1, 0, true, false,
                                      true},
    [SDT_KIND_FUNCTION]      = {"function",      5, 1, 0, 0, 0, 1, JMP,  TEST_EAX, false, true,
                                false},
    [SDT_KIND_FUNCTION6]     = {"function6",     6, 2, 1, 1, 0, 2, JMP,  TEST_EAX, false, true,
                                false},
    [SDT_KIND_FUNCTION_RETURN] = {"function-return", 5, 1, 0, 0, 0, 1, JMP, RET, false, true,
                                  false},
};

/*
 * The disabled bytes, and which of them (XX) are the same in every site of the kind: not the last
 * byte of a call's NOP, which is MM, and no displacement that is kept. As numbers, first byte
 * lowest.
 *
 *     call                        nop; nop4          tail, tail6                  ret; (rel32)
 *     call6                       nop; ds nop4       enabled, enabled6            mov $0,%eax
 *     inline                      nop; nop9          enabled-tail, enabled-tail6  push; pop; ret
 *     nop1                        nop              nop11                        nop; nop10
 *     function                    test $n,%eax     function6                    nop; test $n,%eax
 *     function-return             ret; (rel32)
 */
#define SITE(a, b, c, d, e, f)                                                                     \
    ((uint64_t)(a) | (uint64_t)(b) << 8 | (uint64_t)(c) << 16 | (uint64_t)(d) << 24 |              \
     (uint64_t)(e) << 32 | (uint64_t)(f) << 40)
enum { XX = 0xff };
static const struct {
    uint64_t bytes, fixed;
} disabled[] = {
    [SDT_KIND_CALL]          = {SITE(NOP, 0x66, 0x0f, 0x1f, 0, 0),    SITE(XX, XX, XX, XX, 0, 0)},
    [SDT_KIND_CALL6]         = {SITE(NOP, 0x3e, 0x66, 0x0f, 0x1f, 0), SITE(XX, XX, XX, XX, XX, 0)},
    [SDT_KIND_INLINE]        = {SITE(NOP, 0x66, 0x0f, 0x1f, 0x84, JMP),
                                SITE(XX, XX, XX, XX, XX, XX)},
    [SDT_KIND_TAIL]          = {SITE(RET, 0, 0, 0, 0, 0),             SITE(XX, 0, 0, 0, 0, 0)},
    [SDT_KIND_TAIL6]         = {SITE(RET, 0, 0, 0, 0, INT3),          SITE(XX, 0, 0, 0, 0, XX)},
    [SDT_KIND_ENABLED]       = {SITE(MOV_EAX, 0, 0, 0, 0, 0),         SITE(XX, XX, XX, XX, XX, 0)},
    [SDT_KIND_ENABLED6]      = {SITE(MOV_EAX, 0, 0, 0, 0, NOP),       SITE(XX, XX, XX, XX, XX, XX)},
    [SDT_KIND_ENABLED_TAIL]  = {SITE(0x6a, 0, 0x58, RET, INT3, 0),    SITE(XX, XX, XX, XX, XX, 0)},
    [SDT_KIND_ENABLED_TAIL6] = {SITE(0x6a, 0, 0x58, RET, INT3, INT3), SITE(XX, XX, XX, XX, XX, XX)},
    [SDT_KIND_NOP1]          = {SITE(NOP, 0, 0, 0, 0, 0),             SITE(XX, 0, 0, 0, 0, 0)},
    [SDT_KIND_NOP11]         = {SITE(NOP, 0x66, 0x2e, 0x0f, 0x1f, 0x84),
                                SITE(XX, XX, XX, XX, XX, XX)},
    [SDT_KIND_DIRECT_CALL]   = {SITE(TEST_EAX, 0, 0, 0, 0, 0),        SITE(XX, 0, 0, 0, 0, 0)},
    [SDT_KIND_DIRECT_TAIL]   = {SITE(JMP_SHORT, OVER_LOADER, 0, 0, 0, 0), SITE(XX, XX, 0, 0, 0, 0)},
    [SDT_KIND_DIRECT_ENABLED_TAIL] = {SITE(MOV_EAX, 0, 0, 0, 0, 0),   SITE(XX, XX, XX, XX, XX, 0)},
    [SDT_KIND_FUNCTION]      = {SITE(TEST_EAX, 0, 0, 0, 0, 0),        SITE(XX, 0, 0, 0, 0, 0)},
    [SDT_KIND_FUNCTION6]     = {SITE(NOP, TEST_EAX, 0, 0, 0, 0),      SITE(XX, XX, 0, 0, 0, 0)},
    [SDT_KIND_FUNCTION_RETURN] = {SITE(RET, 0, 0, 0, 0, 0),           SITE(XX, 0, 0, 0, 0, 0)},
};
/* clang-format on */

const struct sdt_form *sdt_x86_64_form(unsigned kind)
{
    if (kind == 0 || kind >= sizeof forms / sizeof forms[0])
        return NULL;
    return &forms[kind];
}

bool sdt_x86_64_is_mm(uint8_t mm)
{
    return (mm >= 0xc0 && mm <= 0xc7) || mm <= 0x03 || mm == 0x06 || mm == 0x07;
}

const uint8_t sdt_x86_64_mms[SDT_X86_64_MM_COUNT] = {
    0xc0, 0xc1, 0xc2, 0xc3, 0xc4, 0xc5, 0xc6, 0xc7, 0x07, 0x06, 0x03, 0x02, 0x01, 0x00,
};

/* Byte I of the table's numbers; what lies after them is a displacement. */
static uint8_t byte_of(uint64_t word, size_t i)
{
    return i < sizeof word ? (uint8_t)(word >> 8 * i) : 0;
}

bool sdt_x86_64_is_conditional(const uint8_t *field, size_t before)
{
    return before >= 2 && field[-2] == 0x0f && (field[-1] & 0xf0) == 0x80;
}

/* nop; nopw (%rax); call */
static const uint8_t inline_head[] = {NOP, 0x66, 0x0f, 0x1f, 0x00, CALL};

bool sdt_x86_64_is_return(const uint8_t *code)
{
    return code[0] == RET;
}

static unsigned decode_direct(enum sdt_use use, const uint8_t *field, size_t before)
{
    enum { HEAD = sizeof inline_head };
    if (use == SDT_USE_INLINE)
        return before >= HEAD && memcmp(field - HEAD, inline_head, HEAD) == 0 ? SDT_KIND_INLINE : 0;
    if (use == SDT_USE_FUNCTION)
        return before >= 1 && field[-1] == CALL ? SDT_KIND_FUNCTION : 0;
    if (before >= 1 && field[-1] == CALL)
        return use == SDT_USE_ENABLED ? SDT_KIND_ENABLED : SDT_KIND_CALL;
    if (before >= 1 && field[-1] == JMP)
        return use == SDT_USE_ENABLED ? SDT_KIND_ENABLED_TAIL : SDT_KIND_TAIL;
    if (sdt_x86_64_is_conditional(field, before))
        return use == SDT_USE_ENABLED ? SDT_KIND_ENABLED_TAIL : SDT_KIND_JCC;
    return 0;
}

static unsigned decode_got(enum sdt_use use, const uint8_t *field, size_t before)
{
    if (use == SDT_USE_INLINE || before < 2 || field[-2] != 0xff)
        return 0;
    if (use == SDT_USE_FUNCTION)
        return field[-1] == 0x15 ? SDT_KIND_FUNCTION6 : 0;
    if (field[-1] == 0x15)
        return use == SDT_USE_ENABLED ? SDT_KIND_ENABLED6 : SDT_KIND_CALL6;
    if (field[-1] == 0x25)
        return use == SDT_USE_ENABLED ? SDT_KIND_ENABLED_TAIL6 : SDT_KIND_TAIL6;
    return 0;
}

unsigned sdt_x86_64_decode(enum sdt_use use, const uint8_t *field, size_t before, bool got)
{
    return got ? decode_got(use, field, before) : decode_direct(use, field, before);
}

bool sdt_x86_64_encode_off(unsigned kind, uint8_t mm, uint8_t *site)
{
    const struct sdt_form *form = sdt_x86_64_form(kind);
    if (!form || kind == SDT_KIND_JCC || !sdt_x86_64_is_mm(mm))
        return false;
    for (size_t i = 0; i < form->length; i++)
        if (byte_of(disabled[kind].fixed, i))
            site[i] = byte_of(disabled[kind].bytes, i);
    if (form->mm)
        site[form->mm] = mm;
    return true;
}

/* How long the NOP at CODE is, of SIZE bytes at most; 0: there is none. */
static size_t nop_length(const uint8_t *code, size_t size)
{
    enum { CS = 0x2e, OPERAND_SIZE = 0x66, MOD_SHIFT = 6, RM = 7, HAS_SIB = 4, IS_RIP = 5 };
    static const uint8_t displacement[] = {0, 1, 4, 0};
    size_t at = 0;
    while (at < size && (code[at] == OPERAND_SIZE || code[at] == CS))
        at++;
    if (at < size && code[at] == NOP)
        return at + 1;
    if (size - at < 3 || code[at] != 0x0f || code[at + 1] != 0x1f)
        return 0;
    uint8_t modrm = code[at + 2], mod = modrm >> MOD_SHIFT, rm = modrm & RM;
    size_t length = at + 3 + displacement[mod] + (mod != 3 && rm == HAS_SIB) +
                    (mod == 0 && rm == IS_RIP ? sizeof(int32_t) : 0);
    return length <= size ? length : 0;
}

/*
 * Whether CODE, at ADDRESS, which begins with a NOP, may be what fills a gap before an aligned
 * place: then the NOPs end there. To have ten bytes, the gap is before one of sixteen.
 */
static bool may_fill_gap(uint64_t address, const uint8_t *code, size_t size)
{
    enum { ALIGNMENT = 16 };
    size_t at = 0, length;
    while ((length = nop_length(code + at, size - at)))
        at += length;
    return (address + at) % ALIGNMENT == 0;
}

bool sdt_x86_64_is_nop11(const uint8_t *code, size_t size)
{
    static const uint8_t nops[] = {NOP, 0x66, 0x2e, 0x0f, 0x1f, 0x84, 0, 0, 0, 0, 0};
    return size >= sizeof nops && memcmp(code, nops, sizeof nops) == 0;
}

unsigned sdt_x86_64_note_kind(uint64_t address, const uint8_t *code, size_t size)
{
    if (sdt_x86_64_is_nop11(code, size) && !may_fill_gap(address + 1, code + 1, size - 1))
        return SDT_KIND_NOP11;
    return size && code[0] == NOP ? SDT_KIND_NOP1 : 0;
}

/* The bytes of a site as one number, the first one lowest. Each is read once: tracers write there.
 */
static uint64_t read_bytes(const volatile uint8_t *site, size_t length)
{
    uint64_t word = site[0];
    if (length >= 2)
        word |= (uint64_t)site[1] << 8;
    if (length >= 5)
        word |= (uint64_t)site[2] << 16 | (uint64_t)site[3] << 24 | (uint64_t)site[4] << 32;
    if (length >= 6)
        word |= (uint64_t)site[5] << 40;
    return word;
}

#define BYTE(i) ((uint64_t)0xff << 8 * (i))

/* Whether SITE equals the disabled form, but for the bytes in SKIP (which the caller judges). */
static bool is_off_except(unsigned kind, uint64_t site, uint64_t skip)
{
    size_t mm = forms[kind].mm;
    return ((site ^ disabled[kind].bytes) & disabled[kind].fixed & ~skip) == 0 &&
           (!mm || sdt_x86_64_is_mm(byte_of(site, mm)));
}

/* A breakpoint at byte 0, which the tracers may have as well unless a byte of ours is there. */
static uint64_t tracer_in(const struct sdt_form *form, uint64_t site)
{
    return !form->is_enabled_test && byte_of(site, 0) == INT3 ? BYTE(0) : 0;
}

/* Armed for a jump. */
static bool is_on(unsigned kind, uint64_t site)
{
    const struct sdt_form *form = &forms[kind];
    return byte_of(site, form->patch) == form->on &&
           is_off_except(kind, site, BYTE(form->patch) | tracer_in(form, site));
}

/* Our breakpoint in SITE. */
static bool is_trap(unsigned kind, uint64_t site)
{
    const struct sdt_form *form = &forms[kind];
    return form->trap < form->length && byte_of(site, form->trap) == INT3 &&
           is_off_except(kind, site, BYTE(form->trap) | tracer_in(form, site));
}

/* Whether the operand of the NOP of a nop11 SITE is a branch, or what it was in the file. */
static bool has_branch(const volatile uint8_t *site)
{
    return site[6] == JMP;
}

static bool has_no_operand(const volatile uint8_t *site)
{
    return !(site[6] | site[7] | site[8] | site[9] | site[10]);
}

static enum sdt_state loader_state(uint8_t first)
{
    switch (first) {
    case RET:
        return SDT_STATE_OFF;
    case JMP:
        return SDT_STATE_ON;
    case INT3:
        return SDT_STATE_TRAP;
    default:
        return SDT_STATE_UNKNOWN;
    }
}

enum sdt_state sdt_x86_64_state(unsigned kind, const uint8_t *site)
{
    const struct sdt_form *form = sdt_x86_64_form(kind);
    if (!form)
        return SDT_STATE_UNKNOWN;
    if (kind == SDT_KIND_JCC)
        return loader_state(site[0]);
    uint64_t word = read_bytes(site, form->length);
    if (form_gets_branch(form) && !has_branch(site) && (!has_no_operand(site) || is_on(kind, word)))
        return SDT_STATE_UNKNOWN;
    if (is_off_except(kind, word, 0))
        return SDT_STATE_OFF;
    if (is_trap(kind, word))
        return SDT_STATE_TRAP;
    if (is_on(kind, word))
        return SDT_STATE_ON;
    if (byte_of(word, 0) == INT3 && is_off_except(kind, word, BYTE(0)))
        return SDT_STATE_TRACED;
    if (kind == SDT_KIND_CALL && byte_of(word, 0) == CALL)
        return SDT_STATE_CALL;
    return SDT_STATE_UNKNOWN;
}

bool sdt_x86_64_can_reach(uint64_t field, uint64_t target)
{
    int64_t distance = (int64_t)(target - (field + 4));
    return distance >= INT32_MIN && distance <= INT32_MAX;
}

int32_t sdt_x86_64_displacement(uint64_t field, uint64_t target)
{
    return (int32_t)(int64_t)(target - (field + 4));
}

uint64_t sdt_x86_64_target(uint64_t field, const uint8_t *bytes)
{
    int32_t displacement;
    memcpy(&displacement, bytes, sizeof displacement);
    return field + 4 + (uint64_t)(int64_t)displacement;
}

int64_t sdt_x86_64_thunk_distance(uint8_t mm)
{
    const uint8_t field[4] = {0x66, 0x0f, 0x1f, mm};
    return (int64_t)sdt_x86_64_target(1, field); /* the displacement counts from patch byte + 5 */
}

void sdt_x86_64_encode_jump(uint64_t address, uint64_t target, uint8_t thunk[SDT_THUNK_SIZE])
{
    int32_t displacement = sdt_x86_64_displacement(address + 1, target);
    thunk[0] = JMP;
    memcpy(thunk + 1, &displacement, sizeof displacement);
}

/* ---- Entries. ---- */

const uint8_t sdt_x86_64_entry_code[SDT_ENTRY_SIZE] = {
    0x48, 0x8d, 0x64, 0x24, 0x80,          /*  0: lea  -128(%rsp),%rsp */
    0xff, 0x15, 0,    0,    0,    0,       /*  5: call *probe.way(%rip) */
    0x48, 0x8d, 0xa4, 0x24, 0x80, 0, 0, 0, /* 11: lea  128(%rsp),%rsp */
    JMP,  0,    0,    0,    0,             /* 19: jmp  after the site */
    0,    0,    0,    0,    0,    0, 0, 0, /* 24: record - ., probe - . */
};

const uint8_t sdt_x86_64_direct_entry_code[SDT_ENTRY_SIZE] = {
    0x48, 0x8d, 0x64, 0x24, 0x80,          /*  0: lea  -128(%rsp),%rsp */
    0x2e, 0xe8, 0,    0,    0,    0,       /*  5: cs call __sdt_enter */
    0x48, 0x8d, 0xa4, 0x24, 0x80, 0, 0, 0, /* 11: lea  128(%rsp),%rsp */
    JMP,  0,    0,    0,    0,             /* 19: jmp  after the site */
    0,    0,    0,    0,    0,    0, 0, 0, /* 24: record - ., probe - . */
};

/* Where the distance in the entry at byte FIELD leads, which counts from BASE bytes after it. */
static uint64_t entry_target(uint64_t address, const uint8_t *code, size_t field, size_t base)
{
    return sdt_x86_64_target(address + field, code + field) - 4 + base;
}

bool sdt_x86_64_is_entry(uint64_t address, const uint8_t code[SDT_ENTRY_SIZE],
                         const struct sdt_entry *entry)
{
    const struct sdt_form *form = sdt_x86_64_form(entry->kind);
    const uint8_t *made = entry->enter ? sdt_x86_64_direct_entry_code : sdt_x86_64_entry_code;
    /* What is no distance; each of the two is a load and a comparison. */
    if (memcmp(code, made, SDT_ENTRY_ENTER) != 0 ||
        memcmp(code + SDT_ENTRY_RETURN, made + SDT_ENTRY_RETURN,
               SDT_ENTRY_JUMP - SDT_ENTRY_RETURN) != 0)
        return false;
    return form && address % SDT_ENTRY_SIZE == 0 &&
           entry_target(address, code, SDT_ENTRY_ENTER, 4) == entry_from(entry) &&
           entry_target(address, code, SDT_ENTRY_JUMP, 4) == entry->pc + form->length &&
           entry_target(address, code, SDT_ENTRY_RECORD, 0) == entry->record &&
           entry_target(address, code, SDT_ENTRY_PROBE, 0) == entry->probe;
}
