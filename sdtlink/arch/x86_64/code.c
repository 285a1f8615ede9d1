/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The code that the tool adds on x86-64; bytes and reasons are in <sdt/format.h>. All of it runs
 * with the return address on top of the stack and touches no callee-saved register, so one CIE
 * describes it all (unwind.c). The code of an entry, which the runtime checks as well, is in
 * the runtime's arch folder.
 */
#include "x86_64.h"

#include <string.h>

/* ---- stubs ---- */

const uint8_t x86_64_stub[SDT_STUB_SIZE] = {
    0x4c, 0x8b, 0x1c, 0x24,                /*  0: mov  (%rsp),%r11 */
    0x49, 0x83, 0xeb, 0x05,                /*  4: sub  $5,%r11 */
    0x4c, 0x8d, 0x15, 0,    0,    0,    0, /*  8: lea  probe(%rip),%r10 */
    0x49, 0x8b, 0x02,                      /* 15: mov  (%r10),%rax */
    0x48, 0x85, 0xc0,                      /* 18: test %rax,%rax */
    0x74, 0x02,                            /* 21: je   1f */
    0xff, 0xe0,                            /* 23: jmp  *%rax */
    0xc3,                                  /* 25: 1: ret */
    0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc,
};

/*
 * The same start, so that the runtime recognises the target of an is-enabled call; whatever the
 * probe's state, the answer is no: the runtime rewrites the calls, and one it had to leave alone
 * belongs to a probe that cannot be used.
 */
const uint8_t x86_64_enabled_stub[SDT_STUB_SIZE] = {
    0x4c, 0x8b, 0x1c, 0x24,                /*  0: mov  (%rsp),%r11 */
    0x49, 0x83, 0xeb, 0x05,                /*  4: sub  $5,%r11 */
    0x4c, 0x8d, 0x15, 0,    0,    0,    0, /*  8: lea  probe(%rip),%r10 */
    0x31, 0xc0,                            /* 15: xor  %eax,%eax */
    0xc3,                                  /* 17: ret */
    0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc,
};

/* What comes before that displacement is the same in both, and theirs alone. */
bool x86_64_is_stub(const uint8_t *code)
{
    return memcmp(code, x86_64_stub, X86_64_STUB_PROBE) == 0;
}

uint64_t x86_64_stub_probe(uint64_t address, const uint8_t *code)
{
    return sdt_x86_64_target(address + X86_64_STUB_PROBE, code + X86_64_STUB_PROBE);
}

/* ---- loaders ---- */

const uint8_t x86_64_loader[SDT_LOADER_SIZE] = {
    0x4c, 0x8d, 0x1d, 0,    0, 0, 0, /*  0: lea  patch(%rip),%r11 */
    0xe9, 0,    0,    0,    0,       /*  7: jmp  stub + SDT_STUB_AT */
    0xcc, 0xcc, 0xcc, 0xcc,          /* 12: int3 */
};

/* Of a jcc: the site itself, a ret that becomes a jump to the next instruction, and its loader. */
const uint8_t x86_64_moved_site[2 * SDT_LOADER_SIZE] = {
    0xc3, 0,    0,    0,    0,             /*  0: ret */
    0x4c, 0x8d, 0x1d, 0,    0,    0,    0, /*  5: lea  patch(%rip),%r11 */
    0xe9, 0,    0,    0,    0,             /* 12: jmp  stub + SDT_STUB_AT */
    0xcc, 0xcc, 0xcc, 0xcc,                /* 17: int3 */
    0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc,
};

/* Where an is-enabled jcc leads: the answer to its caller's caller. */
const uint8_t x86_64_moved_enabled[SDT_LOADER_SIZE] = {
    0x6a, 0,                            /* 0: push $0 */
    0x58,                               /* 2: pop  %rax */
    0xc3,                               /* 3: ret */
    0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc, /* 4: int3 */
    0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc,
};

uint64_t x86_64_kept_branch(unsigned kind, uint64_t address, const uint8_t *site)
{
    uint8_t branch = sdt_x86_64_form(kind)->branch_at;
    return sdt_x86_64_target(address + branch, site + branch);
}

bool x86_64_is_loader(uint64_t address, const uint8_t *code, uint64_t patch, uint64_t stub)
{
    enum { PATCH = 3, JUMP = 7, TARGET }; /* lea, its displacement; jmp, its displacement */
    return memcmp(code, x86_64_loader, PATCH) == 0 && code[JUMP] == x86_64_loader[JUMP] &&
           sdt_x86_64_target(address + PATCH, code + PATCH) == patch &&
           sdt_x86_64_target(address + TARGET, code + TARGET) == stub + SDT_STUB_AT;
}

/* ---- functions for address-taken symbols ---- */

const uint8_t x86_64_taken_call[X86_64_TAKEN_CALL_SIZE] = {
    0xf3, 0x0f, 0x1e, 0xfa, /* endbr64: an indirect call may come here */
    0xc3,                   /* ret */
};
const uint8_t x86_64_taken_enabled[X86_64_TAKEN_ENABLED_SIZE] = {
    0xf3, 0x0f, 0x1e, 0xfa, /* endbr64 */
    0x31, 0xc0,             /* xor %eax,%eax */
    0xc3,                   /* ret */
};

/* ---- registration ---- */

const uint8_t x86_64_constructor[X86_64_CONSTRUCTOR_SIZE] = {
    0x48, 0x8b, 0x05, 0, 0, 0, 0, /*  0: mov  __sdt_register@GOTPCREL(%rip),%rax */
    0x48, 0x85, 0xc0,             /*  7: test %rax,%rax */
    0x74, 0x09,                   /* 10: je   1f */
    0x48, 0x8d, 0x3d, 0, 0, 0, 0, /* 12: lea  dso(%rip),%rdi */
    0xff, 0xe0,                   /* 19: jmp  *%rax */
    0xc3,                         /* 21: 1: ret */
    0xcc, 0xcc,
};
const uint8_t x86_64_bound_call[X86_64_BOUND_CALL_SIZE] = {
    0xe8, 0,    0,    0, 0, /* call bound */
    0xcc, 0xcc, 0xcc,
};
