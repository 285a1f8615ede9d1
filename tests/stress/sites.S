/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Sites of every kind that the runtime writes to, each at every offset in a cache line, and across
 * every place where a site can cross a page. Function stress_<n> holds site number n; neighbours
 * are of different kinds, so that the last digits of the numbers make ten classes with all kinds
 * and offsets in each. `stress_functions` lists the functions in order. COPIES (stress.h) says how
 * often each offset comes.
 *
 * Each takes one number and returns it (tail sites and questions return what they like): in
 * call sites from a register that survives calls, in live code from the red zone.
 */
#include "runtime_site.inc"

        .irp    class, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9
        PROBE   class\class, call_\class
        PROBE   class\class, call6_\class
        PROBE   class\class, live_\class
        PROBE   class\class, note_\class
        PROBE   class\class, room_\class
        PROBE   class\class, flag_\class
        PROBE   class\class, tail_\class
        PROBE   class\class, asked_\class
        .endr

/* Bodies; what comes before the site has the length that AT_NEXT is told. */
        .macro  BODY_call f, class
        push    %rbx
        .cfi_adjust_cfa_offset 8
        .cfi_rel_offset %rbx, 0
        mov     %rdi, %rbx
        SITE_CALL call_\class, \f, 1, "8@%rdi"
        mov     %rbx, %rax
        pop     %rbx
        .cfi_adjust_cfa_offset -8
        .cfi_restore %rbx
        ret
        .endm

        .macro  BODY_call6 f, class
        push    %rbx
        .cfi_adjust_cfa_offset 8
        .cfi_rel_offset %rbx, 0
        mov     %rdi, %rbx
        SITE_CALL6 call6_\class, \f, 1, "8@%rdi"
        mov     %rbx, %rax
        pop     %rbx
        .cfi_adjust_cfa_offset -8
        .cfi_restore %rbx
        ret
        .endm

        .macro  IN_LIVE_CODE site, probe, f
        mov     %rdi, -8(%rsp)
        \site  \probe, \f, 1, "8@-8(%rsp)"
        mov     -8(%rsp), %rax
        ret
        .endm

        .macro  BODY_inline f, class
        IN_LIVE_CODE SITE_INLINE, live_\class, \f
        .endm

        .macro  BODY_nop1 f, class
        IN_LIVE_CODE SITE_NOP1, note_\class, \f
        .endm

        .macro  BODY_nop11 f, class
        IN_LIVE_CODE SITE_NOP11, room_\class, \f
        .endm

        /* The flags are live, as where a person has written the code. */
        .macro  BODY_flagged f, class
        mov     %rdi, -8(%rsp)
        cmp     $0, %rdi
        SITE_INLINE flag_\class, \f, 1, "8@-8(%rsp)", 4
        mov     -8(%rsp), %rax
        cmove   %rdi, %rax
        ret
        .endm

        .macro  BODY_tail f, class
        SITE_TAIL tail_\class, \f, 1, "8@%rdi"
        .endm

        .macro  BODY_enabled f, class
        SITE_ENABLED asked_\class, \f
        ret
        .endm

        .macro  BODY_enabled_tail f, class
        SITE_ENABLED_TAIL asked_\class, \f
        .endm

/* Function NUMBER, of CLASS, with its site AT bytes after a multiple of ALIGN. */
        .macro  FUNCTION_N number, class, kind, before, align, at
        .noaltmacro
        .text
        .balign \align, 0xcc
        .rept   (\at - \before) & (\align - 1)
        int3
        .endr
        .type   stress_\number, @function
stress_\number:
        .cfi_startproc
        BODY_\kind stress_\number, \class
        .cfi_endproc
        .size   stress_\number, . - stress_\number
        .pushsection .data.rel.ro.stress_functions, "aw", @progbits
        .quad   stress_\number
        .popsection
        .set    next, next + 1
        .endm

        .macro  AT_NEXT kind, before, align, at
        .altmacro
        FUNCTION_N %next, %(next%10), \kind, \before, \align, %\at
        .endm

        .macro  ALL_KINDS align, at
        AT_NEXT call, 4, \align, \at
        AT_NEXT call6, 4, \align, \at
        AT_NEXT inline, 5, \align, \at
        AT_NEXT nop1, 5, \align, \at
        AT_NEXT nop11, 5, \align, \at
        AT_NEXT flagged, 9, \align, \at
        AT_NEXT tail, 0, \align, \at
        AT_NEXT enabled, 0, \align, \at
        AT_NEXT enabled_tail, 0, \align, \at
        .endm

        .pushsection .data.rel.ro.stress_functions, "aw", @progbits
        .balign 8
        .globl  stress_functions
stress_functions:
        .popsection
        .text
        .balign 4096
        .globl  stress_begin
stress_begin:

        .set    next, 0
        .rept   COPIES
        .set    offset, 0
        .rept   64
        ALL_KINDS 64, offset
        .set    offset, offset + 1
        .endr
        .endr
        .set    offset, 4096 - 6
        .rept   6
        ALL_KINDS 4096, offset
        .set    offset, offset + 1
        .endr

        .globl  stress_end
stress_end:
        .pushsection .data.rel.ro.stress_functions, "aw", @progbits
        .globl  stress_functions_end
stress_functions_end:
        .popsection

        DSO
