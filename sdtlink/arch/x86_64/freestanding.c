/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What sites of a freestanding set lead to on x86-64, and what they are; bytes and reasons are in
 * <sdt/format.h>. A kernel that is built with retpolines has no indirect branch, one that is built
 * with return thunks no plain return: so all of this leads to functions of the runtime.
 */
#include "x86_64.h"

#include <elf.h>

/* A displacement counts from its end, where the instruction ends. */
enum { BIAS = -4 };

static const uint8_t stub[SDT_STUB_SIZE] = {
    0x4c, 0x8b, 0x1c, 0x24,                /*  0: mov  (%rsp),%r11 */
    0x49, 0x83, 0xeb, 0x05,                /*  4: sub  $5,%r11 */
    0x4c, 0x8d, 0x15, 0,    0,    0,    0, /*  8: lea  probe(%rip),%r10 */
    0xe9, 0,    0,    0,    0,             /* 15: jmp  __sdt_enter_call */
    0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc,
};

/* Of a tail call, or a conditional one: the site itself, and its loader. */
static const uint8_t moved_site[2 * SDT_LOADER_SIZE] = {
    0xeb, 0x0c,                            /*  0: jmp  1f; armed: jmp to the next instruction */
    0x4c, 0x8d, 0x1d, 0,    0,    0,    0, /*  2: lea  patch(%rip),%r11 */
    0xe9, 0,    0,    0,    0,             /*  9: jmp  stub + SDT_STUB_AT */
    0xe9, 0,    0,    0,    0,             /* 14: 1: jmp __sdt_finish */
    0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc,    /* 19: int3 */
    0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc,
};

/* The same of a question: the answer to its caller's caller. */
static const uint8_t moved_enabled[SDT_LOADER_SIZE] = {
    0xb8, 0,    0,    0,    0,          /*  0: mov  $0,%eax */
    0xe9, 0,    0,    0,    0,          /*  5: jmp  __sdt_finish */
    0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc, /* 10: int3 */
};

static const uint8_t taken_call[] = {
    0xf3, 0x0f, 0x1e, 0xfa,    /* 0: endbr64: an indirect call may come here */
    0xe9, 0,    0,    0,    0, /* 4: jmp __sdt_finish */
};
static const uint8_t taken_enabled[] = {
    0xf3, 0x0f, 0x1e, 0xfa,    /* 0: endbr64 */
    0x31, 0xc0,                /* 4: xor %eax,%eax */
    0xe9, 0,    0,    0,    0, /* 6: jmp __sdt_finish */
};

/* clang-format off */
const struct arch_pieces x86_64_freestanding = {
    .stub = {stub, sizeof stub, 2,
             {{X86_64_STUB_PROBE, ARCH_PLACE_PROBE, BIAS, R_X86_64_PC32},
              {16, ARCH_PLACE_CALL, BIAS, R_X86_64_PLT32}}},
    .moved_site = {moved_site, sizeof moved_site, 3,
                   {{5, ARCH_PLACE_PATCH, BIAS, R_X86_64_PC32},
                    {10, ARCH_PLACE_STUB, SDT_STUB_AT + BIAS, R_X86_64_PC32},
                    {15, ARCH_PLACE_FINISH, BIAS, R_X86_64_PLT32}}},
    .moved_enabled = {moved_enabled, sizeof moved_enabled, 1,
                      {{6, ARCH_PLACE_FINISH, BIAS, R_X86_64_PLT32}}},
    .entry = {sdt_x86_64_direct_entry_code, SDT_ENTRY_SIZE, 3,
              {{SDT_ENTRY_ENTER, ARCH_PLACE_ENTER, BIAS, R_X86_64_PLT32},
               {SDT_ENTRY_JUMP, ARCH_PLACE_RETURN, BIAS, R_X86_64_PC32},
               {SDT_ENTRY_PROBE, ARCH_PLACE_PROBE, 0, R_X86_64_PC32}}},
    .taken_call = {taken_call, sizeof taken_call, 1,
                   {{5, ARCH_PLACE_FINISH, BIAS, R_X86_64_PLT32}}},
    .taken_enabled = {taken_enabled, sizeof taken_enabled, 1,
                      {{7, ARCH_PLACE_FINISH, BIAS, R_X86_64_PLT32}}},
};
/* clang-format on */

struct arch_made x86_64_made_freestanding(unsigned kind)
{
    switch (kind) {
    case SDT_KIND_INLINE:
        return (struct arch_made){SDT_KIND_INLINE, false};
    case SDT_KIND_CALL:
        return (struct arch_made){SDT_KIND_DIRECT_CALL, false};
    case SDT_KIND_TAIL:
    case SDT_KIND_JCC:
        return (struct arch_made){SDT_KIND_DIRECT_TAIL, true};
    case SDT_KIND_ENABLED:
        return (struct arch_made){SDT_KIND_ENABLED, false};
    case SDT_KIND_ENABLED_TAIL:
        return (struct arch_made){SDT_KIND_DIRECT_ENABLED_TAIL, true};
    default:
        return (struct arch_made){0, false};
    }
}

const struct arch_refusal x86_64_freestanding_got = {
    "a freestanding set cannot serve a call through the GOT, which kernels do not have",
    "a direct call or jump: e8, e9 or 0f 8x",
    "compile without -fno-plt",
};
