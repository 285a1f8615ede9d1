/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * aarch64 site forms. A site changes by one aligned word, and every word that it ever holds is
 * `b`, `bl`, `nop` or `brk`: instructions that the architecture lets one CPU change while another
 * one executes them. docs/decisions/0041-forms-of-a-site-on-aarch64.md has the rule, and why `ret`
 * and `mov` are in no site.
 *
 *                 off          on          breakpoint
 *     call        nop          bl stub     brk
 *     inline      nop          b entry     brk
 *     nop1        nop          b entry     brk
 *     tail        b    .+12    nop         brk           in its loader
 *     conditional b    .+12    nop         brk           in its loader
 *     enabled     b    .+8     nop                       in its answer, after `mov w0, #0`
 */
#include "forms.h"

#include <sdt/format.h>
#include <stddef.h>
#include <string.h>

enum { WORD = 4 };

/* clang-format off */
static const struct sdt_form forms[] = {
    /* name, length, field, patch, trap, mm, branch_at, on, off, returns, keeps_branch,
       is_enabled_test */
    [SDT_KIND_CALL]         = {"call",         4, 0, 0, 0, 0, 0, 0, 0, false, false, false},
    [SDT_KIND_INLINE]       = {"inline",       4, 0, 0, 0, 0, 0, 0, 0, false, false, false},
    [SDT_KIND_TAIL]         = {"tail",         4, 0, 0, 0, 0, 0, 0, 0, true,  true,  false},
    [SDT_KIND_JCC]          = {"conditional",  4, 0, 0, 0, 0, 0, 0, 0, true,  true,  false},
    [SDT_KIND_ENABLED]      = {"enabled",      8, 0, 4, 8, 0, 0, 0, 0, false, false, true},
    [SDT_KIND_ENABLED_TAIL] = {"enabled-tail", 8, 0, 4, 8, 0, 0, 0, 0, true,  false, true},
    [SDT_KIND_NOP1]         = {"nop1",         4, 0, 0, 0, 0, 0, 0, 0, false, false, false},
};
/* clang-format on */

const struct sdt_form *sdt_aarch64_form(unsigned kind)
{
    if (kind >= sizeof forms / sizeof forms[0] || !forms[kind].name)
        return NULL;
    return &forms[kind];
}

/* ---- As compiled. ---- */

enum sdt_aarch64_branch sdt_aarch64_branch(uint32_t instruction)
{
    static const struct {
        uint32_t mask, value;
        enum sdt_aarch64_branch branch;
    } all[] = {
        /* The displacement, which must be 0, is in the mask. */
        {0xffffffff, SDT_AARCH64_BL, SDT_AARCH64_CALL},
        {0xffffffff, SDT_AARCH64_B, SDT_AARCH64_JUMP},
        {0xfffffff0, 0x54000000, SDT_AARCH64_CONDITIONAL}, /* b.cond */
        {0x7effffe0, 0x34000000, SDT_AARCH64_CONDITIONAL}, /* cbz, cbnz */
        {0x7e07ffe0, 0x36000000, SDT_AARCH64_CONDITIONAL}, /* tbz, tbnz: any bit */
    };
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        if ((instruction & all[i].mask) == all[i].value)
            return all[i].branch;
    return SDT_AARCH64_NO_BRANCH;
}

unsigned sdt_aarch64_kind(enum sdt_use use, enum sdt_aarch64_branch branch)
{
    static const uint8_t kinds[][SDT_AARCH64_CONDITIONAL + 1] = {
        [SDT_USE_CALL] = {0, SDT_KIND_CALL, SDT_KIND_TAIL, SDT_KIND_JCC},
        [SDT_USE_INLINE] = {0, SDT_KIND_INLINE, 0, 0},
        [SDT_USE_ENABLED] = {0, SDT_KIND_ENABLED, SDT_KIND_ENABLED_TAIL, SDT_KIND_ENABLED_TAIL},
    };
    return kinds[use][branch];
}

bool sdt_aarch64_is_moved(unsigned kind)
{
    return forms[kind].returns || forms[kind].is_enabled_test;
}

/* ---- States. ---- */

static void put_word(uint8_t *bytes, uint32_t word)
{
    for (unsigned i = 0; i < WORD; i++)
        bytes[i] = (uint8_t)(word >> 8 * i);
}

void sdt_aarch64_encode_off(unsigned kind, uint8_t *site)
{
    (void)kind; /* all that are not moved are the same */
    put_word(site, SDT_AARCH64_NOP);
}

/* `b` over the words up to, and without, the one at DISTANCE. */
static uint32_t skip(uint32_t distance)
{
    return SDT_AARCH64_B | distance / WORD;
}

static bool is_breakpoint(uint32_t word)
{
    return (word & 0xffe0001f) == 0xd4200000;
}

/* Of a word that is OFF when off. */
static enum sdt_state state_of(uint32_t word, uint32_t off)
{
    if (word == off)
        return SDT_STATE_OFF;
    if (word == SDT_AARCH64_BREAK)
        return SDT_STATE_TRAP;
    return is_breakpoint(word) ? SDT_STATE_TRACED : SDT_STATE_UNKNOWN;
}

enum sdt_state sdt_aarch64_state(unsigned kind, const uint8_t *site)
{
    const struct sdt_form *form = sdt_aarch64_form(kind);
    if (!form)
        return SDT_STATE_UNKNOWN;
    uint32_t word = sdt_aarch64_word(site + form->patch);
    if (form->is_enabled_test) {
        if (sdt_aarch64_word(site) != SDT_AARCH64_MOV_W0_0)
            return SDT_STATE_UNKNOWN;
        return word == SDT_AARCH64_NOP ? SDT_STATE_ON
               : word == skip(8)       ? SDT_STATE_OFF
                                       : SDT_STATE_UNKNOWN;
    }
    if (form->returns)
        return word == SDT_AARCH64_NOP ? SDT_STATE_ON : state_of(word, skip(12));
    uint32_t on = kind == SDT_KIND_CALL ? SDT_AARCH64_BL : SDT_AARCH64_B;
    return (word & ~0x03ffffffu) == on ? SDT_STATE_ON : state_of(word, SDT_AARCH64_NOP);
}

/* ---- Branches. ---- */

bool sdt_aarch64_can_reach(uint64_t from, uint64_t to)
{
    const int64_t reach = 1 << 27;
    int64_t distance = (int64_t)(to - from);
    return distance % WORD == 0 && distance >= -reach && distance < reach;
}

uint32_t sdt_aarch64_encode_branch(uint32_t operation, uint64_t from, uint64_t to)
{
    return operation | ((uint32_t)((to - from) / WORD) & 0x03ffffff);
}

bool sdt_aarch64_is_branch(uint32_t instruction)
{
    return (instruction & 0x7c000000) == SDT_AARCH64_B; /* bit 31: bl */
}

/* Where a branch has its displacement, in words; no BITS: it is none. */
struct branch_field {
    unsigned shift, bits;
};
static const struct branch_field long_field = {0, 26};

static struct branch_field branch_field(uint32_t instruction)
{
    if (sdt_aarch64_is_branch(instruction))
        return long_field;
    if ((instruction & 0xff000010) == 0x54000000 || /* b.cond */
        (instruction & 0x7e000000) == 0x34000000)   /* cbz, cbnz */
        return (struct branch_field){5, 19};
    if ((instruction & 0x7e000000) == 0x36000000) /* tbz, tbnz */
        return (struct branch_field){5, 14};
    return (struct branch_field){0, 0};
}

static uint64_t follow(uint64_t address, uint32_t instruction, struct branch_field field)
{
    int32_t words = (int32_t)(instruction << (32 - field.bits - field.shift));
    return address + (uint64_t)(int64_t)(words >> (32 - field.bits)) * WORD;
}

uint64_t sdt_aarch64_target(uint64_t address, uint32_t instruction)
{
    return follow(address, instruction, long_field);
}

uint64_t sdt_aarch64_companion_branch(uint64_t address, const uint8_t *branch)
{
    uint32_t instruction = sdt_aarch64_word(branch);
    struct branch_field field = branch_field(instruction);
    return field.bits ? follow(address, instruction, field) : 0;
}

uint32_t sdt_aarch64_reaim(uint64_t address, const uint8_t *branch, uint64_t to)
{
    uint32_t instruction = sdt_aarch64_word(branch);
    struct branch_field field = branch_field(instruction);
    int64_t distance = (int64_t)(to - address), words = distance / WORD;
    if (!field.bits || distance % WORD != 0 || words >> (field.bits - 1) != (words < 0 ? -1 : 0))
        return 0;
    uint32_t mask = ((1u << field.bits) - 1) << field.shift;
    return (instruction & ~mask) | ((uint32_t)words << field.shift & mask);
}

/* ---- Addresses. ---- */

/* The 21 bits of an adr or adrp, in two parts, with their sign. */
static int64_t adr_immediate(uint32_t word)
{
    uint32_t bits = (word >> 3 & 0x1ffffc) | (word >> 29 & 3);
    return (int64_t)((bits ^ 0x100000) - (int64_t)0x100000);
}

uint64_t sdt_aarch64_address(uint64_t address, const uint8_t *pair, unsigned number)
{
    uint64_t value = 0;
    for (unsigned i = 0; i < 2; i++, address += WORD) {
        uint32_t word = sdt_aarch64_word(pair + (size_t)i * WORD);
        if (word == SDT_AARCH64_NOP)
            continue;
        if ((word & 0x9f00001f) == (0x10000000 | number)) /* adr */
            value = address + (uint64_t)adr_immediate(word);
        else if ((word & 0x9f00001f) == (0x90000000 | number)) /* adrp */
            value = (address & ~0xfffull) + ((uint64_t)adr_immediate(word) << 12);
        else if (value && (word & 0xffc003ff) == (0x91000000 | number << 5 | number)) /* add */
            value += word >> 10 & 0xfff;
        else
            return 0;
    }
    return value;
}

/* ---- Code that the tool adds. ---- */

bool sdt_aarch64_is_loader(uint64_t address, const uint8_t *tail, uint64_t patch, uint64_t stub)
{
    uint32_t jump = sdt_aarch64_word(tail + 4);
    return patch == address - WORD && sdt_aarch64_word(tail) == SDT_AARCH64_ADR_X11_BACK &&
           (jump & ~0x03ffffffu) == SDT_AARCH64_B &&
           sdt_aarch64_target(address + 4, jump) == stub + SDT_STUB_AT &&
           sdt_aarch64_word(tail + 8) == SDT_AARCH64_RET;
}

bool sdt_aarch64_is_stub(const uint8_t *code)
{
    static const uint8_t head[] = {
        0x5f, 0x24, 0x03, 0xd5, /* bti c */
        0xcb, 0x13, 0x00, 0xd1, /* sub x11, x30, #4 */
    };
    return memcmp(code, head, sizeof head) == 0;
}

uint64_t sdt_aarch64_stub_probe(uint64_t address, const uint8_t *code)
{
    return sdt_aarch64_address(address + SDT_AARCH64_STUB_PROBE, code + SDT_AARCH64_STUB_PROBE, 10);
}

/* ---- Entries. ---- */

const uint8_t sdt_aarch64_entry_code[SDT_ENTRY_SIZE] = {
    0xfe, 0x0f, 0x1f, 0xf8, /*  0: str  x30, [sp, #-16]! */
    0x1e, 0x00, 0x00, 0x90, /*  4: adrp x30, probe.way */
    0xde, 0x03, 0x40, 0xf9, /*  8: ldr  x30, [x30, :lo12:probe.way] */
    0xc0, 0x03, 0x3f, 0xd6, /* 12: blr  x30 */
    0xfe, 0x07, 0x41, 0xf8, /* 16: ldr  x30, [sp], #16 */
    0x00, 0x00, 0x00, 0x14, /* 20: b    after the site */
    0,    0,    0,    0,    /* 24: record - . */
    0,    0,    0,    0,    /* 28: probe - . */
};

/* Which bits of its words are no distances. */
static const uint32_t entry_fixed[] = {0xffffffff, 0x9f00001f, 0xffc003ff, 0xffffffff,
                                       0xffffffff, 0xfc000000, 0,          0};

bool sdt_aarch64_is_entry(uint64_t address, const uint8_t *code, const struct sdt_entry *entry)
{
    enum { ENTER = SDT_AARCH64_ENTRY_ENTER, JUMP = SDT_AARCH64_ENTRY_JUMP };
    for (unsigned i = 0; i < SDT_ENTRY_SIZE; i += WORD)
        if ((sdt_aarch64_word(code + i) ^ sdt_aarch64_word(sdt_aarch64_entry_code + i)) &
            entry_fixed[i / WORD])
            return false;
    uint64_t page = (address + ENTER) & ~0xfffull;
    page += (uint64_t)adr_immediate(sdt_aarch64_word(code + ENTER)) << 12;
    uint64_t low = sdt_aarch64_word(code + ENTER + WORD) >> 10 & 0xfff;
    uint64_t record = address + SDT_ENTRY_RECORD, probe = address + SDT_ENTRY_PROBE;
    record += (uint64_t)(int32_t)sdt_aarch64_word(code + SDT_ENTRY_RECORD);
    probe += (uint64_t)(int32_t)sdt_aarch64_word(code + SDT_ENTRY_PROBE);
    return address % SDT_ENTRY_SIZE == 0 && page + low * sizeof(uint64_t) == entry_from(entry) &&
           sdt_aarch64_target(address + JUMP, sdt_aarch64_word(code + JUMP)) == entry->pc + WORD &&
           record == entry->record && probe == entry->probe;
}

void sdt_aarch64_make_entry(uint8_t *code, uint64_t address, const struct sdt_entry *entry)
{
    enum { ENTER = SDT_AARCH64_ENTRY_ENTER, JUMP = SDT_AARCH64_ENTRY_JUMP };
    uint64_t enter = entry_from(entry);
    uint32_t pages = (uint32_t)((enter >> 12) - ((address + ENTER) >> 12));
    memcpy(code, sdt_aarch64_entry_code, SDT_ENTRY_SIZE);
    put_word(code + ENTER,
             sdt_aarch64_word(code + ENTER) | (pages & 3) << 29 | (pages >> 2 & 0x7ffff) << 5);
    put_word(code + ENTER + WORD, sdt_aarch64_word(code + ENTER + WORD) |
                                      (uint32_t)(enter & 0xfff) / sizeof(uint64_t) << 10);
    put_word(code + JUMP,
             sdt_aarch64_encode_branch(SDT_AARCH64_B, address + JUMP, entry->pc + WORD));
    put_word(code + SDT_ENTRY_RECORD, (uint32_t)(entry->record - address - SDT_ENTRY_RECORD));
    put_word(code + SDT_ENTRY_PROBE, (uint32_t)(entry->probe - address - SDT_ENTRY_PROBE));
}
