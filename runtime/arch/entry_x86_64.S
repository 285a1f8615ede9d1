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
#include "count_x86_64.inc"
#include "macros_x86_64.inc"

#define ENTRY_PROBE 21  /* in the entry's data, from the return address on */
#define ENTRY_PATCH 29
#define ENTRY_RESUME 37
#define ENTRY_SITE 45

#define REGISTERS -REGISTERS_SIZE /* struct registers, from %rbp */
#define GENERAL(n) (REGISTERS + REGISTERS_GENERAL + 8 * (n))
#define FLAGS (REGISTERS + REGISTERS_FLAGS)
#define PC (REGISTERS + REGISTERS_PC)
#define XMM (REGISTERS + REGISTERS_XMM)
#define XMM_STEP (REGISTERS + REGISTERS_XMM_STEP)

/* The area of FXSAVE and XSAVE, from %rbx. */
#define FXSAVE_FCW 0 /* control and status word of x87 */
#define FXSAVE_FSW 2
#define FXSAVE_TAGS 4 /* and opcode; two pointers; MXCSR */
#define FXSAVE_MXCSR 24
#define FXSAVE_XMM 160
#define FCW_AFTER 464 /* FXSAVE leaves this to software */
#define UPPER_IN_USE 466
#define XSAVE_HEADER 512 /* its first word says what was written */
#define YMM 576          /* by hand, they are not where XSAVE puts them */
#define YMM_STEP 32

#define IN_USE 1 /* for XGETBV: what of the state is not as it is in a new process */
#define X87 1    /* parts of it */
#define SSE 2
#define FCW_MASKS 0x3f /* no x87 instruction traps */
#define FXAM_ANSWER 0x4500
#define FXAM_EMPTY 0x4100
#define FOR_DEAD_FLAGS 1 /* of entry_vector_by_hand */
#define FOR_LIVE_FLAGS 2

#define CFA_AT_ENTRY 136
#define DIRECTION 0x400 /* of the flags */

        .section .data.rel.ro, "aw"
        .balign 8
counting:
        .quad   trampoline_count

        .text
/* The registers that calls may change, but for %rax and %r10, which are on the stack already. */
        .macro  EACH_CLOBBERED do, arguments:vararg
        \do     rcx, 1, \arguments
        \do     rdx, 2, \arguments
        \do     rsi, 6, \arguments
        \do     rdi, 7, \arguments
        \do     r8, 8, \arguments
        \do     r9, 9, \arguments
        \do     r11, 11, \arguments
        .endm

        .macro  SAVE_CLOBBERED register, n, frame
        mov     %\register, GENERAL(\n)(%rbp)
        .cfi_offset %\register, GENERAL(\n)-(\frame)
        .endm

        .macro  LOAD_CLOBBERED register, n, rest:vararg
        mov     GENERAL(\n)(%rbp), %\register
        .endm

        .macro  FORGET_CLOBBERED register, n, rest:vararg
        .cfi_same_value %\register
        .endm

/* One of the two forms. FRAME is the distance from %rbp to the canonical frame address. */
        .macro  SAVE name, flags, frame
        FUNCTION \name, 6
        .cfi_def_cfa_offset CFA_AT_ENTRY
        /* DW_CFA_val_expression: the return address is *(*(CFA - 136) + ENTRY_RESUME) */
        .cfi_escape 0x16, 16, 8, 0x0a, CFA_AT_ENTRY, 0, 0x1c, 0x06, 0x23, ENTRY_RESUME, 0x06
        endbr64
        PUSH_KEPT rax
        .if     \flags
        lahf
        seto    %al
        push    %rax
        .cfi_adjust_cfa_offset 8
        .endif
        PUSH_KEPT r10
        mov     16 + 8 * \flags(%rsp), %r10
        mov     ENTRY_PROBE(%r10), %r10
        mov     (%r10), %rax
        cmp     counting(%rip), %rax
        jne     2f
        PUSH_KEPT r11
        COUNT_HIT \name, rax, r11
        pop     %r11
        .cfi_adjust_cfa_offset -8
        .cfi_same_value %r11
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
        PUSH_KEPT rbp
        mov     %rsp, %rbp
        .cfi_def_cfa %rbp, \frame
        /* struct registers: the probed frame's own */
        lea     REGISTERS(%rsp), %rsp
        EACH_CLOBBERED SAVE_CLOBBERED, \frame
        .irp    n, 12, 13, 14, 15
        mov     %r\n, GENERAL(\n)(%rbp)
        .endr
        mov     %rbx, GENERAL(3)(%rbp)
        mov     16 + 8 * \flags(%rbp), %rax
        mov     %rax, GENERAL(0)(%rbp)
        lea     \frame(%rbp), %rax
        mov     %rax, GENERAL(4)(%rbp)
        mov     (%rbp), %rax
        mov     %rax, GENERAL(5)(%rbp)
        mov     8(%rbp), %rax
        mov     %rax, GENERAL(10)(%rbp)
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
        EACH_CLOBBERED LOAD_CLOBBERED
        leave
        .cfi_def_cfa %rsp, CFA_AT_ENTRY + 16 + 8 * \flags
        .cfi_same_value %rbp
        EACH_CLOBBERED FORGET_CLOBBERED
        jmp     1b
        COUNT_HIT_RARELY \name
        END     \name
        .endm

        SAVE    entry_save, 0, CFA_AT_ENTRY + 24
        SAVE    entry_save_flags, 1, CFA_AT_ENTRY + 32

        .macro  STORE_VECTORS
        .irp    n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
        vmovaps %ymm\n, YMM + YMM_STEP * \n(%rbx)
        .endr
        .endm

        .macro  LOAD_VECTORS size /* x: and clear the upper halves */
        .irp    n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
        vmovaps YMM + YMM_STEP * \n(%rbx), %\size\()mm\n
        .endr
        .endm

        .macro  OR_VECTORS to, others:vararg
        .irp    n, \others
        vorps   %ymm\n, %ymm\to, %ymm\to
        .endr
        .endm

        .macro  CLEAR_HEADER /* by %rdx, which is 0 */
        .irp    n, 0, 8, 16, 24, 32, 40, 48, 56
        mov     %rdx, XSAVE_HEADER + \n(%rbx)
        .endr
        .endm

/*
 * Called with %rbp at the end of the saved registers, %r10 the probe, %r11 the return address into
 * the entry. Saves the vector state, makes the event, calls the handlers. Clobbers what was saved.
 *
 * XSAVEC and XRSTOR cost more than all the rest of a hit. So what is nearly always all that there
 * is to keep is kept by hand: the ymm registers, MXCSR, and an x87 stack that is empty, of which
 * FXAM tells. XSAVEC does it where numbers are on that stack, where x87 instructions might trap,
 * and where mask or zmm registers are in use; it writes what is in use, and a register file that it
 * left out is all zeros.
 *
 * XGETBV tells what is in use, but takes longer than all that is done by hand (15 ns on an AMD
 * EPYC), so it is asked for nothing else. On some CPUs it says for ever that x87 is in use, once a
 * thread used it. It is asked about x87 where flags are live: FXAM changes those of x87.
 *
 * Where the upper halves were all zeros they are left as VZEROUPPER leaves them: on many CPUs the
 * program's SSE instructions would be slow otherwise.
 */
        .hidden entry_vector_parts
        .hidden entry_vector_size
        .hidden entry_vector_compact
        .hidden entry_vector_by_hand
        .hidden entry_vector_others
        FUNCTION save_and_dispatch
        .cfi_personality 0x1b, unwind_personality
        PUSH_KEPT rbp
        mov     %rbp, %rsi
        mov     %rsp, %rbp
        .cfi_def_cfa_register %rbp
        push    %rbx
        .cfi_offset %rbx, -24
        sub     entry_vector_size(%rip), %rsp
        and     $-64, %rsp
        mov     %rsp, %rbx
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

        testb   $FOR_DEAD_FLAGS, entry_vector_by_hand(%rip)
        jz      5f
        stmxcsr FXSAVE_MXCSR(%rbx)
        fnstcw  FXSAVE_FCW(%rbx)
        movw    $0, FXSAVE_FSW(%rbx)
        mov     entry_vector_others(%rip), %r8d
        cmpq    $0, FLAGS(%rsi)
        jne     1f
        movzwl  FXSAVE_FCW(%rbx), %eax
        not     %eax
        test    $FCW_MASKS, %al
        jnz     5f
        fxam
        fnstsw  %ax
        mov     %ax, FXSAVE_FSW(%rbx)
        and     $FXAM_ANSWER, %eax
        cmp     $FXAM_EMPTY, %eax
        jne     5f
        test    %r8d, %r8d
        jz      3f
        jmp     2f
1:      testb   $FOR_LIVE_FLAGS, entry_vector_by_hand(%rip)
        jz      5f
        or      $X87, %r8d
2:      mov     $IN_USE, %ecx
        xgetbv
        test    %eax, %r8d
        jnz     5f
3:
        movq    $YMM_STEP, XMM_STEP(%rsi)
        lea     YMM(%rbx), %rax
        mov     %rax, XMM(%rsi)
        STORE_VECTORS
        OR_VECTORS 0, 4, 8, 12
        OR_VECTORS 1, 5, 9, 13
        OR_VECTORS 2, 6, 10, 14
        OR_VECTORS 3, 7, 11, 15
        OR_VECTORS 0, 1, 2, 3
        vptest  upper_half(%rip), %ymm0
        setnz   UPPER_IN_USE(%rbx)
        vzeroupper
        mov     %rsp, %rdi
        call    dispatch_event
        vzeroupper

        /* What handlers left in use of the other parts, which were not, is cleared. */
        mov     entry_vector_others(%rip), %r8d
        test    %r8d, %r8d
        jz      1f
        mov     $IN_USE, %ecx
        xgetbv
        and     %r8d, %eax
        jz      1f
        xor     %edx, %edx
        CLEAR_HEADER
        xrstor64 (%rbx) /* none of them is said to be in the area */
1:      fnstsw  %ax
        fnstcw  FCW_AFTER(%rbx)
        cmp     FXSAVE_FSW(%rbx), %ax
        jne     4f
        movzwl  FCW_AFTER(%rbx), %eax
        cmp     FXSAVE_FCW(%rbx), %ax
        jne     4f
2:      ldmxcsr FXSAVE_MXCSR(%rbx)
        cmpb    $0, UPPER_IN_USE(%rbx)
        jne     3f
        LOAD_VECTORS x
        jmp     9f
3:      LOAD_VECTORS y
        jmp     9f

        /* They used x87: an empty stack, and both its words as they were. */
4:      xor     %edx, %edx
        mov     %rdx, FXSAVE_TAGS(%rbx)
        mov     %rdx, FXSAVE_TAGS + 8(%rbx)
        mov     %rdx, FXSAVE_TAGS + 12(%rbx)
        CLEAR_HEADER
        movb    $X87, XSAVE_HEADER(%rbx)
        mov     $X87, %eax
        xrstor64 (%rbx)
        jmp     2b

        /* All there is. */
5:      lea     FXSAVE_XMM(%rbx), %rax
        mov     %rax, XMM(%rsi)
        movq    $16, XMM_STEP(%rsi)
        mov     entry_vector_parts(%rip), %eax
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
8:      fnstsw  %ax
        test    %al, %al
        jns     1f
        fnclex  /* or the trap that waits for the program's next x87 instruction comes here */
1:      emms
        mov     %rsp, %rdi
        call    dispatch_event
        mov     entry_vector_parts(%rip), %eax
        test    %eax, %eax
        jz      7f
        xor     %edx, %edx
        xrstor64 (%rbx)
        jmp     9f
7:      fxrstor64 (%rbx)
9:      mov     -8(%rbp), %rbx
        .cfi_same_value %rbx
        leave
        .cfi_def_cfa %rsp, 8
        .cfi_same_value %rbp
        ret
        END     save_and_dispatch

        .section .rodata.cst32, "aM", @progbits, 32
        .balign 32
upper_half:
        .quad   0, 0, -1, -1

        END_OF_FILE
