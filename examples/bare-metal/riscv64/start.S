/* SPDX-License-Identifier: BSD-2-Clause */
/* qemu's virt machine starts here, all processors at once, in machine mode. The RISC-V Instruction
 * Set Manual, volume II, 3.1. */
#define STACK 16384
#define FRAME 272 /* struct frame of machine.c: 34 words, the first of them unused */

        .section .start, "ax"
        .globl  start
start:
        la      t0, vector
        csrw    mtvec, t0
        csrr    t0, mhartid
        bnez    t0, second
        la      sp, stacks + STACK
        la      t0, bss_begin
        la      t1, bss_end
1:      sd      zero, (t0)
        addi    t0, t0, 8
        bltu    t0, t1, 1b
        call    machine_init
        tail    main

second:                                 /* until machine_start_cpu(); there is no third one */
        la      t1, start_second
1:      lw      t2, (t1)
        beqz    t2, 1b
        fence
        la      sp, stacks + 2 * STACK
        call    machine_init
        tail    machine_second

        .section .data
        .globl  start_second
        .balign 4
start_second:
        .word   0

        .section .bss
        .balign 16
stacks: .space  2 * STACK

/* int machine_read(void *to, uintptr_t from): trap() leads a fault at its load to the other end. */
        .text
        .globl  machine_read
        .globl  machine_read_failed
machine_read:
        lbu     a2, (a1)
        sb      a2, (a0)
        li      a0, 0
        ret
machine_read_failed:
        li      a0, -1
        ret

/* ---- Exceptions. ---- */

        .macro  all operation
        .irp    number, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, \
                        23, 24, 25, 26, 27, 28, 29, 30, 31
        \operation x\number, 8 * \number(sp)
        .endr
        .endm

        .balign 4
vector:
        addi    sp, sp, -FRAME
        sd      ra, 8(sp)
        all     sd
        csrr    t0, mepc
        csrr    t1, mstatus
        sd      t0, 256(sp)
        sd      t1, 264(sp)
        mv      a0, sp
        csrr    a1, mcause
        call    trap
        ld      t0, 256(sp)
        ld      t1, 264(sp)
        csrw    mepc, t0
        csrw    mstatus, t1
        all     ld
        ld      ra, 8(sp)
        addi    sp, sp, FRAME
        mret
