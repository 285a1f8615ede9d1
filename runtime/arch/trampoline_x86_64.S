/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Where a stub jumps to when its probe is on. On entry, at any site that is a call or a tail call:
 *
 *     rdi rsi rdx rcx r8 r9   arguments 0-5           (%rsp)   return address
 *     %r10  struct sdt_probe                          8(%rsp)  arguments 6 and on
 *     %r11  address of the site's patch byte
 *
 * Every caller-saved register is dead there, vector registers included, so nothing is saved for the
 * site's sake: the argument registers are stored because they *are* the event.
 *
 * The frame has full CFI, so that debuggers and unwinders walk from a handler into the probed
 * function, and a personality routine of our own (unwind.c), which keeps exceptions inside handlers
 * and lets pthread_exit through.
 */

/* Offsets in struct sdt_event; dispatch.h asserts nothing: unwind.c does. */
#define EVENT_WORDS 0
#define EVENT_STACK 48
#define EVENT_PATCH 56
#define EVENT_PROBE 64
#define EVENT_REGISTERS 80
#define EVENT_SIZE 96
#define PROBE_HITS 8

        .text
        .globl  trampoline_dispatch
        .hidden trampoline_dispatch
        .type   trampoline_dispatch, @function
        .p2align 4
trampoline_dispatch:
        .cfi_startproc
        .cfi_personality 0x1b, unwind_personality
        endbr64
        push    %rbp
        .cfi_def_cfa_offset 16
        .cfi_offset %rbp, -16
        mov     %rsp, %rbp
        .cfi_def_cfa_register %rbp
        and     $-16, %rsp
        sub     $EVENT_SIZE, %rsp
        mov     %rdi, EVENT_WORDS(%rsp)
        mov     %rsi, EVENT_WORDS+8(%rsp)
        mov     %rdx, EVENT_WORDS+16(%rsp)
        mov     %rcx, EVENT_WORDS+24(%rsp)
        mov     %r8, EVENT_WORDS+32(%rsp)
        mov     %r9, EVENT_WORDS+40(%rsp)
        lea     16(%rbp), %rax
        mov     %rax, EVENT_STACK(%rsp)
        mov     %r11, EVENT_PATCH(%rsp)
        mov     %r10, EVENT_PROBE(%rsp)
        movq    $0, EVENT_REGISTERS(%rsp)
        mov     %rsp, %rdi
        call    dispatch_event
        leave
        .cfi_def_cfa %rsp, 8
        ret
        .cfi_endproc
        .size   trampoline_dispatch, . - trampoline_dispatch

        .globl  trampoline_count
        .hidden trampoline_count
        .type   trampoline_count, @function
        .p2align 4
trampoline_count:
        .cfi_startproc
        endbr64
        lock incq PROBE_HITS(%r10)
        ret
        .cfi_endproc
        .size   trampoline_count, . - trampoline_count

/*
 * Where a thread goes on that hit a site in the middle of live code: every register, the flags, the
 * vector registers and 128 bytes below the stack pointer are the program's. It comes from a signal
 * (context_interrupt), with %r11 = CFA-152, CFA being the stack pointer at the site, and %rsp at
 *
 *     its own %r10, its own %r11, where it goes on, struct sdt_probe, address of the patch byte
 *
 * The first instructions bring that to where it would have been pushed
 *
 *     CFA-136  where it goes on      %r10  struct sdt_probe
 *     CFA-144  its own %r11          %r11  address of the site's patch byte
 *     CFA-152  its own %r10   <- %rsp
 *
 * The return is a `ret` that also takes the red zone off the stack: nothing else gets at a program
 * counter without a register or a flag.
 *
 * Saved are, by XSAVE, the parts of vector state that any compiled code may use; not AMX's tiles
 * (8 KiB, and no function keeps any across a call) and not the protection keys, which a handler
 * changes on purpose. As for any function, on entry the direction flag is clear and the x87 stack
 * empty. The CFI gives the probed function's registers to debuggers.
 */
#define REGISTERS -160                  /* struct registers, from %rbp, which is CFA-168 */
#define GENERAL(n) (REGISTERS + 8 * (n))
#define FLAGS GENERAL(16)
#define PC GENERAL(17)
#define XMM GENERAL(18)
#define EVENT (REGISTERS - EVENT_SIZE)
#define XSAVE_HEADER 512
#define FXSAVE_XMM 160

        .hidden trampoline_vector_parts
        .hidden trampoline_vector_size
        .globl  trampoline_interrupted
        .hidden trampoline_interrupted
        .type   trampoline_interrupted, @function
        .p2align 4
trampoline_interrupted:
        .cfi_startproc
        .cfi_personality 0x1b, unwind_personality
        .cfi_def_cfa %r11, 152
        .cfi_escape 0x10, 16, 2, 0x77, 16       /* DW_CFA_expression: rip is at 16(%rsp) */
        .cfi_escape 0x10, 11, 2, 0x77, 8        /* r11 is at 8(%rsp) */
        .cfi_escape 0x10, 10, 2, 0x77, 0        /* r10 is at 0(%rsp) */
        endbr64
        mov     16(%rsp), %r10
        mov     %r10, 16(%r11)
        .cfi_offset %rip, -136
        mov     8(%rsp), %r10
        mov     %r10, 8(%r11)
        .cfi_offset %r11, -144
        mov     (%rsp), %r10
        mov     %r10, (%r11)
        .cfi_offset %r10, -152
        mov     32(%rsp), %r10
        mov     %r10, -8(%r11)
        mov     24(%rsp), %r10
        mov     %r11, %rsp
        .cfi_def_cfa %rsp, 152
        mov     -8(%rsp), %r11
        pushfq
        .cfi_adjust_cfa_offset 8
        push    %rbp
        .cfi_adjust_cfa_offset 8
        .cfi_offset %rbp, -168
        mov     %rsp, %rbp
        .cfi_def_cfa_register %rbp
        cld
        lea     EVENT(%rsp), %rsp
        mov     %rax, GENERAL(0)(%rbp)
        .cfi_offset %rax, -168+GENERAL(0)
        mov     %rcx, GENERAL(1)(%rbp)
        .cfi_offset %rcx, -168+GENERAL(1)
        mov     %rdx, GENERAL(2)(%rbp)
        .cfi_offset %rdx, -168+GENERAL(2)
        mov     %rbx, GENERAL(3)(%rbp)
        mov     %rsi, GENERAL(6)(%rbp)
        .cfi_offset %rsi, -168+GENERAL(6)
        mov     %rdi, GENERAL(7)(%rbp)
        .cfi_offset %rdi, -168+GENERAL(7)
        mov     %r8, GENERAL(8)(%rbp)
        .cfi_offset %r8, -168+GENERAL(8)
        mov     %r9, GENERAL(9)(%rbp)
        .cfi_offset %r9, -168+GENERAL(9)
        mov     %r12, GENERAL(12)(%rbp)
        mov     %r13, GENERAL(13)(%rbp)
        mov     %r14, GENERAL(14)(%rbp)
        mov     %r15, GENERAL(15)(%rbp)
        lea     168(%rbp), %rax
        mov     %rax, GENERAL(4)(%rbp)
        mov     (%rbp), %rax
        mov     %rax, GENERAL(5)(%rbp)
        mov     8(%rbp), %rax
        mov     %rax, FLAGS(%rbp)
        mov     16(%rbp), %rax
        mov     %rax, GENERAL(10)(%rbp)
        mov     24(%rbp), %rax
        mov     %rax, GENERAL(11)(%rbp)
        mov     32(%rbp), %rax
        mov     %rax, PC(%rbp)
        mov     %r11, EVENT+EVENT_PATCH(%rbp)
        mov     %r10, EVENT+EVENT_PROBE(%rbp)
        lea     REGISTERS(%rbp), %rax
        mov     %rax, EVENT+EVENT_REGISTERS(%rbp)

        sub     trampoline_vector_size(%rip), %rsp
        and     $-64, %rsp
        lea     FXSAVE_XMM(%rsp), %rax
        mov     %rax, XMM(%rbp)
        mov     trampoline_vector_parts(%rip), %eax
        test    %eax, %eax
        jz      1f
        xor     %edx, %edx
        mov     %rdx, XSAVE_HEADER(%rsp)
        mov     %rdx, XSAVE_HEADER+8(%rsp)
        mov     %rdx, XSAVE_HEADER+16(%rsp)
        mov     %rdx, XSAVE_HEADER+24(%rsp)
        mov     %rdx, XSAVE_HEADER+32(%rsp)
        mov     %rdx, XSAVE_HEADER+40(%rsp)
        mov     %rdx, XSAVE_HEADER+48(%rsp)
        mov     %rdx, XSAVE_HEADER+56(%rsp)
        xsave64 (%rsp)
        jmp     2f
1:      fxsave64 (%rsp)
2:      emms
        lea     EVENT(%rbp), %rdi
        call    dispatch_event
        mov     trampoline_vector_parts(%rip), %eax
        test    %eax, %eax
        jz      1f
        xor     %edx, %edx
        xrstor64 (%rsp)
        jmp     2f
1:      fxrstor64 (%rsp)
2:      mov     GENERAL(0)(%rbp), %rax
        mov     GENERAL(1)(%rbp), %rcx
        mov     GENERAL(2)(%rbp), %rdx
        mov     GENERAL(6)(%rbp), %rsi
        mov     GENERAL(7)(%rbp), %rdi
        mov     GENERAL(8)(%rbp), %r8
        mov     GENERAL(9)(%rbp), %r9
        mov     %rbp, %rsp
        pop     %rbp
        .cfi_def_cfa %rsp, 160
        .cfi_restore %rbp
        .cfi_restore %rax
        .cfi_restore %rcx
        .cfi_restore %rdx
        .cfi_restore %rsi
        .cfi_restore %rdi
        .cfi_restore %r8
        .cfi_restore %r9
        popfq
        .cfi_adjust_cfa_offset -8
        pop     %r10
        .cfi_adjust_cfa_offset -8
        .cfi_restore %r10
        pop     %r11
        .cfi_adjust_cfa_offset -8
        .cfi_restore %r11
        ret     $128
        .cfi_endproc
        .size   trampoline_interrupted, . - trampoline_interrupted

        .section .note.GNU-stack, "", @progbits
/* The processor may hold this object to its word: indirect branches land on endbr64 only. */
        .section .note.gnu.property, "a"
        .p2align 3
        .long   4, 16, 5
        .asciz  "GNU"
        .long   0xc0000002, 4, 3, 0
