/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The code that the tool adds on aarch64; docs/decisions/0041-forms-of-a-site-on-aarch64.md has the
 * reasons. All of it runs with the return address in x30 and the stack of the site, and changes
 * x9 to x11, x16 and x17 at most, so one CIE describes it all. What can be reached by an indirect
 * branch begins with `bti c`, which other processors take for a NOP.
 */
#include "aarch64.h"

/* ---- stubs ---- */

const uint8_t aarch64_stub[SDT_STUB_SIZE] = {
    0x5f, 0x24, 0x03, 0xd5, /*  0: bti  c: veneers come by `br x16` */
    0xcb, 0x13, 0x00, 0xd1, /*  4: sub  x11, x30, #4 */
    0x0a, 0x00, 0x00, 0x90, /*  8: adrp x10, probe */
    0x4a, 0x01, 0x00, 0x91, /* 12: add  x10, x10, :lo12:probe */
    0x50, 0x01, 0x40, 0xf9, /* 16: ldr  x16, [x10] */
    0x50, 0x00, 0x00, 0xb4, /* 20: cbz  x16, 1f */
    0x00, 0x02, 0x1f, 0xd6, /* 24: br   x16 */
    0xc0, 0x03, 0x5f, 0xd6, /* 28: 1: ret */
};

/* The same start, and the answer no: see the other machine's (../x86_64/code.c). */
const uint8_t aarch64_enabled_stub[SDT_STUB_SIZE] = {
    0x5f, 0x24, 0x03, 0xd5, /*  0: bti  c */
    0xcb, 0x13, 0x00, 0xd1, /*  4: sub  x11, x30, #4 */
    0x0a, 0x00, 0x00, 0x90, /*  8: adrp x10, probe */
    0x4a, 0x01, 0x00, 0x91, /* 12: add  x10, x10, :lo12:probe */
    0x00, 0x00, 0x80, 0x52, /* 16: mov  w0, #0 */
    0xc0, 0x03, 0x5f, 0xd6, /* 20: ret */
    0x1f, 0x20, 0x03, 0xd5, /* 24: nop */
    0x1f, 0x20, 0x03, 0xd5, /* 28: nop */
};

/* ---- loaders: the sites themselves ---- */

const uint8_t aarch64_moved_site[SDT_LOADER_SIZE] = {
    0x03, 0x00, 0x00, 0x14, /*  0: b    1f; armed: nop */
    0xeb, 0xff, 0xff, 0x10, /*  4: adr  x11, .-4 */
    0x00, 0x00, 0x00, 0x14, /*  8: b    stub + SDT_STUB_AT */
    0xc0, 0x03, 0x5f, 0xd6, /* 12: 1: ret */
};

const uint8_t aarch64_moved_enabled[SDT_LOADER_SIZE] = {
    0x00, 0x00, 0x80, 0x52, /*  0: mov  w0, #0 */
    0x02, 0x00, 0x00, 0x14, /*  4: b    1f; armed: nop */
    0x20, 0x00, 0x80, 0x52, /*  8: mov  w0, #1 */
    0xc0, 0x03, 0x5f, 0xd6, /* 12: 1: ret */
};

/* The word of a site that was moved falls through to its loader, when it is armed. */
uint64_t aarch64_kept_branch(unsigned kind, uint64_t address, const uint8_t *site)
{
    (void)kind;
    (void)site;
    return address + 4;
}

/* ---- functions for address-taken symbols ---- */

const uint8_t aarch64_taken_call[AARCH64_TAKEN_CALL_SIZE] = {
    0x5f, 0x24, 0x03, 0xd5, /* bti c */
    0xc0, 0x03, 0x5f, 0xd6, /* ret */
};
const uint8_t aarch64_taken_enabled[AARCH64_TAKEN_ENABLED_SIZE] = {
    0x5f, 0x24, 0x03, 0xd5, /* bti c */
    0x00, 0x00, 0x80, 0x52, /* mov w0, #0 */
    0xc0, 0x03, 0x5f, 0xd6, /* ret */
};

/* ---- registration ---- */

const uint8_t aarch64_constructor[AARCH64_CONSTRUCTOR_SIZE] = {
    0x5f, 0x24, 0x03, 0xd5, /*  0: bti  c */
    0x10, 0x00, 0x00, 0x90, /*  4: adrp x16, :got:__sdt_register */
    0x10, 0x02, 0x40, 0xf9, /*  8: ldr  x16, [x16, :got_lo12:__sdt_register] */
    0x90, 0x00, 0x00, 0xb4, /* 12: cbz  x16, 1f */
    0x00, 0x00, 0x00, 0x90, /* 16: adrp x0, dso */
    0x00, 0x00, 0x00, 0x91, /* 20: add  x0, x0, :lo12:dso */
    0x00, 0x02, 0x1f, 0xd6, /* 24: br   x16 */
    0xc0, 0x03, 0x5f, 0xd6, /* 28: 1: ret */
};
const uint8_t aarch64_bound_call[AARCH64_BOUND_CALL_SIZE] = {
    0x00, 0x00, 0x00, 0x94, /* bl bound */
};
