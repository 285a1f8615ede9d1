/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What the entries of sites with live registers call (arch.h, SDT_ENTRY_SIZE): keep every register
 * that such a site may have in use, and do there what the trampolines do at a call. On entry:
 *
 *     (%rsp)      return into the entry, whose data lie behind it: ENTRY_PROBE …
 *     8(%rsp)     128 bytes: the red zone of the probed function
 *     136(%rsp)   the probed function's stack: the canonical frame address of this frame
 *
 * For unwinders the caller is not the entry, which has no CFI, but the probed function itself, as
 * if the site were a call: the return address is read from the entry's data.
 *
 * The CPU's flags are dead at an asm statement, since compilers take them for clobbered there. Only
 * entry_save_flags keeps them, by LAHF and SETO, which cost a tenth of PUSHF and POPF; and by STD,
 * where it was set, the direction flag, which handlers must find clear. They find the x87 stack
 * empty as well. Vector, x87 and mask registers (see vector.h) are kept for handlers, and not to
 * count, which leaves them alone.
 */
#define ENTRY_PROBE 21  /* in the entry's data, from the return address on */
#define ENTRY_PATCH 29
#define ENTRY_RESUME 37
#define ENTRY_SITE 45

#define EVENT_PATCH 56 /* in struct sdt_event; asserted by unwind.c */
#define EVENT_PROBE 64
#define EVENT_SITE 72
#define EVENT_REGISTERS 80
#define EVENT_SIZE 96
#define PROBE_HITS 8

#define REGISTERS -160 /* struct registers, from %rbp */
#define GENERAL(n) (REGISTERS + 8 * (n))
#define FLAGS GENERAL(16)
#define PC GENERAL(17)
#define XMM GENERAL(18)
#define XSAVE_HEADER 512 /* its first word says what was written */
#define FXSAVE_MXCSR 24
#define FXSAVE_MXCSR_AFTER 28 /* where FXSAVE has a mask that nobody reads back */
#define FXSAVE_XMM 160
#define XSAVE_YMM 576 /* upper halves, as XSAVE lays them out */
#define IN_USE 1      /* for XGETBV: what of the state is not as it is in a new process */
#define SSE 2
#define AVX 4

#define CFA_AT_ENTRY 136
#define DIRECTION 0x400 /* of the flags */

        .section .data.rel.ro, "aw"
        .balign 8
counting:
        .quad   trampoline_count

        .text
/* One of the two forms. FRAME is the distance from %rbp to the canonical frame address. */
        .macro  SAVE name, flags, frame
        .globl  \name
        .hidden \name
        .type   \name, @function
        .p2align 6
\name:
        .cfi_startproc
        .cfi_def_cfa_offset CFA_AT_ENTRY
        /* DW_CFA_val_expression: the return address is *(*(CFA - 136) + ENTRY_RESUME) */
        .cfi_escape 0x16, 16, 8, 0x0a, CFA_AT_ENTRY, 0, 0x1c, 0x06, 0x23, ENTRY_RESUME, 0x06
        endbr64
        push    %rax
        .cfi_adjust_cfa_offset 8
        .cfi_offset %rax, -(CFA_AT_ENTRY + 8)
        .if     \flags
        lahf
        seto    %al
        push    %rax
        .cfi_adjust_cfa_offset 8
        .endif
        push    %r10
        .cfi_adjust_cfa_offset 8
        .cfi_rel_offset %r10, 0
        mov     16 + 8 * \flags(%rsp), %r10
        mov     ENTRY_PROBE(%r10), %r10
        mov     (%r10), %rax
        cmp     counting(%rip), %rax
        jne     2f
        lock incq PROBE_HITS(%r10)
1:      pop     %r10
        .cfi_adjust_cfa_offset -8
        .cfi_same_value %r10
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

2:      .cfi_def_cfa_offset CFA_AT_ENTRY + 16 + 8 * \flags
        .cfi_rel_offset %r10, 0
        .cfi_offset %rax, -(CFA_AT_ENTRY + 8)
        test    %rax, %rax
        je      1b
        push    %rbp
        .cfi_adjust_cfa_offset 8
        .cfi_rel_offset %rbp, 0
        mov     %rsp, %rbp
        .cfi_def_cfa %rbp, \frame
        /* struct registers: the probed frame's own */
        lea     REGISTERS(%rsp), %rsp
        mov     16 + 8 * \flags(%rbp), %rax
        mov     %rax, GENERAL(0)(%rbp)
        mov     %rcx, GENERAL(1)(%rbp)
        .cfi_offset %rcx, GENERAL(1)-(\frame)
        mov     %rdx, GENERAL(2)(%rbp)
        .cfi_offset %rdx, GENERAL(2)-(\frame)
        mov     %rbx, GENERAL(3)(%rbp)
        lea     \frame(%rbp), %rax
        mov     %rax, GENERAL(4)(%rbp)
        mov     (%rbp), %rax
        mov     %rax, GENERAL(5)(%rbp)
        mov     %rsi, GENERAL(6)(%rbp)
        .cfi_offset %rsi, GENERAL(6)-(\frame)
        mov     %rdi, GENERAL(7)(%rbp)
        .cfi_offset %rdi, GENERAL(7)-(\frame)
        mov     %r8, GENERAL(8)(%rbp)
        .cfi_offset %r8, GENERAL(8)-(\frame)
        mov     %r9, GENERAL(9)(%rbp)
        .cfi_offset %r9, GENERAL(9)-(\frame)
        mov     8(%rbp), %rax
        mov     %rax, GENERAL(10)(%rbp)
        mov     %r11, GENERAL(11)(%rbp)
        .cfi_offset %r11, GENERAL(11)-(\frame)
        mov     %r12, GENERAL(12)(%rbp)
        mov     %r13, GENERAL(13)(%rbp)
        mov     %r14, GENERAL(14)(%rbp)
        mov     %r15, GENERAL(15)(%rbp)
        mov     24 + 8 * \flags(%rbp), %r11
        .if     \flags
        pushfq
        pop     FLAGS(%rbp)
        cld
        .else
        movq    $0, FLAGS(%rbp)
        .endif
        call    save_and_dispatch
        .if     \flags
        testl   $DIRECTION, FLAGS(%rbp)
        jz      3f
        std
3:
        .endif
        mov     GENERAL(1)(%rbp), %rcx
        mov     GENERAL(2)(%rbp), %rdx
        mov     GENERAL(6)(%rbp), %rsi
        mov     GENERAL(7)(%rbp), %rdi
        mov     GENERAL(8)(%rbp), %r8
        mov     GENERAL(9)(%rbp), %r9
        mov     GENERAL(11)(%rbp), %r11
        leave
        .cfi_def_cfa %rsp, CFA_AT_ENTRY + 16 + 8 * \flags
        .cfi_same_value %rbp
        .cfi_same_value %rcx
        .cfi_same_value %rdx
        .cfi_same_value %rsi
        .cfi_same_value %rdi
        .cfi_same_value %r8
        .cfi_same_value %r9
        .cfi_same_value %r11
        jmp     1b
        .cfi_endproc
        .size   \name, . - \name
        .endm

        SAVE    entry_save, 0, CFA_AT_ENTRY + 24
        SAVE    entry_save_flags, 1, CFA_AT_ENTRY + 32

        .macro  MOVE_XMM instruction, forward
        .irp    n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
        .if     \forward
        \instruction %xmm\n, FXSAVE_XMM + 16 * \n(%rbx)
        .else
        \instruction FXSAVE_XMM + 16 * \n(%rbx), %xmm\n
        .endif
        .endr
        .endm

        .macro  CLEAR_HEADER /* by %rdx, which is 0 */
        .irp    n, 0, 8, 16, 24, 32, 40, 48, 56
        mov     %rdx, XSAVE_HEADER + \n(%rbx)
        .endr
        .endm

/* What handlers left in use of the parts in MASK, which were not, gets its first values back. */
        .macro  RESET mask
        mov     $IN_USE, %ecx
        xgetbv
        and     \mask(%rip), %eax
        jz      9f
        xor     %edx, %edx
        CLEAR_HEADER
        xrstor64 (%rbx) /* none of them is said to be in the area: MXCSR alone is read */
9:
        .endm

/*
 * Called with %rbp at the end of the saved registers, %r10 the probe, %r11 the return address into
 * the entry. Saves the vector state, makes the event, calls the handlers. Clobbers what was saved.
 *
 * XSAVEC and XRSTOR cost more than all the rest of a hit. What they would save is nearly always the
 * sixteen xmm registers, and at most the upper halves of the ymm registers: XGETBV tells. Those two
 * are moved by hand, and only where x87, mask or zmm registers are in use is it left to XSAVEC. It
 * writes what is in use; a register file that it left out is all zeros.
 */
        .hidden entry_vector_parts
        .hidden entry_vector_size
        .hidden entry_vector_compact
        .hidden entry_vector_rare
        .hidden entry_vector_upper
        .type   save_and_dispatch, @function
        .p2align 4
save_and_dispatch:
        .cfi_startproc
        .cfi_personality 0x1b, unwind_personality
        push    %rbp
        .cfi_adjust_cfa_offset 8
        .cfi_rel_offset %rbp, 0
        mov     %rbp, %rsi
        mov     %rsp, %rbp
        .cfi_def_cfa_register %rbp
        push    %rbx
        .cfi_offset %rbx, -24
        sub     entry_vector_size(%rip), %rsp
        and     $-64, %rsp
        mov     %rsp, %rbx
        lea     FXSAVE_XMM(%rbx), %rax
        mov     %rax, XMM(%rsi)
        mov     ENTRY_RESUME(%r11), %rax
        mov     %rax, PC(%rsi)
        lea     -EVENT_SIZE(%rsp), %rsp
        mov     ENTRY_PATCH(%r11), %rax
        mov     %rax, EVENT_PATCH(%rsp)
        mov     %r10, EVENT_PROBE(%rsp)
        mov     ENTRY_SITE(%r11), %rax
        mov     %rax, EVENT_SITE(%rsp)
        lea     REGISTERS(%rsi), %rax
        mov     %rax, EVENT_REGISTERS(%rsp)
        cmpl    $0, entry_vector_rare(%rip)
        je      5f
        mov     $IN_USE, %ecx
        xgetbv
        test    entry_vector_rare(%rip), %eax
        jnz     5f
        stmxcsr FXSAVE_MXCSR(%rbx)
        test    $AVX, %eax
        jnz     1f

        /* Nothing but xmm registers. */
        MOVE_XMM movups, 1
        mov     %rsp, %rdi
        call    dispatch_event
        RESET   entry_vector_upper
        MOVE_XMM movups, 0
        jmp     2f

        /* And the upper halves. Handlers find them clean, as functions do. */
1:      MOVE_XMM vmovups, 1
        .irp    n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
        vextractf128 $1, %ymm\n, XSAVE_YMM + 16 * \n(%rbx)
        .endr
        vzeroupper
        mov     %rsp, %rdi
        call    dispatch_event
        RESET   entry_vector_rare
        MOVE_XMM vmovups, 0
        .irp    n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
        vinsertf128 $1, XSAVE_YMM + 16 * \n(%rbx), %ymm\n, %ymm\n
        .endr

2:      stmxcsr FXSAVE_MXCSR_AFTER(%rbx)
        mov     FXSAVE_MXCSR(%rbx), %eax
        cmp     %eax, FXSAVE_MXCSR_AFTER(%rbx)
        je      4f
        ldmxcsr FXSAVE_MXCSR(%rbx)
4:      mov     -8(%rbp), %rbx
        .cfi_remember_state
        .cfi_same_value %rbx
        leave
        .cfi_def_cfa %rsp, 8
        .cfi_same_value %rbp
        ret
        .cfi_restore_state

        /* All there is. */
5:      mov     entry_vector_parts(%rip), %eax
        test    %eax, %eax
        jz      7f
        xor     %edx, %edx
        CLEAR_HEADER
        cmpl    $0, entry_vector_compact(%rip)
        je      6f
        xsavec64 (%rbx)
        testb   $SSE, XSAVE_HEADER(%rbx)
        jnz     8f
        lea     FXSAVE_XMM(%rbx), %rdi
        mov     $32, %ecx
        xor     %eax, %eax
        rep stosq
        jmp     8f
6:      xsave64 (%rbx)
        jmp     8f
7:      fxsave64 (%rbx)
8:      emms
        mov     %rsp, %rdi
        call    dispatch_event
        mov     entry_vector_parts(%rip), %eax
        test    %eax, %eax
        jz      7f
        xor     %edx, %edx
        xrstor64 (%rbx)
        jmp     4b
7:      fxrstor64 (%rbx)
        jmp     4b
        .cfi_endproc
        .size   save_and_dispatch, . - save_and_dispatch

        .section .note.GNU-stack, "", @progbits
        .section .note.gnu.property, "a"
        .p2align 3
        .long   4, 16, 5
        .asciz  "GNU"
        .long   0xc0000002, 4, 3, 0
