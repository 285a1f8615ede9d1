/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The code that the tool adds on i386.
 *
 * Nothing is addressed relative to the program counter there, and an absolute address in code would
 * be a text relocation in a library. So code that needs an address calls the next instruction, pops
 * where that is, and adds a distance that the linker computes: R_386_PC32, whose addend makes up
 * for the bytes between the label and the field. Processors know this pair: it does not disturb
 * their prediction of returns.
 *
 * The registers are the three that a call may change. A site travels in %eax, as its patch byte's
 * address; in the stub, %ecx is its struct sdt_probe, and %edx where it jumps. Otherwise the stack
 * is as the site had it, so that one CIE describes all this code, but for the single instruction
 * between such a call and its pop.
 */
#include "i386.h"

#include <string.h>

/* ---- stubs ---- */

const uint8_t i386_stub[SDT_STUB_SIZE] = {
    0x8b, 0x04, 0x24,          /*  0: mov  (%esp),%eax */
    0x83, 0xe8, 0x05,          /*  3: sub  $5,%eax: the patch byte of a call */
    0x66, 0x90,                /*  6: nop */
    0xe8, 0,    0,    0, 0,    /*  8: call 1f; SDT_STUB_AT: entered with %eax set */
    0x59,                      /* 13: 1: pop %ecx */
    0x81, 0xc1, 0,    0, 0, 0, /* 14: add  $probe - 1b,%ecx */
    0x8b, 0x11,                /* 20: mov  (%ecx),%edx */
    0x85, 0xd2,                /* 22: test %edx,%edx */
    0x74, 0x02,                /* 24: je   2f */
    0xff, 0xe2,                /* 26: jmp  *%edx */
    0xc3,                      /* 28: 2: ret */
    0xcc, 0xcc, 0xcc,
};

/* The same start, and the answer no; as on x86-64. */
const uint8_t i386_enabled_stub[SDT_STUB_SIZE] = {
    0x8b, 0x04, 0x24,                /*  0: mov  (%esp),%eax */
    0x83, 0xe8, 0x05,                /*  3: sub  $5,%eax */
    0x66, 0x90,                      /*  6: nop */
    0xe8, 0,    0,    0,    0,       /*  8: call 1f */
    0x59,                            /* 13: 1: pop %ecx */
    0x81, 0xc1, 0,    0,    0,    0, /* 14: add  $probe - 1b,%ecx */
    0x31, 0xc0,                      /* 20: xor  %eax,%eax */
    0xc3,                            /* 22: ret */
    0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc,
};

/* What comes before that distance is the same in both, and theirs alone. */
bool i386_is_stub(const uint8_t *code)
{
    return memcmp(code, i386_stub, I386_STUB_PROBE) == 0;
}

/* LABEL plus the distance at FIELD: addresses have 32 bits. */
static uint64_t away(uint64_t label, const uint8_t *field)
{
    uint32_t distance;
    memcpy(&distance, field, sizeof distance);
    return (uint32_t)(label + distance);
}

uint64_t i386_stub_probe(uint64_t address, const uint8_t *code)
{
    return away(address + I386_STUB_LABEL, code + I386_STUB_PROBE);
}

/* ---- loaders ---- */

const uint8_t i386_loader[SDT_LOADER_SIZE] = {
    0xe8, 0, 0, 0, 0, /*  0: call 1f */
    0x58,             /*  5: 1: pop %eax */
    0x05, 0, 0, 0, 0, /*  6: add  $patch - 1b,%eax */
    0xe9, 0, 0, 0, 0, /* 11: jmp  stub + SDT_STUB_AT */
};

/* Of a jcc: the site itself, a ret that becomes a jump to the next instruction, and its loader. */
const uint8_t i386_moved_site[2 * SDT_LOADER_SIZE] = {
    0xc3, 0,    0,    0,    0,    /*  0: ret */
    0xe8, 0,    0,    0,    0,    /*  5: call 1f */
    0x58,                         /* 10: 1: pop %eax */
    0x05, 0,    0,    0,    0,    /* 11: add  $patch - 1b,%eax */
    0xe9, 0,    0,    0,    0,    /* 16: jmp  stub + SDT_STUB_AT */
    0xcc, 0xcc, 0xcc, 0xcc, 0xcc, /* 21: int3 */
    0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc,
};

/* Where an is-enabled jcc leads: the answer to its caller's caller. */
const uint8_t i386_moved_enabled[SDT_LOADER_SIZE] = {
    0x6a, 0,                            /* 0: push $0 */
    0x58,                               /* 2: pop  %eax */
    0xc3,                               /* 3: ret */
    0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc, /* 4: int3 */
    0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc,
};

uint64_t i386_kept_branch(unsigned kind, uint64_t address, const uint8_t *site)
{
    uint8_t branch = sdt_x86_64_form(kind)->branch_at;
    return away(address + branch + sizeof(uint32_t), site + branch);
}

bool i386_is_loader(uint64_t address, const uint8_t *code, uint64_t patch, uint64_t stub)
{
    enum { JUMP = I386_LOADER_JUMP - 1, END = I386_LOADER_JUMP + 4 };
    return memcmp(code, i386_loader, I386_LOADER_PATCH) == 0 && code[JUMP] == i386_loader[JUMP] &&
           away(address + I386_LOADER_LABEL, code + I386_LOADER_PATCH) == patch &&
           away(address + END, code + I386_LOADER_JUMP) == stub + SDT_STUB_AT;
}

/* ---- functions for address-taken symbols ---- */

const uint8_t i386_taken_call[I386_TAKEN_CALL_SIZE] = {
    0xf3, 0x0f, 0x1e, 0xfb, /* endbr32: an indirect call may come here */
    0xc3,                   /* ret */
};
const uint8_t i386_taken_enabled[I386_TAKEN_ENABLED_SIZE] = {
    0xf3, 0x0f, 0x1e, 0xfb, /* endbr32 */
    0x31, 0xc0,             /* xor %eax,%eax */
    0xc3,                   /* ret */
};

/* ---- registration ---- */

/* The structure is passed in %eax: then the function is reached by a jump, with the stack as is. */
const uint8_t i386_constructor[I386_CONSTRUCTOR_SIZE] = {
    0xe8, 0,    0, 0, 0,    /*  0: call 1f */
    0x59,                   /*  5: 1: pop %ecx */
    0x81, 0xc1, 0, 0, 0, 0, /*  6: add  $_GLOBAL_OFFSET_TABLE_ - 1b,%ecx */
    0x8b, 0x91, 0, 0, 0, 0, /* 12: mov  __sdt_register@GOT(%ecx),%edx */
    0x85, 0xd2,             /* 18: test %edx,%edx */
    0x74, 0x08,             /* 20: je   2f */
    0x8d, 0x81, 0, 0, 0, 0, /* 22: lea  dso@GOTOFF(%ecx),%eax */
    0xff, 0xe2,             /* 28: jmp  *%edx */
    0xc3,                   /* 30: 2: ret */
    0xcc,
};
const uint8_t i386_bound_call[I386_BOUND_CALL_SIZE] = {
    0xe8, 0,    0,    0, 0, /* call bound */
    0xcc, 0xcc, 0xcc,
};

/* ---- unwinding ---- */

/* CFA is esp + 4, the return address at CFA - 4. */
const uint8_t i386_plain_cie[I386_PLAIN_CIE_SIZE] = {
    20,   0,    0, 0, /* length */
    0,    0,    0, 0, /* a CIE */
    1,                /* version */
    'z',  'R',  0,    /* augmentation */
    1,                /* code alignment */
    0x7c,             /* data alignment -4 */
    8,                /* return address column: eip */
    1,    0x1b,       /* FDE pointers are pcrel | sdata4 */
    0x0c, 4,    4,    /* DW_CFA_def_cfa esp, 4 */
    0x88, 1,          /* DW_CFA_offset eip, CFA-4 */
    0,    0,          /* DW_CFA_nop */
};
