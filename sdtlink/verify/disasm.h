/* SPDX-License-Identifier: BSD-2-Clause */
/* One x86-64 instruction at a time, as LLVM's disassembler understands it. */
#ifndef SDT_VERIFY_DISASM_H
#define SDT_VERIFY_DISASM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct insn {
    unsigned length; /* 0: these bytes are no instruction */
    bool has_target; /* a branch, or a PC-relative operand */
    uint64_t target; /* where it leads when the instruction stands at `address` */
    char text[96];   /* "leaq 8(%rip), %r10": one blank between mnemonic and operands */
};

/* Prepare the disassembler; -1 if LLVM has no x86 target. */
int disasm_open(void);
void disasm_close(void);
void disasm_one(const uint8_t *bytes, uint64_t available, uint64_t address, struct insn *insn);

/* Whether the mnemonic of INSN is MNEMONIC (segment prefixes shown before it are ignored). */
bool insn_is(const struct insn *insn, const char *mnemonic);
/* A call or jump of any kind, conditional ones included. */
bool insn_is_branch(const struct insn *insn);
/* A conditional jump. */
bool insn_is_conditional(const struct insn *insn);
/* Calls and jumps whose target is in a register or in memory. */
bool insn_is_indirect(const struct insn *insn);
bool insn_is_call(const struct insn *insn);
/* Nothing behind it is executed: a return, an unconditional jump, ud2. */
bool insn_is_end(const struct insn *insn);
/* It names a vector, mask, MMX, x87 or tile register, or works on their state without naming it. */
bool insn_touches_vectors(const struct insn *insn);

#endif
