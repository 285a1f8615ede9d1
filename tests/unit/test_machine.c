/* SPDX-License-Identifier: BSD-2-Clause */
/* What <arch/machine.h> says of bytes: entries, stubs, breakpoints, and functions that do nothing.
 */
#include "check.h"

#include <arch/machine.h>
#include <string.h>

/* The room is where the code will be, so distances in it are those of a running process. */
static _Alignas(SDT_ENTRY_SIZE) uint8_t room[SDT_ENTRY_SIZE + 1];

static void check_entries(void)
{
    const uint64_t here = (uintptr_t)room;
    const struct sdt_entry made = {.pc = here + 1000,
                                   .record = here - 64,
                                   .probe = here + 4096,
                                   .kind = SDT_KIND_NOP1,
                                   .live_flags = true};
    machine_make_entry(room, here, &made);
    CHECK(machine_is_entry(room, &made));
    struct sdt_entry other = made;
    other.kind = SDT_KIND_INLINE; /* which is longer: the jump would lead elsewhere */
    CHECK(!machine_is_entry(room, &other));
    other = made;
    other.record++;
    CHECK(!machine_is_entry(room, &other));
    for (size_t i = 0; i < SDT_ENTRY_SIZE; i++) {
        room[i] ^= 1;
        CHECK(!machine_is_entry(room, &made));
        room[i] ^= 1;
    }
}

/* The bytes of <sdt/format.h>. */
static void check_stubs(void)
{
    static uint8_t stub[SDT_STUB_SIZE] = {0x4c, 0x8b, 0x1c, 0x24, 0x49, 0x83, 0xeb, 5,
                                          0x4c, 0x8d, 0x15, 100,  0,    0,    0};
    static uint8_t loader[SDT_LOADER_SIZE] = {0x4c, 0x8d, 0x1d, 50, 0, 0, 0, 0xe9, 16, 0, 0, 0};
    const uintptr_t probe = (uintptr_t)stub + 15 + 100, patch = (uintptr_t)loader + 7 + 50;
    const uintptr_t to = (uintptr_t)loader + 12 + 16 - SDT_STUB_AT;
    CHECK(machine_is_stub(stub, probe) && !machine_is_stub(stub, probe + 1));
    CHECK(machine_is_loader(loader, patch, to) && !machine_is_loader(loader, patch, to + 1));
    CHECK(!machine_is_loader(loader, patch + 1, to));
    for (size_t i = 0; i < 12; i++) {
        loader[i] ^= 1;
        CHECK(!machine_is_loader(loader, patch, to));
        loader[i] ^= 1;
    }
    for (size_t i = 0; i < 15; i++) {
        stub[i] ^= 1;
        CHECK(!machine_is_stub(stub, probe));
        stub[i] ^= 1;
    }
}

/* At the trap byte of each kind that has one, and what it leaves there when it is taken out. Kinds
 * of freestanding sets are for other runtimes. */
static void check_breakpoints(void)
{
    for (unsigned kind = 1; kind <= SDT_KIND_NOP11 && machine_form(kind); kind++) {
        const struct sdt_form *form = machine_form(kind);
        uint8_t site[1 + SDT_SITE_MAX] = {0};
        if (kind == SDT_KIND_JCC || form->is_enabled_test)
            continue;
        machine_encode_off(kind, site + 1);
        CHECK(machine_state(kind, site + 1) == SDT_STATE_OFF);
        if (form->trap == form->length)
            continue;
        uint8_t *trap = site + 1 + form->trap;
        CHECK(*trap == machine_off_word(form));
        CHECK(machine_is_disarmed((uintptr_t)trap) && !site_breakpoint_at((uintptr_t)trap));
        *trap = SITE_BREAKPOINT;
        CHECK(!machine_is_disarmed((uintptr_t)trap));
        CHECK(site_breakpoint_at((uintptr_t)trap) == (uintptr_t)trap);
    }
    const uint8_t spelled_out[] = {0xcd, 3};
    CHECK(site_breakpoint_at((uintptr_t)&spelled_out[1]) == (uintptr_t)spelled_out);
}

/* Every window is reached from the site whose byte names it, and no two are the same. */
static void check_windows(void)
{
    size_t n;
    const uint8_t *mms = machine_mms(&n);
    const uint64_t site = UINT64_C(1) << 40;
    CHECK(n > 0);
    for (size_t i = 0; i < n; i++) {
        uint8_t thunk[SITE_THUNK];
        uint64_t address = site + (uint64_t)machine_thunk_distance(mms[i]);
        CHECK(machine_can_reach(address, site));
        machine_encode_thunk(address, site, thunk);
        CHECK(machine_is_branch(thunk));
        CHECK(machine_branch_target(thunk) - (uintptr_t)thunk == site - address);
        for (size_t k = 0; k < i; k++)
            CHECK(machine_thunk_distance(mms[i]) != machine_thunk_distance(mms[k]));
    }
}

static void check_empty_functions(void)
{
    static _Alignas(16) uint8_t code[32] = {0xf3, 0x0f, 0x1e, 0xfa, SITE_RETURN, 0x66};
    const uintptr_t at = (uintptr_t)code;
    CHECK(machine_empty_return(at) == at + 4);
    CHECK(machine_empty_return(at + 4) == at + 4);
    code[5] = 0x55; /* of another function */
    CHECK(machine_empty_return(at) == 0);
    memset(code, SITE_NOP, sizeof code);
    CHECK(machine_empty_return(at) == 0);
    code[15] = SITE_RETURN; /* after it begins the next one */
    CHECK(machine_empty_return(at + 15) == 0);
    code[14] = SITE_RETURN;
    code[15] = SITE_NOP;
    CHECK(machine_empty_return(at + 14) == at + 14);
}

int main(void)
{
    check_entries();
    check_stubs();
    check_breakpoints();
    check_windows();
    check_empty_functions();
    return check_failures != 0;
}
