/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * vector_dispatch: dispatch_event() for a thread whose vector, x87 and mask registers are all in
 * use. Keeps them all, and gives handlers what a called function may expect: an empty x87 stack.
 *
 * XSAVEC and XRSTOR would do it all, but cost more than all the rest of a hit: 160 ns on an AMD
 * EPYC (Zen 4) with AVX-512, 100 on an Intel Xeon (Ice Lake). Moves cost 23 and 19 for zmm0-31 and
 * k0-7, 5 for ymm0-15. So everything is kept by moves, but for an x87 stack that holds something,
 * and for x87 instructions that might trap: then XSAVE does it. vector.c chooses among two
 * ways, by the CPU and by what two instructions cost there (WAY_TELLS):
 *
 *   XGETBV is quick (Intel): it is asked what is in use. What is not is not saved, and what
 *   handlers left in use of it is cleared. Where x87 is in use, FNSTENV tells whether its stack is
 *   empty: on those CPUs FXAM takes 240 cycles to say that it is. FNSTENV takes 35 of the 60 ns
 *   of an empty handler on a Xeon (Sapphire Rapids), and x87 is in use from its first instruction
 *   on, for the rest of the thread. So where it holds nothing, the CPU is told that it is not in
 *   use. Only what was calculated, and was not exact, leaves something: a flag.
 *
 *   XGETBV is slow (AMD, 35 cycles): everything is saved that the CPU has. FXAM tells of x87.
 *
 * What is in use seldom is little: since glibc's string functions use AVX-512 there are mask
 * registers and zmm16-31 in use in every process. The tiles of AMX are 8 KiB, and seldom in use:
 * then XSAVE keeps them as well (entry_rare_parts).
 *
 * Where the upper halves of the first 16 registers were all zeros they are left as VZEROUPPER
 * leaves them: on many CPUs the program's SSE instructions would be slow otherwise.
 */
#include "macros.inc"
#include "vector_layout.h"

/* The area of what is kept by hand, from %rbx. */
#define MXCSR 0
#define PARTS 4 /* what was saved, in bits of XCR0 */
#define UPPER_IN_USE 8
#define FCW 12 /* control word of x87, … */
#define FCW_AFTER 14
#define ENVIRONMENT 16 /* … and its environment: FNSTENV's 28 bytes */
#define ENVIRONMENT_FSW 20
#define ENVIRONMENT_TOP 21 /* in bits TOP of this byte: which register is the top */
#define ENVIRONMENT_TAGS 24
#define VECTORS 64
#define ZMM_HIGH (VECTORS + 16 * 64)
#define MASKS (VECTORS + 32 * 64)

/* The area of FXSAVE and XSAVE, from %rbx. */
#define FXSAVE_XMM 160
#define XSAVE_HEADER 512 /* its first word says what was written */

#define IN_USE 1 /* for XGETBV: what of the state is not as it is in a new process */
#define X87 1    /* parts of it */
#define SSE 2
#define AVX 4
#define OPMASK 0x20
#define ZMM_UPPER 0x40
#define ZMM_HIGHER 0x80
#define TILES 0x60000 /* of AMX: their form, and what they hold */

#define FCW_MASKS 0x3f /* no x87 instruction traps */
#define FCW_INITIAL 0x37f
#define FSW_CONDITIONS 0x4700 /* dead at a site, unless its flags are live */
#define TOP 0x38
#define FXAM_ANSWER 0x4500
#define FXAM_EMPTY 0x4100

        .text
        .macro  EACH_16 do, arguments:vararg
        .irp    n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
        \do     \n, \arguments
        .endr
        .endm

        .macro  STORE n, size, step
        vmovaps %\size\()mm\n, VECTORS + \step * \n(%rbx)
        .endm

        .macro  LOAD n, size, step
        vmovaps VECTORS + \step * \n(%rbx), %\size\()mm\n
        .endm

        .macro  EACH_HIGH do
        .irp    n, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
        \do     \n
        .endr
        .endm

        .macro  STORE_HIGH n
        vmovaps %zmm\n, VECTORS + 64 * \n(%rbx)
        .endm

        .macro  LOAD_HIGH n
        vmovaps VECTORS + 64 * \n(%rbx), %zmm\n
        .endm

        .macro  CLEAR_HIGH n
        vpxord  %xmm\n, %xmm\n, %xmm\n
        .endm

        .macro  EACH_MASK do
        .irp    n, 0, 1, 2, 3, 4, 5, 6, 7
        \do     \n
        .endr
        .endm

        .macro  STORE_MASK n
        kmovq   %k\n, MASKS + 8 * \n(%rbx)
        .endm

        .macro  LOAD_MASK n
        kmovq   MASKS + 8 * \n(%rbx), %k\n
        .endm

        .macro  CLEAR_MASK n
        kxorq   %k\n, %k\n, %k\n
        .endm

        .macro  OR_YMM to, others:vararg
        .irp    n, \others
        vorps   %ymm\n, %ymm\to, %ymm\to
        .endr
        .endm

        .macro  OR_ZMM to, others:vararg
        .irp    n, \others
        vporq   %zmm\n, %zmm\to, %zmm\to
        .endr
        .endm

/* OR all of the first 16, which are saved, into the first one. */
        .macro  OR_ALL or
        \or     0, 4, 8, 12
        \or     1, 5, 9, 13
        \or     2, 6, 10, 14
        \or     3, 7, 11, 15
        \or     0, 1, 2, 3
        .endm

        .hidden entry_way
        .hidden entry_parts
        .hidden entry_hand_size
        .hidden entry_xsave_parts
        .hidden entry_xsave_size
        .hidden entry_rare_parts
        .hidden entry_rare_size
        .hidden vector_initial
/* x87 as in a new process, also for XGETBV, which FNINIT does not promise. %eax and %edx change. */
        .macro  CLEAR_X87
        mov     $X87, %eax
        xor     %edx, %edx
        xrstor64 vector_initial(%rip)
        .endm

        .macro  BEGIN name
        FUNCTION \name, 6
        .cfi_personality 0x1b, unwind_personality
        PUSH_KEPT rbp
        mov     %rsp, %rbp
        .cfi_def_cfa_register %rbp
        push    %rbx
        .cfi_offset %rbx, -24
        mov     EVENT_REGISTERS(%rdi), %rsi
        mov     entry_way(%rip), %r8d
        .endm

/*
 * %rdi: the event. Called with the stack aligned to 16 bytes; clobbers what calls may change, but
 * no vector register.
 */
        BEGIN   vector_dispatch
        test    $WAY_HAND, %r8b
        jz      xsave
        sub     entry_hand_size(%rip), %rsp
        and     $-64, %rsp
        mov     %rsp, %rbx
        stmxcsr MXCSR(%rbx)
        test    $WAY_TELLS, %r8b
        jnz     1f

        /* Everything, once it is known that the x87 stack is empty. */
        mov     entry_parts(%rip), %r9d
        fnstcw  FCW(%rbx)
        movzwl  FCW(%rbx), %ecx
        not     %ecx
        test    $FCW_MASKS, %cl
        jnz     xsave
        fxam    /* might trap, were exceptions not masked */
        fnstsw  %ax
        mov     %ax, ENVIRONMENT_FSW(%rbx)
        and     $FXAM_ANSWER, %eax
        cmp     $FXAM_EMPTY, %eax
        jne     xsave
        jmp     2f

        /* What is in use. */
1:      mov     $IN_USE, %ecx
        xgetbv
        test    %eax, entry_rare_parts(%rip)
        jnz     xsave
        mov     %eax, %r9d
        and     entry_parts(%rip), %r9d
        test    $X87, %al
        jz      2f
        fnstcw  FCW(%rbx)
        movzwl  FCW(%rbx), %ecx
        not     %ecx
        test    $FCW_MASKS, %cl
        jnz     xsave
        fnstenv ENVIRONMENT(%rbx) /* and mask all exceptions, which they are */
        cmpw    $-1, ENVIRONMENT_TAGS(%rbx)
        jne     xsave
        cmpw    $FCW_INITIAL, FCW(%rbx)
        jne     2f
        testw   $~FSW_CONDITIONS & 0xffff, ENVIRONMENT_FSW(%rbx)
        jnz     2f
        CLEAR_X87
        and     $~X87, %r9d

2:      mov     %r9d, PARTS(%rbx)
        lea     VECTORS(%rbx), %rax
        mov     %rax, REGISTERS_VECTORS(%rsi)
        test    $ZMM_HIGHER, %r9b
        jz      1f
        EACH_HIGH STORE_HIGH
1:      test    $OPMASK, %r9b
        jz      1f
        EACH_MASK STORE_MASK
1:      test    $ZMM_UPPER, %r9b
        jz      3f
        movq    $64, REGISTERS_VECTOR_STEP(%rsi)
        EACH_16 STORE, z, 64
        test    $WAY_TELLS, %r8b
        jnz     2f
        OR_ALL  OR_ZMM
        vptestmq upper_part(%rip), %zmm0, %k1
        kortestb %k1, %k1
        setnz   UPPER_IN_USE(%rbx)
        jmp     4f
3:      movq    $32, REGISTERS_VECTOR_STEP(%rsi)
        EACH_16 STORE, y, 32
        test    $WAY_TELLS, %r8b
        jnz     2f
        OR_ALL  OR_YMM
        vptest  upper_part(%rip), %ymm0
        setnz   UPPER_IN_USE(%rbx)
        jmp     4f
2:      test    $AVX + ZMM_UPPER, %r9b
        setnz   UPPER_IN_USE(%rbx)

4:      vzeroupper
        call    dispatch_event
        vzeroupper

        mov     PARTS(%rbx), %r9d
        mov     entry_way(%rip), %r8d
        test    $WAY_TELLS, %r8b
        jz      2f
        mov     $IN_USE, %ecx
        xgetbv
        mov     %r9d, %ecx
        not     %ecx
        and     %eax, %ecx /* what handlers left in use of what was not */
        test    $TILES, %ecx
        jz      1f
        .byte   0xc4, 0xe2, 0x78, 0x49, 0xc0 /* tilerelease, which old assemblers do not know */
1:      test    $ZMM_HIGHER, %cl
        jz      1f
        EACH_HIGH CLEAR_HIGH
1:      test    $OPMASK, %cl
        jz      1f
        EACH_MASK CLEAR_MASK
1:      test    $X87, %r9b
        jnz     2f
        test    $X87, %cl
        jz      3f
        CLEAR_X87
        jmp     3f
2:      fnstsw  %ax
        fnstcw  FCW_AFTER(%rbx)
        cmp     ENVIRONMENT_FSW(%rbx), %ax
        jne     5f
        movzwl  FCW_AFTER(%rbx), %eax
        cmp     FCW(%rbx), %ax
        jne     5f
        /*
         * They may have used MMX and not said that they are done. MMX instructions make register 0
         * the top; and so does EMMS, on Intel's CPUs, which the program would notice.
         */
        testb   $TOP, ENVIRONMENT_TOP(%rbx)
        jnz     3f
        emms

3:      test    $ZMM_HIGHER, %r9b
        jz      1f
        EACH_HIGH LOAD_HIGH
1:      test    $OPMASK, %r9b
        jz      1f
        EACH_MASK LOAD_MASK
1:      ldmxcsr MXCSR(%rbx)
        test    $ZMM_UPPER, %r9b
        jz      2f
        cmpb    $0, UPPER_IN_USE(%rbx)
        jne     1f
        EACH_16 LOAD, x, 64
        jmp     9f
1:      EACH_16 LOAD, z, 64
        jmp     9f
2:      cmpb    $0, UPPER_IN_USE(%rbx)
        jne     1f
        EACH_16 LOAD, x, 32
        jmp     9f
1:      EACH_16 LOAD, y, 32
        jmp     9f

        /* They used x87: an empty stack, and both its words as they were. */
5:      fnclex
        movzwl  FCW(%rbx), %eax
        mov     %eax, ENVIRONMENT(%rbx)
        movl    $0xffff, ENVIRONMENT_TAGS(%rbx)
        movq    $0, ENVIRONMENT + 12(%rbx)
        movq    $0, ENVIRONMENT + 20(%rbx)
        fldenv  ENVIRONMENT(%rbx)
        jmp     3b

        /* All there is, by one instruction. */
xsave:
        lea     -8(%rbp), %rsp
        mov     entry_xsave_parts(%rip), %r9d
        mov     entry_xsave_size(%rip), %r10
        mov     entry_rare_parts(%rip), %r11d
        test    %r11d, %r11d
        jz      1f
        mov     $IN_USE, %ecx
        xgetbv
        test    %r11d, %eax
        jz      1f
        or      %r11d, %r9d
        mov     entry_rare_size(%rip), %r10
1:      sub     %r10, %rsp
        and     $-64, %rsp
        mov     %rsp, %rbx
        lea     FXSAVE_XMM(%rbx), %rax
        mov     %rax, REGISTERS_VECTORS(%rsi)
        movq    $16, REGISTERS_VECTOR_STEP(%rsi)
        mov     %r9d, %eax
        test    %eax, %eax
        jz      7f
        xor     %edx, %edx
        .irp    n, 0, 8, 16, 24, 32, 40, 48, 56
        mov     %rdx, XSAVE_HEADER + \n(%rbx)
        .endr
        test    $WAY_COMPACT, %r8b
        jz      6f
        xsavec64 (%rbx)
        testb   $SSE, XSAVE_HEADER(%rbx)
        jnz     8f
        mov     %rdi, %rdx /* it left them out: they are all zeros */
        lea     FXSAVE_XMM(%rbx), %rdi
        mov     $32, %ecx
        xor     %eax, %eax
        rep stosq
        mov     %rdx, %rdi
        jmp     8f
6:      xsave64 (%rbx)
        jmp     8f
7:      fxsave64 (%rbx)
8:      fnstsw  %ax
        test    %al, %al
        jns     1f
        fnclex  /* or the trap that waits for the program's next x87 instruction comes here */
1:      emms
        call    dispatch_event
        mov     entry_xsave_parts(%rip), %eax
        test    %eax, %eax
        jz      7f
        or      entry_rare_parts(%rip), %eax /* as in a new process, if they were not in use */
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
        END     vector_dispatch

/* The same where the flags are live: those of x87 may be as well, which FXAM changes. */
        BEGIN   vector_dispatch_all
        jmp     xsave
        END     vector_dispatch_all

/*
 * sync_claim(), which calls the C library, with vector, mask and x87 registers kept: for a thread
 * in its first hit where they are not kept otherwise.
 */
        FUNCTION vector_claim
        endbr64
        PUSH_KEPT rbp
        mov     %rsp, %rbp
        .cfi_def_cfa_register %rbp
        sub     entry_xsave_size(%rip), %rsp
        and     $-64, %rsp
        mov     entry_xsave_parts(%rip), %eax
        xor     %edx, %edx
        test    %eax, %eax
        jz      1f
        .irp    n, 0, 8, 16, 24, 32, 40, 48, 56
        mov     %rdx, XSAVE_HEADER + \n(%rsp)
        .endr
        xsave64 (%rsp)
        call    sync_claim
        mov     entry_xsave_parts(%rip), %eax
        xor     %edx, %edx
        xrstor64 (%rsp)
        jmp     2f
1:      fxsave64 (%rsp)
        call    sync_claim
        fxrstor64 (%rsp)
2:      leave
        .cfi_def_cfa %rsp, 8
        .cfi_same_value %rbp
        ret
        END     vector_claim

        .section .rodata.cst64, "aM", @progbits, 64
        .balign 64
upper_part:
        .quad   0, 0, -1, -1, -1, -1, -1, -1

        END_OF_FILE
