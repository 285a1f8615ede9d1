/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * riscv64 site forms. Instructions are parcels of two bytes, and of an instruction of four only
 * the first parcel says what it does: register numbers and operation are in it, but for the upper
 * bits of rs1, and the displacement of a jalr is in the other one. So all sites that compilers call
 * are 8 bytes, a place for auipc and jalr, and change by one aligned parcel, whatever the linker
 * has written:
 *
 *                 off                                  on              breakpoint
 *     call        auipc ra, stub   addi zero, ra, …    jalr ra, …(ra)  c.ebreak
 *     inline      auipc t1, entry  addi zero, t1, …    jr …(t1)        c.ebreak
 *     tail        auipc t2, loader c.jr ra             jr …(t2)        c.ebreak
 *     enabled     nop              li a0, 0            li a0, 1        (second parcel)
 *     enabled-tail nop             c.li a0, 0; c.jr ra c.li a0, 1
 *     nop1        c.nop                                (no room)       c.ebreak
 *
 * Off and on differ in one byte of the parcel: the kernel, which copies byte by byte, can write it
 * for us. So a tail site uses t2, the bits of whose number fall that way; compilers write t1.
 * docs/decisions/0043-forms-of-a-site-on-riscv64.md has the reasons.
 */
#include "forms.h"

#include <sdt/format.h>
#include <stddef.h>
#include <string.h>

enum { PARCEL = 2, SECOND = 4 /* where a site's second instruction is */ };

/* clang-format off */
static const struct sdt_form forms[] = {
    /* name, length, field, patch, trap, mm, branch_at, on, off, returns, keeps_branch,
       is_enabled_test */
    [SDT_KIND_CALL]         = {"call",         8, 0, 4, 4, 0, 0, 0, 0, false, true,  false},
    [SDT_KIND_INLINE]       = {"inline",       8, 0, 4, 4, 0, 0, 0, 0, false, true,  false},
    [SDT_KIND_TAIL]         = {"tail",         8, 0, 4, 4, 0, 0, 0, 0, true,  true,  false},
    [SDT_KIND_ENABLED]      = {"enabled",      8, 0, 6, 8, 0, 0, 0, 0, false, false, true},
    [SDT_KIND_ENABLED_TAIL] = {"enabled-tail", 8, 0, 4, 8, 0, 0, 0, 0, true,  false, true},
    [SDT_KIND_NOP1]         = {"nop1",         2, 0, 0, 0, 0, 0, 0, 0, false, false, false},
};

/* What a site is made of. Of a note's there is nothing but the parcel. */
static const struct shape {
    uint32_t first;          /* the first instruction; its bits from 12 on may be a displacement */
    uint16_t off, on;        /* the parcel at `patch` */
    uint16_t other;          /* the other parcel of the second instruction, … */
    uint16_t displacement;   /* … but for these bits */
} shapes[] = {
    [SDT_KIND_CALL] = {SDT_RISCV64_AUIPC_RA, SDT_RISCV64_ADDI_RA, SDT_RISCV64_JALR_RA_FIRST,
                       SDT_RISCV64_JALR_RA >> 16, 0xfff0},
    [SDT_KIND_INLINE] = {SDT_RISCV64_AUIPC_T1, SDT_RISCV64_ADDI_T1, SDT_RISCV64_JUMP_T1_FIRST,
                         SDT_RISCV64_JUMP_T1 >> 16, 0xfff0},
    [SDT_KIND_TAIL] = {SDT_RISCV64_AUIPC_T2, SDT_RISCV64_RETURN, SDT_RISCV64_JUMP_T2_FIRST,
                       SDT_RISCV64_JUMP_T2 >> 16, 0xfff0},
    [SDT_KIND_ENABLED] = {SDT_RISCV64_NOP4, 0x0000, 0x0010, SDT_RISCV64_ANSWER_NO & 0xffff, 0},
    [SDT_KIND_ENABLED_TAIL] = {SDT_RISCV64_NOP4, SDT_RISCV64_LI_A0_0, SDT_RISCV64_LI_A0_1,
                               SDT_RISCV64_RETURN, 0},
    [SDT_KIND_NOP1] = {0, SDT_RISCV64_NOP2, SDT_RISCV64_NOP2, 0, 0},
};
/* clang-format on */

const struct sdt_form *sdt_riscv64_form(unsigned kind)
{
    if (kind >= sizeof forms / sizeof forms[0] || !forms[kind].name)
        return NULL;
    return &forms[kind];
}

/* ---- As compiled. ---- */

enum sdt_riscv64_branch sdt_riscv64_branch(const uint8_t *pair)
{
    uint32_t first = sdt_riscv64_word(pair), second = sdt_riscv64_word(pair + SECOND);
    if (first == SDT_RISCV64_AUIPC_RA && second == SDT_RISCV64_JALR_RA)
        return SDT_RISCV64_CALL;
    if (first == SDT_RISCV64_AUIPC_T1 && second == SDT_RISCV64_JUMP_T1)
        return SDT_RISCV64_JUMP;
    return SDT_RISCV64_NO_BRANCH;
}

/* An inline site is a jump, which spares it the register of return addresses; it asks by a call. */
unsigned sdt_riscv64_kind(enum sdt_use use, enum sdt_riscv64_branch branch)
{
    static const uint8_t kinds[][SDT_RISCV64_JUMP + 1] = {
        [SDT_USE_CALL] = {0, SDT_KIND_CALL, SDT_KIND_TAIL},
        [SDT_USE_INLINE] = {0, 0, SDT_KIND_INLINE},
        [SDT_USE_ENABLED] = {0, SDT_KIND_ENABLED, SDT_KIND_ENABLED_TAIL},
    };
    return kinds[use][branch];
}

/* ---- States. ---- */

static void put_parcel(uint8_t *bytes, uint16_t parcel)
{
    bytes[0] = (uint8_t)parcel;
    bytes[1] = (uint8_t)(parcel >> 8);
}

static void put_word(uint8_t *bytes, uint32_t word)
{
    put_parcel(bytes, (uint16_t)word);
    put_parcel(bytes + PARCEL, (uint16_t)(word >> 16));
}

uint16_t sdt_riscv64_on(unsigned kind)
{
    return shapes[kind].on;
}

uint16_t sdt_riscv64_off(unsigned kind)
{
    return shapes[kind].off;
}

/* Where the parcel of the second instruction is that stays. */
static unsigned other_at(unsigned kind)
{
    return forms[kind].patch == SECOND ? SECOND + PARCEL : SECOND;
}

void sdt_riscv64_encode_off(unsigned kind, uint8_t *site)
{
    if (kind == SDT_KIND_NOP1) {
        put_parcel(site, SDT_RISCV64_NOP2);
        return;
    }
    /* A linked call, of a companion's object, has its displacement. */
    uint32_t kept = forms[kind].keeps_branch ? sdt_riscv64_word(site) & 0xfffff000 : 0;
    uint16_t other = sdt_riscv64_parcel(site + other_at(kind)) & shapes[kind].displacement;
    put_word(site, shapes[kind].first | kept);
    put_parcel(site + forms[kind].patch, shapes[kind].off);
    put_parcel(site + other_at(kind), shapes[kind].other | other);
}

bool sdt_riscv64_is_breakpoint(uint16_t parcel, uint16_t next)
{
    return parcel == SDT_RISCV64_BREAK || (parcel == 0x0073 && next == 0x0010);
}

enum sdt_state sdt_riscv64_state(unsigned kind, const uint8_t *site)
{
    const struct sdt_form *form = sdt_riscv64_form(kind);
    if (!form)
        return SDT_STATE_UNKNOWN;
    uint16_t begin = sdt_riscv64_parcel(site);
    if (kind == SDT_KIND_NOP1) /* we use the same breakpoint instruction as all others */
        return begin == SDT_RISCV64_NOP2    ? SDT_STATE_OFF
               : begin == SDT_RISCV64_BREAK ? SDT_STATE_TRAP
                                            : SDT_STATE_UNKNOWN;
    const struct shape *shape = &shapes[kind];
    uint32_t first = sdt_riscv64_word(site);
    uint32_t fixed = form->keeps_branch ? 0xfff : 0xffffffff;
    uint16_t now = sdt_riscv64_parcel(site + form->patch);
    uint16_t other = sdt_riscv64_parcel(site + other_at(kind));
    bool has_first = ((first ^ shape->first) & fixed) == 0;
    bool is_covered = sdt_riscv64_is_breakpoint(begin, sdt_riscv64_parcel(site + PARCEL));
    if ((!has_first && !is_covered) || (other ^ shape->other) & ~shape->displacement)
        return SDT_STATE_UNKNOWN;
    if (now == shape->on)
        return SDT_STATE_ON;
    if (now == shape->off)
        return has_first ? SDT_STATE_OFF : SDT_STATE_TRACED;
    return now == SDT_RISCV64_BREAK && !form->is_enabled_test ? SDT_STATE_TRAP : SDT_STATE_UNKNOWN;
}

/* ---- Branches. ---- */

static int64_t upper(uint32_t word)
{
    return (int32_t)(word & 0xfffff000);
}

static int64_t lower(uint32_t word)
{
    return (int32_t)word >> 20;
}

bool sdt_riscv64_can_reach(uint64_t from, uint64_t to)
{
    const int64_t reach = (int64_t)1 << 31, half = 1 << 11;
    int64_t distance = (int64_t)(to - from);
    return distance % PARCEL == 0 && distance >= -reach - half && distance < reach - half;
}

uint64_t sdt_riscv64_target(uint64_t address, const uint8_t *pair)
{
    uint32_t first = sdt_riscv64_word(pair), second = sdt_riscv64_word(pair + SECOND);
    return address + (uint64_t)(upper(first) + lower(second));
}

/* Add the displacement of TO to the two instructions PAIR, which will be at FROM. */
static void put_displacement(uint8_t *pair, uint64_t from, uint64_t to)
{
    uint32_t distance = (uint32_t)(to - from), high = (distance + 0x800) & 0xfffff000;
    put_word(pair, sdt_riscv64_word(pair) | high);
    put_word(pair + SECOND, sdt_riscv64_word(pair + SECOND) | (distance - high) << 20);
}

/* What a companion's branch is made of: a call, or this jump, which returns when it is off. */
static const struct shape jump_shape = {SDT_RISCV64_AUIPC_T1, SDT_RISCV64_RETURN,
                                        SDT_RISCV64_JUMP_T1_FIRST, SDT_RISCV64_JUMP_T1 >> 16,
                                        0xfff0};

static const struct shape *branch_shape(const uint8_t *branch)
{
    const struct shape *const all[] = {&shapes[SDT_KIND_CALL], &jump_shape};
    uint16_t now = sdt_riscv64_parcel(branch + SECOND);
    uint16_t other = sdt_riscv64_parcel(branch + SECOND + PARCEL);
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        if (((sdt_riscv64_word(branch) ^ all[i]->first) & 0xfff) == 0 &&
            ((other ^ all[i]->other) & ~all[i]->displacement) == 0 &&
            (now == all[i]->off || now == all[i]->on))
            return all[i];
    return NULL;
}

uint64_t sdt_riscv64_companion_branch(uint64_t address, const uint8_t *branch)
{
    return branch_shape(branch) ? sdt_riscv64_target(address, branch) : 0;
}

/*
 * Both instructions have a part of the displacement. So the branch is disabled first: what is then
 * at its second half does not use the register that the first one sets.
 */
unsigned sdt_riscv64_reaim(uint64_t address, const uint8_t *branch, uint64_t to, unsigned step,
                           uint8_t at[SDT_RISCV64_REAIM_MOST],
                           uint16_t values[SDT_RISCV64_REAIM_MOST])
{
    static const uint8_t others[] = {0, PARCEL, SECOND + PARCEL};
    const struct shape *shape = branch_shape(branch);
    if (!shape || !sdt_riscv64_can_reach(address, to))
        return 0;
    if (step != 1) {
        at[0] = SECOND;
        values[0] = step == 0 ? shape->off : shape->on;
        return 1;
    }
    uint8_t pair[SDT_RISCV64_COMPANION_BRANCH];
    put_word(pair, shape->first);
    put_word(pair + SECOND, (uint32_t)shape->other << 16);
    put_displacement(pair, address, to);
    for (unsigned i = 0; i < sizeof others; i++) {
        at[i] = others[i];
        values[i] = sdt_riscv64_parcel(pair + others[i]);
    }
    return sizeof others;
}

static uint64_t follow(uint64_t address, const uint8_t *word)
{
    return address + (uint64_t)(int32_t)sdt_riscv64_word(word);
}

/* Whether CODE is TEMPLATE but for displacements: FIXED has the bits of each word that are not. */
static bool is_like(const uint8_t *code, const uint8_t *template, const uint32_t *fixed, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if ((sdt_riscv64_word(code + 4 * i) ^ sdt_riscv64_word(template + 4 * i)) & fixed[i])
            return false;
    return true;
}

/* ---- Code that the tool adds. ---- */

/* clang-format off */
const uint8_t sdt_riscv64_moved_code[SDT_RISCV64_MOVED_SIZE] = {
    0x97, 0x03, 0x00, 0x00, /*  0: auipc t2, 0 */
    0x82, 0x80,             /*  4: c.jr  ra; armed: jr 8(t2), of which this is the first half … */
    0x83, 0x00,             /*  6: … and this the second */
    0x97, 0x03, 0x00, 0x00, /*  8: the loader: auipc t2, 0 */
    0x03, 0xa3, 0x43, 0x01, /* 12: lw    t1, 20(t2) */
    0x9a, 0x93,             /* 16: c.add t2, t1: the address of the patch parcel */
    0x01, 0x00,             /* 18: c.nop */
    0x17, 0x03, 0x00, 0x00, /* 20: auipc t1, stub + SDT_STUB_AT */
    0x67, 0x00, 0x03, 0x00, /* 24: jr    …(t1) */
    0,    0,    0,    0,    /* 28: patch - loader */
};
/* clang-format on */

bool sdt_riscv64_is_loader(uint64_t address, const uint8_t *code, uint64_t patch, uint64_t stub)
{
    static const uint32_t fixed[] = {0xffffffff, 0xffffffff, 0xffffffff, 0xfff, 0xfffff};
    const uint8_t *jump = code + SDT_RISCV64_LOADER_JUMP;
    const uint8_t *loader = sdt_riscv64_moved_code + SDT_RISCV64_MOVED_LOADER;
    return is_like(code, loader, fixed, sizeof fixed / sizeof fixed[0]) &&
           follow(address, code + SDT_RISCV64_LOADER_PATCH) == patch &&
           sdt_riscv64_target(address + SDT_RISCV64_LOADER_JUMP, jump) == stub + SDT_STUB_AT;
}

bool sdt_riscv64_is_stub(const uint8_t *code)
{
    static const uint8_t head[SDT_RISCV64_STUB_HEAD] = {
        0x86, 0x83,             /*  0: c.mv   t2, ra */
        0xf1, 0x13,             /*  2: c.addi t2, -4 */
        0x11, 0xa0,             /*  4: c.j    .+4 */
        0x82, 0x80,             /*  6: c.jr   ra */
        0x97, 0x02, 0x00, 0x00, /*  8: auipc  t0, 0 */
        0x03, 0xa3, 0x42, 0x01, /* 12: lw     t1, 20(t0) */
    };
    return memcmp(code, head, sizeof head) == 0;
}

uint64_t sdt_riscv64_stub_probe(uint64_t address, const uint8_t *code)
{
    return follow(address + SDT_STUB_AT, code + SDT_RISCV64_STUB_PROBE);
}

/* ---- Entries. ---- */

const uint8_t sdt_riscv64_entry_code[SDT_ENTRY_SIZE] = {
    0x17, 0x03, 0x00, 0x00, /*  0: auipc t1, probe.way */
    0x03, 0x33, 0x03, 0x00, /*  4: ld    t1, …(t1) */
    0x67, 0x03, 0x03, 0x00, /*  8: jalr  t1, 0(t1) */
    0x17, 0x03, 0x00, 0x00, /* 12: auipc t1, after the site */
    0x67, 0x00, 0x03, 0x00, /* 16: jr    …(t1) */
    0x13, 0x00, 0x00, 0x00, /* 20: nop */
    0,    0,    0,    0,    /* 24: record - . */
    0,    0,    0,    0,    /* 28: probe - . */
};

/* Of a note's site, where no register is to spare: t1 is kept, and what is called goes back itself.
 */
const uint8_t sdt_riscv64_note_entry_code[SDT_ENTRY_SIZE] = {
    0x41, 0x11,             /*  0: c.addi sp, -16 */
    0x1a, 0xe4,             /*  2: c.sdsp t1, 8(sp) */
    0x17, 0x03, 0x00, 0x00, /*  4: auipc t1, probe.way */
    0x03, 0x33, 0x03, 0x00, /*  8: ld    t1, …(t1) */
    0x67, 0x03, 0x03, 0x00, /* 12: jalr  t1, 0(t1) */
    0,    0,    0,    0,    /* 16: after the site - . */
    0,    0,    0,    0,    /* 20: nothing */
    0,    0,    0,    0,    /* 24: record - . */
    0,    0,    0,    0,    /* 28: probe - . */
};

static uint64_t entry_after(const struct sdt_entry *entry)
{
    return entry->pc + forms[entry->kind].length;
}

/* Whether CODE goes where it must, and back. */
static bool is_inline_entry(uint64_t address, const uint8_t *code, const struct sdt_entry *entry)
{
    static const uint32_t fixed[] = {0xfff, 0xfffff, 0xffffffff, 0xfff, 0xfffff, 0xffffffff};
    const uint8_t *back = code + SDT_RISCV64_ENTRY_RETURN;
    return is_like(code, sdt_riscv64_entry_code, fixed, sizeof fixed / sizeof fixed[0]) &&
           sdt_riscv64_target(address, code) == entry_from(entry) &&
           sdt_riscv64_target(address + SDT_RISCV64_ENTRY_RETURN, back) == entry_after(entry);
}

/* Only the ways of a probe with live flags go back from here. */
static bool is_note_entry(uint64_t address, const uint8_t *code, const struct sdt_entry *entry)
{
    static const uint32_t fixed[] = {0xffffffff, 0xfff, 0xfffff, 0xffffffff, 0, 0xffffffff};
    const uint8_t *enter = code + SDT_RISCV64_NOTE_ENTRY_ENTER;
    const uint8_t *after = code + SDT_RISCV64_NOTE_ENTRY_AFTER;
    return entry->live_flags &&
           is_like(code, sdt_riscv64_note_entry_code, fixed, sizeof fixed / sizeof fixed[0]) &&
           sdt_riscv64_target(address + SDT_RISCV64_NOTE_ENTRY_ENTER, enter) == entry_from(entry) &&
           follow(address + SDT_RISCV64_NOTE_ENTRY_AFTER, after) == entry_after(entry);
}

bool sdt_riscv64_is_entry(uint64_t address, const uint8_t *code, const struct sdt_entry *entry)
{
    bool is_note = entry->kind == SDT_KIND_NOP1;
    return address % SDT_ENTRY_SIZE == 0 &&
           (is_note ? is_note_entry : is_inline_entry)(address, code, entry) &&
           follow(address + SDT_ENTRY_RECORD, code + SDT_ENTRY_RECORD) == entry->record &&
           follow(address + SDT_ENTRY_PROBE, code + SDT_ENTRY_PROBE) == entry->probe;
}

/* Write the distance of TO to the word at AT of CODE, which will be at ADDRESS. */
static void put_distance(uint8_t *code, uint64_t address, unsigned at, uint64_t to)
{
    put_word(code + at, (uint32_t)(to - address - at));
}

void sdt_riscv64_make_entry(uint8_t *code, uint64_t address, const struct sdt_entry *entry)
{
    enum {
        BACK = SDT_RISCV64_ENTRY_RETURN,
        ENTER = SDT_RISCV64_NOTE_ENTRY_ENTER,
        AFTER = SDT_RISCV64_NOTE_ENTRY_AFTER
    };
    if (entry->kind == SDT_KIND_NOP1) {
        memcpy(code, sdt_riscv64_note_entry_code, SDT_ENTRY_SIZE);
        put_displacement(code + ENTER, address + ENTER, entry_from(entry));
        put_distance(code, address, AFTER, entry_after(entry));
    } else {
        memcpy(code, sdt_riscv64_entry_code, SDT_ENTRY_SIZE);
        put_displacement(code, address, entry_from(entry));
        put_displacement(code + BACK, address + BACK, entry_after(entry));
    }
    put_distance(code, address, SDT_ENTRY_RECORD, entry->record);
    put_distance(code, address, SDT_ENTRY_PROBE, entry->probe);
}
