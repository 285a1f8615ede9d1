/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The registers of a thread at a site where they are all live. There is no such site on this
 * machine yet; what reads them is compiled nevertheless.
 */
#ifndef SDT_MACHINE_REGISTERS_H
#define SDT_MACHINE_REGISTERS_H

#include <stdint.h>

struct registers {
    const uint8_t *vectors; /* 16 bytes each (xmm); NULL: not saved */
    uintptr_t vector_step;
    uintptr_t general[8]; /* as instructions number them: eax ecx edx ebx esp ebp esi edi */
    uintptr_t entry;
};

/* Which of them are the stack pointer and the frame pointer; none has return addresses. */
enum { REGISTERS_STACK = 4, REGISTERS_FRAME = 5, REGISTERS_LINK = REGISTERS_FRAME };

/* At a call, no argument is in a register. */
enum { REGISTER_WORDS = 0 };

/* The low half of vector register NUMBER as the thread has it now. */
uint64_t vector_low(unsigned number);

#endif
