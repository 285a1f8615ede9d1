/* SPDX-License-Identifier: BSD-2-Clause */
/* What this kernel does for the freestanding runtime: all of <sdt/kernel.h>. */
#include "kernel.h"

#include <sdt/format.h>
#include <sdt/kernel.h>

enum { EPERM = 1, EFAULT = 14, EDEADLK = 35 };

/* ---- When a probe is hit. ---- */

static struct {
    struct sdt_context levels[LEVELS];
    unsigned hits;   /* that the processor is in: of a thread, of an interrupt, of a handler */
    unsigned quiets; /* how often it has left the last of them */
} cpus[CPUS];

struct sdt_context *sdt_kernel_enter(void)
{
    unsigned cpu = machine_cpu();
    __atomic_fetch_add(&cpus[cpu].hits, 1, __ATOMIC_SEQ_CST);
    return &cpus[cpu].levels[cpu_level()];
}

void sdt_kernel_leave(struct sdt_context *context)
{
    if (__atomic_sub_fetch(&cpus[context->cpu].hits, 1, __ATOMIC_SEQ_CST) == 0)
        __atomic_fetch_add(&cpus[context->cpu].quiets, 1, __ATOMIC_SEQ_CST);
}

int sdt_kernel_read(void *to, uintptr_t address, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (machine_read((char *)to + i, address + i) != 0)
            return -EFAULT;
    return 0;
}

/* ---- When sites are changed. ---- */

static unsigned lock; /* 0, or the processor that has it, from 1 on */

int sdt_kernel_lock(void)
{
    unsigned self = machine_cpu() + 1, nobody;
    if (cpu_level() != THREAD)
        return -EPERM;
    if (__atomic_load_n(&lock, __ATOMIC_RELAXED) == self)
        return -EDEADLK;
    do
        nobody = 0;
    while (
        !__atomic_compare_exchange_n(&lock, &nobody, self, 0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED));
    return 0;
}

void sdt_kernel_unlock(void)
{
    __atomic_store_n(&lock, 0, __ATOMIC_RELEASE);
}

/* Nobody else writes to text. */
void sdt_kernel_lock_text(void) {}

void sdt_kernel_unlock_text(void) {}

int sdt_kernel_write(void *address, const void *bytes, size_t n)
{
    if (n == sizeof(uint32_t))
        __atomic_store_n((uint32_t *)address, *(const uint32_t *)bytes, __ATOMIC_RELEASE);
    else
        __atomic_store_n((uint16_t *)address, *(const uint16_t *)bytes, __ATOMIC_RELEASE);
    machine_flush(address, n);
    return 0;
}

void sdt_kernel_synchronise(void)
{
    cpu_serialise_all();
}

void sdt_kernel_wait(void)
{
    for (unsigned cpu = 0; cpu < CPUS; cpu++) {
        unsigned quiets = __atomic_load_n(&cpus[cpu].quiets, __ATOMIC_SEQ_CST);
        while (__atomic_load_n(&cpus[cpu].hits, __ATOMIC_SEQ_CST) != 0 &&
               __atomic_load_n(&cpus[cpu].quiets, __ATOMIC_SEQ_CST) == quiets)
            ;
    }
}

/* ---- Memory, and the rest. ---- */

void *sdt_kernel_allocate(size_t size, size_t alignment)
{
    return memory_take(size, alignment);
}

void sdt_kernel_free(void *memory)
{
    memory_give(memory);
}

unsigned sdt_kernel_cpus(void)
{
    return CPUS;
}

void sdt_kernel_refused(const struct sdt_kernel_module *module, const char *probe, const void *pc,
                        int error)
{
    print("refused: %s in %s at %lx (%d)\n", *probe ? probe : "a site", module->name,
          (unsigned long)(uintptr_t)pc, error);
}

/* ---- Breakpoints. ---- */

int on_breakpoint(struct frame *frame)
{
    struct sdt_context *context = sdt_kernel_enter();
    struct sdt_resume resume = sdt_breakpoint(*frame_pc(frame));
    sdt_kernel_leave(context);
    switch (resume.how) {
    case SDT_RESUME_AT:
        break;
    case SDT_RESUME_CALL:
        *frame_link(frame) = resume.link;
        break;
    case SDT_RESUME_JUMP:
        *frame_patch(frame) = resume.patch;
        break;
    case SDT_RESUME_RETURN:
        resume.pc = *frame_link(frame);
        break;
    default:
        return 0;
    }
    *frame_pc(frame) = resume.pc;
    return 1;
}

/* ---- The kernel itself; modules are added by loader.c. ---- */

extern const struct sdt_site __start_sdt_sites[], __stop_sdt_sites[];
extern char text_begin[], text_end[], init_begin[], init_end[], rodata_begin[], rodata_end[],
    data_begin[], data_end[];

static struct sdt_range ranges[] = {
    {(uintptr_t)text_begin, (uintptr_t)text_end, SDT_RANGE_TEXT},
    {(uintptr_t)init_begin, (uintptr_t)init_end, SDT_RANGE_TEXT},
    {(uintptr_t)rodata_begin, (uintptr_t)rodata_end, 0},
    {(uintptr_t)data_begin, (uintptr_t)data_end, SDT_RANGE_DATA},
};

static struct sdt_kernel_module kernel = {
    .name = "kernel",
    .sites_begin = __start_sdt_sites,
    .sites_end = __stop_sdt_sites,
    .ranges = ranges,
    .range_count = sizeof(ranges) / sizeof(*ranges),
};

void probes_start(void)
{
    for (unsigned cpu = 0; cpu < CPUS; cpu++)
        for (unsigned level = 0; level < LEVELS; level++)
            cpus[cpu].levels[level].cpu = cpu;
    int error = sdt_add(&kernel);
    if (error != 0)
        panic("the kernel's probes: %d\n", error);
}

void probes_forget(const void *begin, const void *end)
{
    sdt_forget(&kernel, begin, end);
}
