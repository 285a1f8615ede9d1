/* SPDX-License-Identifier: BSD-2-Clause */
/* qemu's virt machine starts here, at exception level 1, with the MMU off. Arm Architecture
 * Reference Manual, D1 (exceptions) and D5 (translation). */
#define STACK 16384
#define FRAME 272 /* struct frame of machine.c */

        .section .start, "ax"
        .globl  start
start:
        ldr     x0, =bss_begin
        ldr     x1, =bss_end
1:      str     xzr, [x0], #8
        cmp     x0, x1
        b.lo    1b
        ldr     x0, =stacks + STACK
        ldr     x19, =main
        b       go

/* Processor 1, from PSCI. */
        .globl  start_second
start_second:
        ldr     x0, =stacks + 2 * STACK
        ldr     x19, =machine_second

go:
        mov     sp, x0
        ldr     x0, =vectors
        msr     vbar_el1, x0
        ldr     x0, =0xff04             /* memory 0: a device; 1: normal, with caches */
        msr     mair_el1, x0
        ldr     x0, =0x803519           /* 39 bits of address, pages of 4096, no upper half */
        msr     tcr_el1, x0
        ldr     x0, =page_table
        msr     ttbr0_el1, x0
        isb
        tlbi    vmalle1
        dsb     ish
        isb
        mrs     x0, sctlr_el1
        ldr     x1, =0x1005             /* MMU, caches */
        orr     x0, x0, x1
        bic     x0, x0, #0x80000        /* memory may be writable and executable */
        msr     sctlr_el1, x0
        isb
        bl      machine_init
        br      x19

        .section .data
        .balign 4096
page_table:                             /* 1 GiB each, one to one: devices, then memory */
        .quad   0x0060000000000401
        .quad   0x0000000040000705
        .fill   510, 8, 0

        .section .bss
        .balign 16
stacks: .space  2 * STACK

/* int machine_read(void *to, uintptr_t from): trap() leads a fault at its load to the other end. */
        .text
        .globl  machine_read
        .globl  machine_read_failed
machine_read:
        ldrb    w2, [x1]
        strb    w2, [x0]
        mov     w0, #0
        ret
machine_read_failed:
        mov     w0, #-1
        ret

/* ---- Exceptions. ---- */

        .macro  vector kind
        .balign 128
        sub     sp, sp, #FRAME
        stp     x0, x1, [sp]
        mov     x1, #\kind              /* enum kind of machine.c */
        b       save
        .endm

        .balign 2048
vectors:
        .rept   4
        vector  2
        .endr
        vector  0                       /* of this level: a synchronous one */
        vector  1                       /* an interrupt */
        .rept   10
        vector  2
        .endr

save:
        stp     x2, x3, [sp, #16]
        stp     x4, x5, [sp, #32]
        stp     x6, x7, [sp, #48]
        stp     x8, x9, [sp, #64]
        stp     x10, x11, [sp, #80]
        stp     x12, x13, [sp, #96]
        stp     x14, x15, [sp, #112]
        stp     x16, x17, [sp, #128]
        stp     x18, x19, [sp, #144]
        stp     x20, x21, [sp, #160]
        stp     x22, x23, [sp, #176]
        stp     x24, x25, [sp, #192]
        stp     x26, x27, [sp, #208]
        stp     x28, x29, [sp, #224]
        mrs     x2, elr_el1
        mrs     x3, spsr_el1
        stp     x30, x2, [sp, #240]
        str     x3, [sp, #256]
        mov     x0, sp
        bl      trap
        ldr     x3, [sp, #256]
        ldp     x30, x2, [sp, #240]
        msr     spsr_el1, x3
        msr     elr_el1, x2
        ldp     x28, x29, [sp, #224]
        ldp     x26, x27, [sp, #208]
        ldp     x24, x25, [sp, #192]
        ldp     x22, x23, [sp, #176]
        ldp     x20, x21, [sp, #160]
        ldp     x18, x19, [sp, #144]
        ldp     x16, x17, [sp, #128]
        ldp     x14, x15, [sp, #112]
        ldp     x12, x13, [sp, #96]
        ldp     x10, x11, [sp, #80]
        ldp     x8, x9, [sp, #64]
        ldp     x6, x7, [sp, #48]
        ldp     x4, x5, [sp, #32]
        ldp     x2, x3, [sp, #16]
        ldp     x0, x1, [sp]
        add     sp, sp, #FRAME
        eret
