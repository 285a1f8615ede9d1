/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * For the control, in which the unprocessed objects call the probes: functions of their names, no
 * two alike, so that no linker folds them.
 */
#include "matrix.h"

#define MATRIX_STUB(symbol)                                                                        \
    "\t.globl " symbol "\n\t.hidden " symbol "\n\t.type " symbol ", @function\n" symbol ":\n"      \
    "\tmovl $(. - matrix_stubs), %eax\n\txorl %eax, %eax\n\tret\n\t.size " symbol ", . - " symbol  \
    "\n"
#define MATRIX_CALLED(name) MATRIX_STUB("__dtrace_sdt_matrix___" #name)
__asm__("\t.text\nmatrix_stubs:\n" MATRIX_PROBES(MATRIX_CALLED)
            MATRIX_STUB("__dtrace_sdtenabled_matrix___asked")
                MATRIX_STUB("__dtrace_sdtenabled_matrix___dead__c")
                    MATRIX_STUB("__dtrace_sdtenabled_matrix___form__asked"));
