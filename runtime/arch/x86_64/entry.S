/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What the entries of sites with live registers call (<sdt/format.h>, SDT_ENTRY_SIZE): keep every
 * register that such a site may have in use, and do there what the trampolines do at a call. Which
 * of these functions it is says sdt_probe.way. On entry:
 *
 *     (%rsp)      return into the entry, where it is written whose it is: ENTRY_PROBE …
 *     8(%rsp)     128 bytes: the red zone of the probed function
 *     136(%rsp)   the probed function's stack: the canonical frame address of this frame
 *
 * For unwinders the caller is not the entry but the probed function itself, as if the site were a
 * call: the return address is where the entry's own jump leads.
 *
 * The CPU's flags are dead at an asm statement of ours, since compilers take them for clobbered
 * there. At other sites (…_flags), which are armed by breakpoint, they are kept, and the direction
 * flag cleared for handlers. Vector, x87 and mask registers are kept by vector.S.
 */
#include "count.inc"
#include "macros.inc"

#define CFA_AT_ENTRY 136

        .text
        .macro  BEGIN name
        FUNCTION \name, 6
        .cfi_def_cfa_offset CFA_AT_ENTRY
        /*
         * DW_CFA_val_expression: with R = *(CFA - 136), the return address is
         * R + ENTRY_JUMP + 4 + the signed 32 bits at R + ENTRY_JUMP.
         */
        .cfi_escape 0x16, 16, 18, 0x08, CFA_AT_ENTRY, 0x1c, 0x06, 0x12, 0x23, ENTRY_JUMP, 0x94, 4
        .cfi_escape 0x08, 32, 0x24, 0x08, 32, 0x26, 0x22, 0x23, ENTRY_JUMP + 4
        endbr64
        .endm

/* The probe has been disabled, but a thread was already on its way here. */
        BEGIN   entry_nothing
        ret
        END     entry_nothing
        .globl  entry_nothing_flags
        .hidden entry_nothing_flags
        .set    entry_nothing_flags, entry_nothing

        .macro  KEEP_FLAGS flags
        .if     \flags
        lahf
        seto    %al
        push    %rax
        .cfi_adjust_cfa_offset 8
        .endif
        .endm

        .macro  RETURN flags
        .if     \flags
        pop     %rax
        .cfi_adjust_cfa_offset -8
        add     $0x7f, %al
        sahf
        .endif
        pop     %rax
        .cfi_adjust_cfa_offset -8
        .cfi_same_value %rax
        ret
        .endm

        .macro  COUNT name, flags
        BEGIN   \name
        PUSH_KEPT rax
        KEEP_FLAGS \flags
        PUSH_KEPT r10
        PUSH_KEPT r11
        mov     24 + 8 * \flags(%rsp), %r11
        movslq  ENTRY_PROBE(%r11), %r10
        lea     ENTRY_PROBE(%r11, %r10), %r10
        LOAD_STATE
        COUNT_HIT \name, rax, r11
        POP_KEPT r11
        POP_KEPT r10
        RETURN  \flags
        COUNT_HIT_RARELY \name, rax
        END     \name
        .endm

        COUNT   entry_count, 0
        COUNT   entry_count_flags, 1

/*
 * The stack, from the canonical frame address on, which is kept in %rbp:
 *
 *     -136   return into the entry         struct registers, which is all of this,
 *     -264   16 general registers          as instructions number them
 *     -280   where vector registers are    for vector.S to fill in
 *     -288   the CPU's flags (…_flags)
 *            struct sdt_event, aligned
 *
 * DISPATCH gets the event in %rdi; it may change what calls may change, but no vector register.
 */
#define GENERAL(n) (-264 + 8 * (n))
#define REGISTERS (GENERAL(0) - REGISTERS_GENERAL)
#define FLAGS (REGISTERS - 8)

/* The registers that calls may change. */
        .macro  EACH_CLOBBERED do
        \do     rax, 0
        \do     rcx, 1
        \do     rdx, 2
        \do     rsi, 6
        \do     rdi, 7
        \do     r8, 8
        \do     r9, 9
        \do     r10, 10
        \do     r11, 11
        .endm

        .macro  LOAD register, n
        mov     GENERAL(\n)(%rbp), %\register
        .endm

        .macro  FORGET register, n
        .cfi_same_value %\register
        .endm

        .macro  SAVE name, flags, is_general, dispatch
        BEGIN   \name
        .cfi_personality 0x1b, unwind_personality
        .irp    register, r15, r14, r13, r12, r11, r10, r9, r8, rdi, rsi, rbp
        PUSH_KEPT \register
        .endr
        lea     CFA_AT_ENTRY + 8 * 11(%rsp), %rbp
        .cfi_def_cfa %rbp, 0
        push    %rbp
        push    %rbx
        push    %rdx
        .cfi_offset %rdx, GENERAL(2)
        push    %rcx
        .cfi_offset %rcx, GENERAL(1)
        push    %rax
        .cfi_offset %rax, GENERAL(0)
        .if     \flags
        lea     FLAGS + 8(%rbp), %rsp
        pushfq
        cld
        .endif
        mov     -CFA_AT_ENTRY(%rbp), %r11
        movslq  ENTRY_PROBE(%r11), %r10
        lea     ENTRY_PROBE(%r11, %r10), %r10
        lea     FLAGS - EVENT_SIZE(%rbp), %rsp
        and     $-16, %rsp
        lea     REGISTERS(%rbp), %rsi
        mov     %r10, EVENT_PROBE(%rsp)
        movq    $0, EVENT_SITE(%rsp)
        mov     %rsi, EVENT_REGISTERS(%rsp)
        mov     %rsp, %rdi
        .if     \is_general
        /*
         * Handlers leave vector registers alone, and so does the runtime: its files on this path
         * are compiled for general registers only. But not the C library, which is called when a
         * thread comes for the first time: then they are kept for that, and no longer, since both
         * at once would be much for a small stack.
         */
        movq    $0, REGISTERS_VECTORS(%rsi) /* not saved: argument.c asks vector_low() */
        mov     sync_self@gottpoff(%rip), %rax
        cmpq    $0, %fs:(%rax)
        je      2f
        .endif
3:      call    \dispatch
1:      EACH_CLOBBERED LOAD
        .if     \flags
        lea     FLAGS(%rbp), %rsp
        popfq
        .endif
        lea     -CFA_AT_ENTRY(%rbp), %rsp
        mov     GENERAL(5)(%rbp), %rbp
        .cfi_def_cfa %rsp, CFA_AT_ENTRY
        .cfi_same_value %rbp
        EACH_CLOBBERED FORGET
        ret
        .if     \is_general
        .cfi_remember_state
        .cfi_def_cfa %rbp, 0
        .cfi_offset %rbp, GENERAL(5)
2:      call    vector_claim
        mov     sync_self@gottpoff(%rip), %rax
        cmpq    $0, %fs:(%rax)
        je      1b /* out of memory: no handler is called */
        mov     %rsp, %rdi
        jmp     3b
        .cfi_restore_state
        .endif
        END     \name
        .endm

        SAVE    entry_save, 0, 0, vector_dispatch
        SAVE    entry_save_flags, 1, 0, vector_dispatch_all
        SAVE    entry_general, 0, 1, dispatch_general
        SAVE    entry_general_flags, 1, 1, dispatch_general
        SAVE    entry_record, 0, 1, recorder_dispatch
        SAVE    entry_record_flags, 1, 1, recorder_dispatch

        END_OF_FILE
