/* SPDX-License-Identifier: BSD-2-Clause */
/* qemu's `virt` machine for aarch64: a PL011, a GIC of version 2, the virtual timer, PSCI. */
#include "../kernel.h"

#define DEVICE(address) ((volatile uint32_t *)(uintptr_t)(address))
#define UART DEVICE(0x09000000)
#define GIC_DISTRIBUTOR DEVICE(0x08000000)
#define GIC_CPU DEVICE(0x08010000)

/* ---- Registers of an interruption; start.S knows the offsets. ---- */

struct frame {
    uintptr_t x[31], pc, status;
};

uintptr_t *frame_pc(struct frame *frame)
{
    return &frame->pc;
}

uintptr_t *frame_link(struct frame *frame)
{
    return &frame->x[30];
}

uintptr_t *frame_patch(struct frame *frame)
{
    return &frame->x[11];
}

/* ---- The console and the power. ---- */

void machine_put(char c)
{
    while (UART[0x18 / 4] & 0x20)
        ;
    UART[0] = (unsigned char)c;
}

/* Arm Power State Coordination Interface. */
static long psci(uintptr_t function, uintptr_t a, uintptr_t b)
{
    register uintptr_t x0 __asm__("x0") = function, x1 __asm__("x1") = a, x2 __asm__("x2") = b;
    register uintptr_t x3 __asm__("x3") = 0;
    __asm__ volatile("hvc #0" : "+r"(x0), "+r"(x1), "+r"(x2), "+r"(x3) : : "memory");
    return (long)x0;
}

void machine_off(void)
{
    for (;;)
        psci(0x84000008, 0, 0); /* SYSTEM_OFF */
}

/* ---- Processors. ---- */

static void (*second)(void);

unsigned machine_cpu(void)
{
    uintptr_t affinity;
    __asm__ volatile("mrs %0, mpidr_el1" : "=r"(affinity));
    return affinity & 0xff;
}

/* start.S goes here. */
void machine_second(void)
{
    second();
}

void machine_start_cpu(void (*function)(void))
{
    extern char start_second[];
    second = function;
    if (psci(0xc4000003, 1, (uintptr_t)start_second) != 0) /* CPU_ON */
        panic("processor 1 does not start\n");
}

void machine_serialise(void)
{
    __asm__ volatile("isb" : : : "memory");
}

void machine_flush(const void *text, size_t size)
{
    enum { LINE = 16 }; /* the smallest that there is */
    uintptr_t begin = (uintptr_t)text & -(uintptr_t)LINE, end = (uintptr_t)text + size;
    for (uintptr_t at = begin; at < end; at += LINE)
        __asm__ volatile("dc cvau, %0" : : "r"(at) : "memory");
    __asm__ volatile("dsb ish" : : : "memory");
    for (uintptr_t at = begin; at < end; at += LINE)
        __asm__ volatile("ic ivau, %0" : : "r"(at) : "memory");
    __asm__ volatile("dsb ish\n\tisb" : : : "memory");
}

/* ---- Interrupts. ---- */

enum { IPI = 0, TIMER = 27, NONE = 1023 };

static uint64_t period[CPUS]; /* 0: off */

static void set_timer(void)
{
    uint64_t ticks = period[machine_cpu()], on = ticks != 0;
    __asm__ volatile("msr cntv_tval_el0, %0\n\t"
                     "msr cntv_ctl_el0, %1"
                     :
                     : "r"(ticks), "r"(on));
}

void machine_timer(unsigned hertz)
{
    uint64_t frequency;
    __asm__ volatile("mrs %0, cntfrq_el0" : "=r"(frequency));
    period[machine_cpu()] = hertz ? frequency / hertz : 0;
    set_timer();
}

void machine_interrupt(unsigned cpu)
{
    __asm__ volatile("dsb ish" : : : "memory");
    GIC_DISTRIBUTOR[0xf00 / 4] = 1u << (16 + cpu) | IPI;
}

/* start.S calls this, on each processor. */
void machine_init(void)
{
    GIC_DISTRIBUTOR[0] = 1;
    GIC_DISTRIBUTOR[0x100 / 4] = 1u << TIMER | 1u << IPI;
    GIC_CPU[1] = 0xff; /* all priorities */
    GIC_CPU[0] = 1;
    __asm__ volatile("isb\n\tmsr daifclr, #2" : : : "memory");
}

static void take_interrupt(void)
{
    uint32_t taken = GIC_CPU[0xc / 4], number = taken & NONE;
    if (number == NONE)
        return;
    if (number == TIMER) {
        set_timer();
        on_timer();
    } else {
        on_interrupt();
    }
    GIC_CPU[0x10 / 4] = taken;
}

/* ---- Exceptions. ---- */

enum kind { SYNCHRONOUS, INTERRUPTED, OTHER };
enum { CLASS_DATA_ABORT = 0x25, CLASS_BRK = 0x3c };

void trap(struct frame *frame, enum kind kind)
{
    extern char machine_read_failed[];
    uintptr_t syndrome;
    __asm__ volatile("mrs %0, esr_el1" : "=r"(syndrome));
    unsigned class = (unsigned)(syndrome >> 26);
    if (kind == INTERRUPTED)
        take_interrupt();
    else if (kind == SYNCHRONOUS && class == CLASS_DATA_ABORT &&
             frame->pc == (uintptr_t)machine_read)
        frame->pc = (uintptr_t)machine_read_failed;
    else if (kind != SYNCHRONOUS || class != CLASS_BRK || !on_breakpoint(frame))
        panic("exception at %lx, syndrome %lx\n", (unsigned long)frame->pc,
              (unsigned long)syndrome);
}
