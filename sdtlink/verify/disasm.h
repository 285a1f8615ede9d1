/* SPDX-License-Identifier: BSD-2-Clause */
/* One instruction at a time, as LLVM's disassembler understands it. */
#ifndef SDT_VERIFY_DISASM_H
#define SDT_VERIFY_DISASM_H

#include "arch.h"

/* Prepare the disassembler for ARCH; -1 if LLVM has none. */
int disasm_open(const struct arch *arch);
void disasm_close(void);
/* The instruction at PLACE. False: there are no bytes. */
bool disasm_at(const struct image *image, struct place place, struct insn *insn);

/* Whether its mnemonic is MNEMONIC, or one of MNEMONICS, up to a NULL. */
bool insn_is(const struct insn *insn, const char *mnemonic);
bool insn_is_one_of(const struct insn *insn, const char *const *mnemonics);

#endif
