/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * For the control, in which the unprocessed objects call the probes: functions of their names, no
 * two alike, so that no linker folds them. Those of inline sites change no register and no flag.
 */
#include "matrix.h"

#define MATRIX_STUB(symbol)                                                                        \
    "\t.globl " symbol "\n\t.hidden " symbol "\n\t.type " symbol ", @function\n" symbol ":\n"      \
    "\tmovl $(. - matrix_stubs), %eax\n\txorl %eax, %eax\n\tret\n\t.size " symbol ", . - " symbol  \
    "\n"
/* What <sdt/probe.h> writes, and what is written by hand in forms.c. */
#define MATRIX_CALLED(name)                                                                        \
    MATRIX_STUB("__dtrace_sdt_run_sdtlink___matrix___" #name)                                      \
    MATRIX_STUB("__dtrace_sdt_matrix___" #name)
#define MATRIX_INLINE_STUB(symbol)                                                                 \
    "\t.globl " symbol "\n\t.hidden " symbol "\n\t.type " symbol ", @function\n" symbol ":\n"      \
    "\t.byte 0x0f, 0x1f, 0x80\n\t.long . - matrix_stubs\n\tret\n\t.size " symbol ", . - " symbol   \
    "\n"
#define MATRIX_INLINE(name) MATRIX_INLINE_STUB("__dtrace_sdtasm_run_sdtlink___matrix___" #name)
__asm__("\t.text\nmatrix_stubs:\n" MATRIX_PROBES(MATRIX_CALLED) MATRIX_PROBES(MATRIX_INLINE)
            MATRIX_INLINE_STUB("__dtrace_sdtmark")
                MATRIX_STUB("__dtrace_sdtenabled_run_sdtlink___matrix___asked")
                    MATRIX_STUB("__dtrace_sdtenabled_run_sdtlink___matrix___dead__c")
                        MATRIX_STUB("__dtrace_sdtenabled_matrix___form__asked"));
