/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The code that the tool adds on riscv64; docs/decisions/0043-forms-of-a-site-on-riscv64.md has the
 * reasons. All of it runs with the return address in ra and the stack of the site, and changes t0
 * to t2 at most, so one CIE describes it all.
 *
 * Addresses are stored as words beside the code, which hold distances: `auipc` with `addi` would
 * need a label for each pair, since the relocation of the second names the first.
 */
#include "riscv64.h"

/* ---- stubs ---- */

const uint8_t riscv64_stub[SDT_STUB_SIZE] = {
    0x86, 0x83,             /*  0: c.mv   t2, ra */
    0xf1, 0x13,             /*  2: c.addi t2, -4: the parcel that called */
    0x11, 0xa0,             /*  4: c.j    .+4 */
    0x82, 0x80,             /*  6: c.jr   ra */
    0x97, 0x02, 0x00, 0x00, /*  8: auipc  t0, 0: SDT_STUB_AT, entered with t2 set */
    0x03, 0xa3, 0x42, 0x01, /* 12: lw     t1, 20(t0) */
    0x9a, 0x92,             /* 16: c.add  t0, t1: probe */
    0x03, 0xb3, 0x02, 0x00, /* 18: ld     t1, (t0) */
    0xe3, 0x08, 0x03, 0xfe, /* 22: beqz   t1, .-16 */
    0x02, 0x83,             /* 26: c.jr   t1 */
    0,    0,    0,    0,    /* 28: probe - (stub + 8) */
};

/* The same start, and the answer no: see the other machine's (../x86_64/code.c). */
const uint8_t riscv64_enabled_stub[SDT_STUB_SIZE] = {
    0x86, 0x83,             /*  0: c.mv   t2, ra */
    0xf1, 0x13,             /*  2: c.addi t2, -4 */
    0x11, 0xa0,             /*  4: c.j    .+4 */
    0x82, 0x80,             /*  6: c.jr   ra */
    0x97, 0x02, 0x00, 0x00, /*  8: auipc  t0, 0 */
    0x03, 0xa3, 0x42, 0x01, /* 12: lw     t1, 20(t0) */
    0x01, 0x45,             /* 16: c.li   a0, 0 */
    0x82, 0x80,             /* 18: c.jr   ra */
    0x13, 0x00, 0x00, 0x00, /* 20: nop */
    0x13, 0x00, 0x00, 0x00, /* 24: nop */
    0,    0,    0,    0,    /* 28: probe - (stub + 8) */
};

/* ---- questions that companions move ---- */

const uint8_t riscv64_moved_enabled[RISCV64_MOVED_ENABLED_SIZE] = {
    0x13, 0x00, 0x00, 0x00, /*  0: nop */
    0x01, 0x45,             /*  4: c.li  a0, 0; armed: c.li a0, 1 */
    0x82, 0x80,             /*  6: c.jr  ra */
};

/* A tail site's branch leads to its loader in every state. */
uint64_t riscv64_kept_branch(unsigned kind, uint64_t address, const uint8_t *site)
{
    (void)kind;
    return sdt_riscv64_target(address, site);
}

/* ---- functions for address-taken symbols ---- */

const uint8_t riscv64_taken_call[RISCV64_TAKEN_SIZE] = {
    0x82, 0x80, /* c.jr ra */
    0x01, 0x00, /* c.nop */
};
const uint8_t riscv64_taken_enabled[RISCV64_TAKEN_SIZE] = {
    0x01, 0x45, /* c.li a0, 0 */
    0x82, 0x80, /* c.jr ra */
};

/* ---- registration ---- */

const uint8_t riscv64_constructor[RISCV64_CONSTRUCTOR_SIZE] = {
    0x17, 0x03, 0x00, 0x00, /*  0: auipc t1, GOT word of __sdt_register */
    0x03, 0x33, 0x03, 0x00, /*  4: ld    t1, …(t1) */
    0x63, 0x08, 0x03, 0x00, /*  8: beqz  t1, 1f */
    0x17, 0x05, 0x00, 0x00, /* 12: auipc a0, 0 */
    0x83, 0x22, 0x05, 0x01, /* 16: lw    t0, 16(a0) */
    0x16, 0x95,             /* 20: c.add a0, t0: dso */
    0x02, 0x83,             /* 22: c.jr  t1 */
    0x82, 0x80,             /* 24: 1: c.jr ra */
    0x01, 0x00,             /* 26: c.nop */
    0,    0,    0,    0,    /* 28: dso - (constructor + 12) */
};
const uint8_t riscv64_bound_call[RISCV64_BOUND_CALL_SIZE] = {
    0x97, 0x00, 0x00, 0x00, /* 0: auipc ra, bound */
    0xe7, 0x80, 0x00, 0x00, /* 4: jalr  ra, …(ra) */
};
