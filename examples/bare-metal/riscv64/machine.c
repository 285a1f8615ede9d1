/* SPDX-License-Identifier: BSD-2-Clause */
/* qemu's `virt` machine for riscv64, in machine mode: an NS16550, a CLINT, a test finisher. */
#include "../kernel.h"

#define UART ((volatile unsigned char *)0x10000000)
#define FINISHER ((volatile uint32_t *)0x100000)
#define CLINT_SOFTWARE ((volatile uint32_t *)0x2000000) /* a word for each processor */
#define CLINT_COMPARE ((volatile uint64_t *)0x2004000)
#define CLINT_TIME ((volatile uint64_t *)0x200bff8)

enum { TIMER_HERTZ = 10000000 };

/* ---- Registers of an interruption; start.S knows the offsets. ---- */

struct frame {
    uintptr_t x[32], pc, status;
};

uintptr_t *frame_pc(struct frame *frame)
{
    return &frame->pc;
}

uintptr_t *frame_link(struct frame *frame)
{
    return &frame->x[1];
}

uintptr_t *frame_patch(struct frame *frame)
{
    return &frame->x[7];
}

/* ---- The console and the power. ---- */

void machine_put(char c)
{
    while (!(UART[5] & 0x20))
        ;
    UART[0] = (unsigned char)c;
}

void machine_off(void)
{
    for (;;)
        *FINISHER = 0x5555;
}

/* ---- Processors. ---- */

static void (*second)(void);

unsigned machine_cpu(void)
{
    uintptr_t number;
    __asm__ volatile("csrr %0, mhartid" : "=r"(number));
    return (unsigned)number;
}

/* start.S goes here. */
void machine_second(void)
{
    second();
}

void machine_start_cpu(void (*function)(void))
{
    extern uint32_t start_second;
    second = function;
    __atomic_store_n(&start_second, 1, __ATOMIC_SEQ_CST);
}

void machine_serialise(void)
{
    __asm__ volatile("fence.i" : : : "memory");
}

void machine_flush(const void *text, size_t size)
{
    (void)text;
    (void)size;
    __asm__ volatile("fence\n\tfence.i" : : : "memory");
}

/* ---- Interrupts. ---- */

enum { INTERRUPT_SOFTWARE = 3, INTERRUPT_TIMER = 7 };

static uint64_t period[CPUS]; /* 0: off */

static void set_timer(void)
{
    unsigned cpu = machine_cpu();
    CLINT_COMPARE[cpu] = period[cpu] ? *CLINT_TIME + period[cpu] : UINT64_MAX;
}

void machine_timer(unsigned hertz)
{
    period[machine_cpu()] = hertz ? TIMER_HERTZ / hertz : 0;
    set_timer();
}

void machine_interrupt(unsigned cpu)
{
    __asm__ volatile("fence" : : : "memory");
    CLINT_SOFTWARE[cpu] = 1;
}

/* start.S calls this, on each processor. */
void machine_init(void)
{
    machine_timer(0);
    __asm__ volatile("csrs mie, %0\n\t"
                     "csrsi mstatus, 8" /* MIE */
                     :
                     : "r"(1UL << INTERRUPT_SOFTWARE | 1UL << INTERRUPT_TIMER)
                     : "memory");
}

static void take_interrupt(unsigned number)
{
    if (number == INTERRUPT_TIMER) {
        set_timer();
        on_timer();
    } else if (number == INTERRUPT_SOFTWARE) {
        CLINT_SOFTWARE[machine_cpu()] = 0;
        __asm__ volatile("fence" : : : "memory");
        on_interrupt();
    }
}

/* ---- Exceptions. ---- */

enum { CAUSE_BREAKPOINT = 3, CAUSE_LOAD_FAULT = 5 };

void trap(struct frame *frame, intptr_t cause)
{
    extern char machine_read_failed[];
    if (cause < 0)
        take_interrupt((unsigned)cause & 0xff);
    else if (cause == CAUSE_LOAD_FAULT && frame->pc == (uintptr_t)machine_read)
        frame->pc = (uintptr_t)machine_read_failed;
    else if (cause != CAUSE_BREAKPOINT || !on_breakpoint(frame))
        panic("exception %d at %lx\n", (int)cause, (unsigned long)frame->pc);
}
