/* SPDX-License-Identifier: BSD-2-Clause */
/* The site forms of x86-64: encode and decode, every byte value, the ends of the reach. */
#include "check.h"

#include <arch/arch.h>
#include <sdt/format.h>
#include <string.h>

static void set(uint8_t *site, const char *bytes, size_t length)
{
    memset(site, 0xaa, 8);
    memcpy(site, bytes, length);
}

static void test_decode(void)
{
    struct {
        const char *bytes;
        size_t field;
        enum sdt_use use;
        bool got;
        unsigned kind;
    } cases[] = {
        {"\xe8", 1, SDT_USE_CALL, false, SDT_KIND_CALL},
        {"\xe9", 1, SDT_USE_CALL, false, SDT_KIND_TAIL},
        {"\x0f\x84", 2, SDT_USE_CALL, false, SDT_KIND_JCC},
        {"\x0f\x8f", 2, SDT_USE_CALL, false, SDT_KIND_JCC},
        {"\x0f\x7f", 2, SDT_USE_CALL, false, 0},
        {"\x90\x66\x0f\x1f\x00\xe8", 6, SDT_USE_INLINE, false, SDT_KIND_INLINE},
        {"\x90\xe8", 2, SDT_USE_INLINE, false, 0},
        {"\xe8", 1, SDT_USE_FUNCTION, false, SDT_KIND_FUNCTION},
        {"\xe9", 1, SDT_USE_FUNCTION, false, 0},
        {"\xff\x15", 2, SDT_USE_FUNCTION, true, SDT_KIND_FUNCTION6},
        {"\xff\x25", 2, SDT_USE_FUNCTION, true, 0},
        {"\x91\xe8", 2, SDT_USE_INLINE, false, 0},
        {"\x90\xe9", 2, SDT_USE_INLINE, false, 0},
        {"\xe8", 1, SDT_USE_ENABLED, false, SDT_KIND_ENABLED},
        {"\xe9", 1, SDT_USE_ENABLED, false, SDT_KIND_ENABLED_TAIL},
        {"\x0f\x84", 2, SDT_USE_ENABLED, false, SDT_KIND_ENABLED_TAIL},
        {"\x0f\x84", 2, SDT_USE_INLINE, false, 0},
        {"\xff\x15", 2, SDT_USE_CALL, true, SDT_KIND_CALL6},
        {"\xff\x25", 2, SDT_USE_CALL, true, SDT_KIND_TAIL6},
        {"\xff\x15", 2, SDT_USE_ENABLED, true, SDT_KIND_ENABLED6},
        {"\xff\x25", 2, SDT_USE_ENABLED, true, SDT_KIND_ENABLED_TAIL6},
        {"\xff\x15", 2, SDT_USE_CALL, false, 0},
        {"\xe8", 1, SDT_USE_CALL, true, 0},
        {"\xff\x35", 2, SDT_USE_CALL, true, 0},
        {"\x8d\x05", 2, SDT_USE_CALL, false, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        uint8_t site[8];
        set(site, cases[i].bytes, cases[i].field);
        CHECK(sdt_x86_64_decode(cases[i].use, site + cases[i].field, cases[i].field,
                                cases[i].got) == cases[i].kind);
    }
    uint8_t field[8] = {0xe8};
    CHECK(sdt_x86_64_decode(SDT_USE_CALL, field, 0, false) == 0); /* nothing before the field */
}

/* Every kind: the disabled form is recognised as off, arming its patch byte as on, back as off. */
static void test_round_trip(void)
{
    for (unsigned kind = 1; kind <= SDT_KIND_DIRECT_ENABLED_TAIL; kind++) {
        const struct sdt_form *form = sdt_x86_64_form(kind);
        uint8_t site[12] = {0xe9, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0xaa, 0xaa}, before[12];
        CHECK(form && form->length <= SDT_SITE_MAX && form->name);
        if (kind == SDT_KIND_JCC) {
            CHECK(!sdt_x86_64_encode_off(kind, SDT_X86_64_MM, site));
            continue;
        }
        memcpy(before, site, sizeof before);
        if (form_gets_branch(form)) /* what it has is neither what the file had nor a jump */
            memset(site + form->branch_at - 1, 0, 5);
        CHECK(sdt_x86_64_encode_off(kind, SDT_X86_64_MM, site));
        CHECK(!memcmp(site + form->length, before + form->length, 12 - form->length));
        CHECK(sdt_x86_64_state(kind, site) == SDT_STATE_OFF);
        CHECK(site[form->patch] == form->off);
        if (form->keeps_branch)
            CHECK(!memcmp(site + form->branch_at, before + form->branch_at, 4));
        if (form->on == form->off)
            continue;
        site[form->patch] = form->on;
        if (form_gets_branch(form)) {
            CHECK(sdt_x86_64_state(kind, site) == SDT_STATE_UNKNOWN);
            memcpy(site + form->branch_at - 1, "\xe9\1\2\3\4", 5);
        }
        CHECK(sdt_x86_64_state(kind, site) == SDT_STATE_ON);
        site[form->patch] = form->off;
        if (form->trap < form->length) {
            site[form->trap] = 0xcc;
            CHECK(sdt_x86_64_state(kind, site) == SDT_STATE_TRAP);
        }
    }
    CHECK(!sdt_x86_64_form(0) && !sdt_x86_64_form(SDT_KIND_FUNCTION_RETURN + 1));
}

/* Only what no gap before an aligned place can be has room for a jump. */
static void test_notes(void)
{
#define ROOM "\x90\x66\x2e\x0f\x1f\x84\0\0\0\0\0"
#define NOP9 "\x66\x0f\x1f\x84\0\0\0\0\0"
    static const struct {
        const char *bytes;
        size_t size;
        unsigned address, kind; /* the address modulo 16 */
    } cases[] = {
        {"\x90\xc3", 2, 0, SDT_KIND_NOP1},
        {"\x90", 1, 0, SDT_KIND_NOP1},
        {"\x0f\x1f\x44\0\0\xc3", 6, 0, 0},
        {"", 0, 0, 0},
        {ROOM "\xc3", 12, 0, SDT_KIND_NOP11},
        {ROOM "\xc3", 12, 4, SDT_KIND_NOP11},
        {ROOM "\xc3", 12, 5, SDT_KIND_NOP1}, /* it ends at a multiple of 16 */
        {ROOM, 11, 6, SDT_KIND_NOP11},
        {ROOM, 10, 6, SDT_KIND_NOP1},
        {ROOM NOP9 "\xc3", 21, 12, SDT_KIND_NOP1}, /* a gap of more than one NOP */
        {ROOM NOP9 "\xc3", 21, 5, SDT_KIND_NOP11}, /* another alignment would have no gap */
        {ROOM "\x66\x90\x0f\x1f\0\xc3", 17, 0, SDT_KIND_NOP1},
        {ROOM "\x0f\x1f\x80\0\0\0\0\xc3", 19, 14, SDT_KIND_NOP1},
        {ROOM "\x0f\x1f\x40\0\xc3", 16, 1, SDT_KIND_NOP1},
        {ROOM "\x0f\x1f\x44\0\0\xc3", 17, 0, SDT_KIND_NOP1},
        {ROOM "\x66\x66\x2e\x0f\x1f\x84\0\0\0\0\0\xc3", 23, 10, SDT_KIND_NOP1},
        {ROOM "\x0f\x1f", 13, 3, SDT_KIND_NOP11}, /* cut off: no NOP */
        {"\x90\x66\x2e\x0f\x1f\x84\1\0\0\0\0\xc3", 12, 0, SDT_KIND_NOP1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        CHECK(sdt_x86_64_note_kind(0x4000 + cases[i].address, (const uint8_t *)cases[i].bytes,
                                   cases[i].size) == cases[i].kind);
}

/* All 256 values of MM: fourteen make a NOP of the right length, the others are refused. */
static void test_mm(void)
{
    unsigned count = 0;
    for (unsigned mm = 0; mm < 256; mm++) {
        uint8_t site[8] = {0};
        bool ok = sdt_x86_64_is_mm((uint8_t)mm);
        count += ok;
        CHECK(sdt_x86_64_encode_off(SDT_KIND_CALL, (uint8_t)mm, site) == ok);
        if (ok)
            CHECK(site[4] == mm && sdt_x86_64_state(SDT_KIND_CALL, site) == SDT_STATE_OFF);
        set(site, "\x90\x66\x0f\x1f", 4);
        site[4] = (uint8_t)mm;
        CHECK((sdt_x86_64_state(SDT_KIND_CALL, site) == SDT_STATE_OFF) == ok);
    }
    CHECK(count == 14);
}

/* Where an armed site leads: by arithmetic of our own on its five bytes. */
static void test_thunks(void)
{
    unsigned seen = 0;
    for (unsigned i = 0; i < SDT_X86_64_MM_COUNT; i++) {
        uint8_t mm = sdt_x86_64_mms[i];
        int64_t field = (int32_t)((uint32_t)mm << 24 | 0x1f0f66u);
        int64_t distance = sdt_x86_64_thunk_distance(mm);
        CHECK(sdt_x86_64_is_mm(mm));
        CHECK(distance == 5 + field);
        CHECK(mm >= 0xc0 ? distance > -1023 * 1048576LL && distance < -909 * 1048576LL
                         : distance > 1048576LL && distance < 114 * 1048576LL);
        seen |= 1u << (mm & 0x1f);
    }
    CHECK(__builtin_popcount(seen) == 8); /* c0-c7 and 00-07 share their low bits */
    CHECK(sdt_x86_64_form(SDT_KIND_CALL)->mm == 4 && sdt_x86_64_form(SDT_KIND_INLINE)->mm == 0);
    CHECK(sdt_x86_64_form(SDT_KIND_TAIL)->mm == 0 && sdt_x86_64_form(SDT_KIND_NOP1)->mm == 0);

    uint8_t thunk[SDT_THUNK_SIZE];
    sdt_x86_64_encode_jump(0x1000, 0x1005, thunk);
    CHECK(!memcmp(thunk, "\xe9\0\0\0\0", 5));
    sdt_x86_64_encode_jump(0x40000000, 0x1000, thunk);
    CHECK(thunk[0] == 0xe9 && sdt_x86_64_target(0x40000001, thunk + 1) == 0x1000);
}

static void put(uint8_t *code, size_t field, uint64_t distance)
{
    uint32_t low = (uint32_t)distance;
    memcpy(code + field, &low, sizeof low);
}

/* An entry, byte by byte as <sdt/format.h> has it. */
static void make_entry(uint64_t at, const struct sdt_entry *entry, uint8_t code[SDT_ENTRY_SIZE])
{
    uint64_t length = entry->kind == SDT_KIND_INLINE ? 10 : 1;
    memcpy(code, "\x48\x8d\x64\x24\x80\xff\x15....\x48\x8d\xa4\x24\x80\0\0\0\xe9", 20);
    put(code, 7, entry->probe - (at + 11));
    if (entry->enter) { /* of a freestanding set: cs call __sdt_enter */
        memcpy(code + 5, "\x2e\xe8", 2);
        put(code, 7, entry->enter - (at + 11));
    }
    put(code, 20, entry->pc + length - (at + 24));
    put(code, 24, entry->record - (at + 24));
    put(code, 28, entry->probe - (at + 28));
}

/* Each byte of an entry matters, and each thing that it leads to. */
static void test_entries(uint64_t enter)
{
    uint8_t code[SDT_ENTRY_SIZE];
    const uint64_t at = 0x7f0000002020;
    const struct sdt_entry entry = {.pc = at - 0x1000,
                                    .record = at + 0x5000,
                                    .probe = at + 0x40000,
                                    .kind = SDT_KIND_INLINE,
                                    .enter = enter};
    make_entry(at, &entry, code);
    CHECK(sdt_x86_64_is_entry(at, code, &entry));
    for (size_t i = 0; i < sizeof code; i++) {
        code[i] ^= 1;
        CHECK(!sdt_x86_64_is_entry(at, code, &entry));
        code[i] ^= 1;
    }
    struct sdt_entry others[] = {entry, entry, entry, entry, entry};
    others[0].pc++;
    others[1].record++;
    others[2].probe++;
    others[3].kind = SDT_KIND_NOP1;
    others[4].enter = enter ? enter + 1 : at + 0x9000;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        CHECK(!sdt_x86_64_is_entry(at, code, &others[i]));
        make_entry(at, &others[i], code);
        CHECK(sdt_x86_64_is_entry(at, code, &others[i]));
        make_entry(at, &entry, code);
    }
    make_entry(at + 1, &entry, code); /* its unwind information counts on where it lies */
    CHECK(!sdt_x86_64_is_entry(at + 1, code, &entry));
}

/* A foreign breakpoint at the tracers' byte hides no state of ours. */
static void test_traced(void)
{
    uint8_t site[SDT_SITE_MAX] = {0};
    sdt_x86_64_encode_off(SDT_KIND_INLINE, SDT_X86_64_MM, site);
    site[0] = 0xcc;
    CHECK(sdt_x86_64_state(SDT_KIND_INLINE, site) == SDT_STATE_TRACED);
    site[4] = 0x00;
    CHECK(sdt_x86_64_state(SDT_KIND_INLINE, site) == SDT_STATE_ON);
    site[4] = 0x84;
    site[1] = 0xcc;
    CHECK(sdt_x86_64_state(SDT_KIND_INLINE, site) == SDT_STATE_TRAP);
    site[1] = 0x66;
    site[4] = 0xc0; /* not how this kind is armed */
    CHECK(sdt_x86_64_state(SDT_KIND_INLINE, site) == SDT_STATE_UNKNOWN);
}

static void test_reach(void)
{
    const int64_t limits[] = {INT32_MIN, -4, 0, 4, INT32_MAX};
    const uint64_t field = UINT64_C(0x7f0000001000);
    for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++) {
        uint64_t target = field + 4 + (uint64_t)limits[i];
        CHECK(sdt_x86_64_can_reach(field, target));
        int32_t displacement = sdt_x86_64_displacement(field, target);
        uint8_t bytes[4];
        memcpy(bytes, &displacement, 4);
        CHECK(displacement == limits[i] && sdt_x86_64_target(field, bytes) == target);
    }
    CHECK(!sdt_x86_64_can_reach(field, field + 4 + (uint64_t)INT32_MAX + 1));
    CHECK(!sdt_x86_64_can_reach(field, field + 4 - (UINT64_C(1) << 31) - 1));
}

int main(void)
{
    test_decode();
    test_round_trip();
    test_notes();
    test_mm();
    test_thunks();
    test_entries(0);
    test_entries(0x7f0000000100);
    test_traced();
    test_reach();
    return check_failures != 0;
}
