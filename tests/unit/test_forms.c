/* SPDX-License-Identifier: BSD-2-Clause */
/* The site forms of arch/x86_64.c: encode and decode, every byte value, the ends of the reach. */
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
        {"\x90\xe8", 2, SDT_USE_INLINE, false, SDT_KIND_INLINE},
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
    for (unsigned kind = 1; kind <= SDT_KIND_NOP1; kind++) {
        const struct sdt_form *form = sdt_x86_64_form(kind);
        uint8_t site[8] = {0xe9, 1, 2, 3, 4, 5, 0xaa, 0xaa};
        CHECK(form && form->length <= SDT_SITE_MAX && form->name);
        if (kind == SDT_KIND_JCC) {
            CHECK(!sdt_x86_64_encode_off(kind, SDT_X86_64_MM, site));
            continue;
        }
        CHECK(sdt_x86_64_encode_off(kind, SDT_X86_64_MM, site));
        CHECK(site[6] == 0xaa && site[7] == 0xaa);
        CHECK(sdt_x86_64_state(kind, site) == SDT_STATE_OFF);
        CHECK(site[form->patch] == form->off);
        if (form->keeps_branch)
            CHECK(!memcmp(site + 1, "\1\2\3\4", 4));
        if (form->on == form->off)
            continue;
        site[form->patch] = form->on;
        CHECK(sdt_x86_64_state(kind, site) == SDT_STATE_ON);
        site[form->patch] = form->off;
        if (form->trap < form->length) {
            site[form->trap] = 0xcc;
            CHECK(sdt_x86_64_state(kind, site) == SDT_STATE_TRAP);
        }
    }
    CHECK(!sdt_x86_64_form(0) && !sdt_x86_64_form(SDT_KIND_NOP1 + 1));
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
    test_mm();
    test_reach();
    return check_failures != 0;
}
