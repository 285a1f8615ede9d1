/* SPDX-License-Identifier: BSD-2-Clause */
/* The site forms of riscv64: what is a branch, the ends of the reach, states. Instructions as
 * `riscv64-linux-gnu-objdump` prints them, in the comments. */
#include "check.h"

#include <arch/arch.h>
#include <sdt/format.h>
#include <string.h>

static void put(uint8_t *bytes, uint32_t word)
{
    for (int i = 0; i < 4; i++)
        bytes[i] = (uint8_t)(word >> 8 * i);
}

static void put_pair(uint8_t *bytes, uint32_t first, uint32_t second)
{
    put(bytes, first);
    put(bytes + 4, second);
}

static void test_branches(void)
{
    static const struct {
        uint32_t first, second;
        enum sdt_riscv64_branch branch;
    } cases[] = {
        {0x00000097, 0x000080e7, SDT_RISCV64_CALL},      /* auipc ra, 0; jalr ra */
        {0x00000317, 0x00030067, SDT_RISCV64_JUMP},      /* auipc t1, 0; jr t1 */
        {0x00001097, 0x000080e7, SDT_RISCV64_NO_BRANCH}, /* a displacement */
        {0x00000097, 0x004080e7, SDT_RISCV64_NO_BRANCH}, /* likewise */
        {0x00000297, 0x000282e7, SDT_RISCV64_NO_BRANCH}, /* auipc t0, 0; jalr t0, t0 */
        {0x00000397, 0x00038067, SDT_RISCV64_NO_BRANCH}, /* auipc t2, 0; jr t2 */
        {0x00000097, 0x00030067, SDT_RISCV64_NO_BRANCH}, /* auipc ra, 0; jr t1 */
    };
    uint8_t pair[8];
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        put_pair(pair, cases[i].first, cases[i].second);
        CHECK(sdt_riscv64_branch(pair) == cases[i].branch);
    }
    CHECK(sdt_riscv64_kind(SDT_USE_CALL, SDT_RISCV64_JUMP) == SDT_KIND_TAIL);
    CHECK(sdt_riscv64_kind(SDT_USE_INLINE, SDT_RISCV64_JUMP) == SDT_KIND_INLINE);
    CHECK(sdt_riscv64_kind(SDT_USE_INLINE, SDT_RISCV64_CALL) == 0);
    CHECK(sdt_riscv64_kind(SDT_USE_ENABLED, SDT_RISCV64_JUMP) == SDT_KIND_ENABLED_TAIL);
}

/* The ends of the reach: the upper part is rounded, so it is not symmetric. */
static void test_reach(void)
{
    const uint64_t here = 0x7f0012345678;
    static const int64_t inside[] = {-0x80000800ll, -0x801, -0x800, -2,          0, 2,
                                     0x7fe,         0x800,  0x802,  0x7ffff7fell};
    static const int64_t outside[] = {-0x80000802ll, 0x7ffff800ll, 1ll << 32, -(1ll << 40)};
    struct sdt_entry entry = {.kind = SDT_KIND_INLINE};
    uint8_t code[SDT_ENTRY_SIZE];
    for (size_t i = 0; i < sizeof inside / sizeof inside[0]; i++) {
        uint64_t there = here + (uint64_t)inside[i];
        CHECK(sdt_riscv64_can_reach(here, there) == (inside[i] % 2 == 0));
        /* The way back of an entry is such a pair. */
        entry.pc = there - 8;
        uint64_t at = here - SDT_RISCV64_ENTRY_RETURN;
        sdt_riscv64_make_entry(code, at, &entry);
        CHECK(sdt_riscv64_target(here, code + SDT_RISCV64_ENTRY_RETURN) == there);
    }
    for (size_t i = 0; i < sizeof outside / sizeof outside[0]; i++)
        CHECK(!sdt_riscv64_can_reach(here, here + (uint64_t)outside[i]));
}

static void test_states(void)
{
    static const struct {
        unsigned kind;
        uint32_t first, second;
        enum sdt_state state;
    } cases[] = {
        {SDT_KIND_CALL, 0x12345097, 0x67808013, SDT_STATE_OFF},       /* addi zero, ra, 1656 */
        {SDT_KIND_CALL, 0x12345097, 0x67800013, SDT_STATE_UNKNOWN},   /* li zero, 1656 */
        {SDT_KIND_CALL, 0x12345097, 0x678080e7, SDT_STATE_ON},        /* jalr 1656(ra) */
        {SDT_KIND_CALL, 0x12345097, 0x67809002, SDT_STATE_TRAP},      /* ebreak, of two bytes */
        {SDT_KIND_CALL, 0x12345097, 0x67818013, SDT_STATE_UNKNOWN},   /* addi zero, gp, 1656 */
        {SDT_KIND_CALL, 0x12345317, 0x67808013, SDT_STATE_UNKNOWN},   /* auipc t1 */
        {SDT_KIND_CALL, 0x12349002, 0x67808013, SDT_STATE_TRACED},    /* ebreak, a uprobe */
        {SDT_KIND_CALL, 0x00100073, 0x67808013, SDT_STATE_TRACED},    /* ebreak, of four bytes */
        {SDT_KIND_CALL, 0x00000073, 0x67808013, SDT_STATE_UNKNOWN},   /* ecall */
        {SDT_KIND_CALL, 0x12349002, 0x678080e7, SDT_STATE_ON},        /* traced, and armed */
        {SDT_KIND_INLINE, 0x12345317, 0x67830013, SDT_STATE_OFF},     /* addi zero, t1, 1656 */
        {SDT_KIND_INLINE, 0x12345317, 0x67830067, SDT_STATE_ON},      /* jr 1656(t1) */
        {SDT_KIND_INLINE, 0x12345317, 0x67830093, SDT_STATE_UNKNOWN}, /* addi ra, t1, 1656 */
        {SDT_KIND_TAIL, 0x12345397, 0x67838082, SDT_STATE_OFF},       /* ret */
        {SDT_KIND_TAIL, 0x12345397, 0x67838067, SDT_STATE_ON},        /* jr 1656(t2) */
        {SDT_KIND_TAIL, 0x12345397, 0x67830067, SDT_STATE_UNKNOWN},   /* jr 1656(t1) */
        {SDT_KIND_ENABLED, 0x00000013, 0x00000513, SDT_STATE_OFF},    /* nop; li a0, 0 */
        {SDT_KIND_ENABLED, 0x00000013, 0x00100513, SDT_STATE_ON},     /* nop; li a0, 1 */
        {SDT_KIND_ENABLED, 0x00000013, 0x00200513, SDT_STATE_UNKNOWN},
        {SDT_KIND_ENABLED, 0x12345097, 0x00000513, SDT_STATE_UNKNOWN},
        {SDT_KIND_ENABLED_TAIL, 0x00000013, 0x80824501, SDT_STATE_OFF}, /* nop; li a0, 0; ret */
        {SDT_KIND_ENABLED_TAIL, 0x00000013, 0x80824505, SDT_STATE_ON},
        {SDT_KIND_ENABLED_TAIL, 0x00000013, 0x00014505, SDT_STATE_UNKNOWN}, /* no ret */
        {SDT_KIND_JCC, 0x00000013, 0x00000013, SDT_STATE_UNKNOWN}, /* no kind of this machine */
        {SDT_KIND_NOP1, 0x80820001, 0, SDT_STATE_OFF},             /* nop, of two bytes; ret */
        {SDT_KIND_NOP1, 0x80829002, 0, SDT_STATE_TRAP},            /* ebreak */
        {SDT_KIND_NOP1, 0x00000013, 0, SDT_STATE_UNKNOWN},         /* nop, of four */
        {SDT_KIND_NOP1, 0x00100073, 0, SDT_STATE_UNKNOWN},         /* ebreak, of four */
    };
    uint8_t site[8];
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        put_pair(site, cases[i].first, cases[i].second);
        CHECK(sdt_riscv64_state(cases[i].kind, site) == cases[i].state);
    }
}

/* What is written is off; arming it changes one byte, and is on. */
static void test_each_form(void)
{
    static const unsigned kinds[] = {SDT_KIND_CALL, SDT_KIND_INLINE, SDT_KIND_TAIL,
                                     SDT_KIND_ENABLED, SDT_KIND_ENABLED_TAIL};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        const struct sdt_form *form = sdt_riscv64_form(kinds[i]);
        uint8_t site[8] = {0};
        sdt_riscv64_encode_off(kinds[i], site);
        CHECK(form->length == sizeof site && form->patch % 2 == 0);
        CHECK(sdt_riscv64_state(kinds[i], site) == SDT_STATE_OFF);
        CHECK(sdt_riscv64_parcel(site + form->patch) == sdt_riscv64_off(kinds[i]));
        unsigned changed = sdt_riscv64_off(kinds[i]) ^ sdt_riscv64_on(kinds[i]);
        CHECK(changed && ((changed & 0xff) == 0 || changed >> 8 == 0));
        site[form->patch] = (uint8_t)sdt_riscv64_on(kinds[i]);
        site[form->patch + 1] = (uint8_t)(sdt_riscv64_on(kinds[i]) >> 8);
        CHECK(sdt_riscv64_state(kinds[i], site) == SDT_STATE_ON);
    }
}

static void test_entries(void)
{
    const uint64_t at = 0x40001000;
    const struct sdt_entry good = {
        .pc = 0x41000802, .record = 0x50000000, .probe = 0x3fff0040, .kind = SDT_KIND_INLINE};
    uint8_t code[SDT_ENTRY_SIZE];
    sdt_riscv64_make_entry(code, at, &good);
    CHECK(sdt_riscv64_is_entry(at, code, &good));
    CHECK(!sdt_riscv64_is_entry(at + 4, code, &good));
    struct sdt_entry other = good;
    other.pc += 2;
    CHECK(!sdt_riscv64_is_entry(at, code, &other));
    other = good;
    other.record += 32;
    CHECK(!sdt_riscv64_is_entry(at, code, &other));
    other = good;
    other.probe += 64;
    CHECK(!sdt_riscv64_is_entry(at, code, &other));
    other = good;
    other.kind = SDT_KIND_NOP1;
    CHECK(!sdt_riscv64_is_entry(at, code, &other));
    code[8] ^= 0x80; /* jalr zero, 0(t1) */
    CHECK(!sdt_riscv64_is_entry(at, code, &good));
}

/* Of a note's site: t1 is kept, and the way back begins two bytes after the site's first. */
static void test_entries_of_notes(void)
{
    static const uint8_t keeps[] = {0x41, 0x11, 0x1a, 0xe4}; /* addi sp, sp, -16; sd t1, 8(sp) */
    const uint64_t at = 0x40001000;
    const struct sdt_entry good = {.pc = 0x41000802,
                                   .record = 0x50000000,
                                   .probe = 0x3fff0040,
                                   .kind = SDT_KIND_NOP1,
                                   .live_flags = true};
    uint8_t code[SDT_ENTRY_SIZE];
    sdt_riscv64_make_entry(code, at, &good);
    CHECK(sdt_riscv64_is_entry(at, code, &good));
    CHECK(memcmp(code, keeps, sizeof keeps) == 0);
    CHECK(sdt_riscv64_word(code + 16) + at + 16 == good.pc + 2);
    CHECK(sdt_riscv64_target(at + 4, code + 4) == good.probe + offsetof(struct sdt_probe, way));
    struct sdt_entry other = good;
    other.live_flags = false;
    CHECK(!sdt_riscv64_is_entry(at, code, &other));
    other = good;
    other.kind = SDT_KIND_INLINE;
    CHECK(!sdt_riscv64_is_entry(at, code, &other));
    other = good;
    other.pc += 2;
    CHECK(!sdt_riscv64_is_entry(at, code, &other));
    code[16] ^= 2; /* two bytes further */
    CHECK(!sdt_riscv64_is_entry(at, code, &good));
}

/* Between two steps, the branch CODE at HERE leads to OLD or THERE, or does nothing: it has OFF. */
static void reaim(uint8_t *code, uint64_t here, uint64_t old, uint64_t there, uint16_t off)
{
    uint8_t at[SDT_RISCV64_REAIM_MOST];
    uint16_t values[SDT_RISCV64_REAIM_MOST];
    for (unsigned step = 0; step < SDT_RISCV64_REAIM_STEPS; step++) {
        unsigned n = sdt_riscv64_reaim(here, code, there, step, at, values);
        CHECK(n == (step == 1 ? 3u : 1u));
        for (unsigned edit = 0; edit < n; edit++) {
            CHECK((at[edit] == 4) == (step != 1)); /* the parcel that says what is done */
            memcpy(code + at[edit], &values[edit], sizeof values[edit]);
        }
        CHECK((sdt_riscv64_parcel(code + 4) == off) == (step < 2));
        CHECK(sdt_riscv64_companion_branch(here, code) == (step == 0 ? old : there));
    }
}

static void test_reaiming(void)
{
    static const struct {
        uint32_t first, second;
        uint16_t off;
    } cases[] = {
        {0x00001097, 0x7d0080e7, 0x8013}, /* auipc ra, 1; jalr ra, 2000(ra); addi zero, ra, … */
        {0x00001317, 0x7d030067, 0x8082}, /* auipc t1, 1; jr 2000(t1); ret */
    };
    static const int64_t distances[] = {-2, 2, 0x7fe, 0x800, -0x800, -0x802, 0x12345678};
    const uint64_t here = 0x3f12345678, old = here + 4096 + 2000;
    uint8_t code[SDT_RISCV64_COMPANION_BRANCH];
    for (size_t i = 0; i < 2 * (sizeof distances / sizeof distances[0]); i++) {
        put_pair(code, cases[i % 2].first, cases[i % 2].second);
        CHECK(sdt_riscv64_companion_branch(here, code) == old);
        reaim(code, here, old, here + (uint64_t)distances[i / 2], cases[i % 2].off);
        CHECK((sdt_riscv64_word(code) ^ cases[i % 2].first) << 20 == 0);
        CHECK((sdt_riscv64_word(code + 4) ^ cases[i % 2].second) << 12 == 0);
        CHECK(!sdt_riscv64_reaim(here, code, old + ((uint64_t)1 << 32), 0, (uint8_t[3]){0},
                                 (uint16_t[3]){0}));
        code[0] ^= 0x80; /* auipc by another register */
        CHECK(!sdt_riscv64_companion_branch(here, code));
        CHECK(!sdt_riscv64_reaim(here, code, old, 0, (uint8_t[3]){0}, (uint16_t[3]){0}));
    }
}

int main(void)
{
    test_branches();
    test_reach();
    test_reaiming();
    test_states();
    test_each_form();
    test_entries();
    test_entries_of_notes();
    return check_failures != 0;
}
