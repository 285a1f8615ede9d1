/* SPDX-License-Identifier: BSD-2-Clause */
/* The site forms of aarch64: what is a branch, the ends of the reach, states, what linkers make of
 * addresses. Instructions as `aarch64-linux-gnu-objdump` prints them, in the comments. */
#include "check.h"

#include <arch/arch.h>
#include <sdt/format.h>
#include <string.h>

static void put(uint8_t *bytes, uint32_t word)
{
    for (int i = 0; i < 4; i++)
        bytes[i] = (uint8_t)(word >> 8 * i);
}

static void test_branches(void)
{
    static const struct {
        uint32_t word;
        enum sdt_aarch64_branch branch;
    } cases[] = {
        {0x94000000, SDT_AARCH64_CALL},        /* bl . */
        {0x14000000, SDT_AARCH64_JUMP},        /* b . */
        {0x94000001, SDT_AARCH64_NO_BRANCH},   /* a displacement */
        {0x54000000, SDT_AARCH64_CONDITIONAL}, /* b.eq . */
        {0x5400000d, SDT_AARCH64_CONDITIONAL}, /* b.le . */
        {0x54000020, SDT_AARCH64_NO_BRANCH},   /* b.eq .+4 */
        {0xb4000000, SDT_AARCH64_CONDITIONAL}, /* cbz x0, . */
        {0x3500001e, SDT_AARCH64_CONDITIONAL}, /* cbnz w30, . */
        {0xb6400005, SDT_AARCH64_CONDITIONAL}, /* tbz x5, #40, . */
        {0x37080000, SDT_AARCH64_CONDITIONAL}, /* tbnz w0, #1, . */
        {0x37080020, SDT_AARCH64_NO_BRANCH},   /* tbnz w0, #1, .+4 */
        {0xd63f0000, SDT_AARCH64_NO_BRANCH},   /* blr x0 */
        {0xd503201f, SDT_AARCH64_NO_BRANCH},   /* nop */
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        CHECK(sdt_aarch64_branch(cases[i].word) == cases[i].branch);
    CHECK(sdt_aarch64_kind(SDT_USE_CALL, SDT_AARCH64_CONDITIONAL) == SDT_KIND_JCC);
    CHECK(sdt_aarch64_kind(SDT_USE_ENABLED, SDT_AARCH64_CONDITIONAL) == SDT_KIND_ENABLED_TAIL);
    CHECK(sdt_aarch64_kind(SDT_USE_INLINE, SDT_AARCH64_JUMP) == 0);
}

/* The ends of the reach, one word inside and one outside; and what is no word. */
static void test_reach(void)
{
    const uint64_t here = 0x7f0012345678, most = 1 << 27;
    static const int64_t inside[] = {-(1 << 27), -4, 0, 4, (1 << 27) - 4};
    for (size_t i = 0; i < sizeof inside / sizeof inside[0]; i++) {
        uint64_t there = here + (uint64_t)inside[i];
        CHECK(sdt_aarch64_can_reach(here, there));
        uint32_t word = sdt_aarch64_encode_branch(SDT_AARCH64_BL, here, there);
        CHECK(word >> 26 == 0x25 && sdt_aarch64_is_branch(word));
        CHECK(sdt_aarch64_target(here, word) == there);
        word = sdt_aarch64_encode_branch(SDT_AARCH64_B, here, there);
        CHECK(word >> 26 == 0x05 && sdt_aarch64_target(here, word) == there);
    }
    CHECK(!sdt_aarch64_can_reach(here, here + most));
    CHECK(!sdt_aarch64_can_reach(here, here - most - 4));
    CHECK(!sdt_aarch64_can_reach(here, here + 2) && !sdt_aarch64_can_reach(here, here - 1));
    CHECK(!sdt_aarch64_can_reach(0, (uint64_t)1 << 63) && !sdt_aarch64_can_reach(0, 1ull << 32));
}

/* Branches that a companion aims elsewhere: where they lead, the ends of their reach, and all other
 * bits as they were. */
static void test_reaiming(void)
{
    static const struct {
        uint32_t word;
        int64_t distance, reach;
    } cases[] = {
        {0x17fffff0, -64, 1 << 27},     /* b .-64 */
        {0x94000004, 16, 1 << 27},      /* bl .+16 */
        {0x5400008b, 16, 1 << 20},      /* b.lt .+16 */
        {0xb4ffff80, -16, 1 << 20},     /* cbz x0, .-16 */
        {0x3500009e, 16, 1 << 20},      /* cbnz w30, .+16 */
        {0xb6470005, -0x2000, 1 << 15}, /* tbz x5, #40, .-0x2000 */
        {0x37180080, 16, 1 << 15},      /* tbnz w0, #3, .+16 */
    };
    const uint64_t here = 0x7f0012345678;
    uint8_t code[4];
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        int64_t reach = cases[i].reach, ends[] = {-reach, reach - 4, cases[i].distance};
        put(code, cases[i].word);
        CHECK(sdt_aarch64_companion_branch(here, code) == here + (uint64_t)cases[i].distance);
        CHECK(!sdt_aarch64_reaim(here, code, here + (uint64_t)reach));
        CHECK(!sdt_aarch64_reaim(here, code, here - (uint64_t)reach - 4));
        CHECK(!sdt_aarch64_reaim(here, code, here + 2));
        for (size_t end = 0; end < sizeof ends / sizeof ends[0]; end++) {
            put(code, sdt_aarch64_reaim(here, code, here + (uint64_t)ends[end]));
            CHECK(sdt_aarch64_companion_branch(here, code) == here + (uint64_t)ends[end]);
        }
        CHECK(sdt_aarch64_word(code) == cases[i].word);
    }
    put(code, 0xd65f03c0); /* ret */
    CHECK(!sdt_aarch64_companion_branch(here, code) && !sdt_aarch64_reaim(here, code, here));
}

static void test_states(void)
{
    static const struct {
        unsigned kind;
        uint32_t word;
        enum sdt_state state;
    } cases[] = {
        {SDT_KIND_CALL, 0xd503201f, SDT_STATE_OFF},       /* nop */
        {SDT_KIND_CALL, 0x97fffff0, SDT_STATE_ON},        /* bl .-64 */
        {SDT_KIND_CALL, 0x17fffff0, SDT_STATE_UNKNOWN},   /* b .-64 */
        {SDT_KIND_CALL, 0xd420bae0, SDT_STATE_TRAP},      /* brk #0x5d7 */
        {SDT_KIND_CALL, 0xd4200000, SDT_STATE_TRACED},    /* brk #0, gdb's */
        {SDT_KIND_CALL, 0xd42000a0, SDT_STATE_TRACED},    /* brk #5, a uprobe */
        {SDT_KIND_CALL, 0xd65f03c0, SDT_STATE_UNKNOWN},   /* ret */
        {SDT_KIND_CALL, 0xd503245f, SDT_STATE_UNKNOWN},   /* bti c */
        {SDT_KIND_INLINE, 0x17fffff0, SDT_STATE_ON},      /* b .-64 */
        {SDT_KIND_INLINE, 0x97fffff0, SDT_STATE_UNKNOWN}, /* bl .-64 */
        {SDT_KIND_TAIL, 0x14000003, SDT_STATE_OFF},       /* b .+12 */
        {SDT_KIND_TAIL, 0xd503201f, SDT_STATE_ON},        /* nop */
        {SDT_KIND_TAIL, 0xd420bae0, SDT_STATE_TRAP},      /* brk #0x5d7 */
        {SDT_KIND_TAIL, 0x14000002, SDT_STATE_UNKNOWN},   /* b .+8 */
        {SDT_KIND_JCC, 0x14000003, SDT_STATE_OFF},        /* b .+12 */
        {SDT_KIND_CALL6, 0xd503201f, SDT_STATE_UNKNOWN},  /* no kind of this machine */
    };
    uint8_t site[8] = {0};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        put(site, cases[i].word);
        CHECK(sdt_aarch64_state(cases[i].kind, site) == cases[i].state);
    }
    put(site, 0x52800000); /* mov w0, #0 */
    put(site + 4, 0x14000002);
    CHECK(sdt_aarch64_state(SDT_KIND_ENABLED, site) == SDT_STATE_OFF);
    put(site + 4, 0xd503201f);
    CHECK(sdt_aarch64_state(SDT_KIND_ENABLED_TAIL, site) == SDT_STATE_ON);
    put(site, 0x52800020); /* mov w0, #1 */
    CHECK(sdt_aarch64_state(SDT_KIND_ENABLED, site) == SDT_STATE_UNKNOWN);
}

/* adrp and add, and what linkers make of them. */
static void test_addresses(void)
{
    static const struct {
        uint32_t first, second;
        uint64_t value;
    } cases[] = {
        {0x9000000a, 0x9100014a, 0x40010000}, /* adrp x10, .; add x10, x10, #0 */
        {0xb000000a, 0x913ffd4a, 0x40011fff}, /* the next page; add x10, x10, #0xfff */
        {0xf0ffffea, 0x9100014a, 0x4000f000}, /* the page before */
        {0xd503201f, 0x1000004a, 0x40010010}, /* nop; adr x10, .+8 */
        {0x1000004a, 0xd503201f, 0x4001000c}, /* adr x10, .+8; nop */
        {0x10ffffca, 0x9100214a, 0x40010004}, /* adr x10, .-8; add x10, x10, #8 */
        {0x9000000b, 0x9100014a, 0},          /* another register */
        {0xd503201f, 0x9100014a, 0},          /* add to nothing */
        {0x9000000a, 0xf9400150, 0},          /* a load */
    };
    uint8_t pair[8];
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        put(pair, cases[i].first);
        put(pair + 4, cases[i].second);
        CHECK(sdt_aarch64_address(0x40010004, pair, 10) == cases[i].value);
    }
}

int main(void)
{
    test_branches();
    test_reach();
    test_reaiming();
    test_states();
    test_addresses();
    return check_failures != 0;
}
