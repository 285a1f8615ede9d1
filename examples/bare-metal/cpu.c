/* SPDX-License-Identifier: BSD-2-Clause */
#include "kernel.h"

#include <sdt/probe.h>

static struct {
    enum level level;
    unsigned online, ticks, asked, serialised;
} cpus[CPUS];

enum level cpu_level(void)
{
    return cpus[machine_cpu()].level;
}

/* ---- Processor 1. ---- */

static void (*first)(void);

static void begin(void)
{
    __atomic_store_n(&cpus[machine_cpu()].online, 1, __ATOMIC_RELEASE);
    first();
}

void cpu_start(void (*function)(void))
{
    first = function;
    machine_start_cpu(begin);
    while (!__atomic_load_n(&cpus[1].online, __ATOMIC_ACQUIRE))
        ;
}

/* ---- Interrupts. ---- */

/* A probe in an interrupt. */
void on_timer(void)
{
    unsigned cpu = machine_cpu();
    unsigned ticks = ++cpus[cpu].ticks;
    cpus[cpu].level = INTERRUPT;
    SDT_PROBE(timer, tick, cpu, ticks);
    cpus[cpu].level = THREAD;
}

/* Of another processor: it wants this one to serialise. */
void on_interrupt(void)
{
    unsigned cpu = machine_cpu();
    unsigned asked = __atomic_load_n(&cpus[cpu].asked, __ATOMIC_ACQUIRE);
    machine_serialise();
    __atomic_store_n(&cpus[cpu].serialised, asked, __ATOMIC_RELEASE);
}

void cpu_serialise_all(void)
{
    unsigned self = machine_cpu();
    machine_serialise();
    for (unsigned cpu = 0; cpu < CPUS; cpu++)
        if (cpu != self && __atomic_load_n(&cpus[cpu].online, __ATOMIC_ACQUIRE)) {
            unsigned asked = __atomic_add_fetch(&cpus[cpu].asked, 1, __ATOMIC_SEQ_CST);
            machine_interrupt(cpu);
            while ((int)(__atomic_load_n(&cpus[cpu].serialised, __ATOMIC_ACQUIRE) - asked) < 0)
                ;
        }
}
