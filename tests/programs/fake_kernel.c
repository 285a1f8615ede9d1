/* SPDX-License-Identifier: BSD-2-Clause */
/* See fake_kernel.h. */
#define _GNU_SOURCE
#include "fake_kernel.h"

#include <errno.h>
#include <linux/membarrier.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum { LEVELS = 2 };

long fake_allocated, fake_failing, fake_reads, fake_unseen;
int fake_write_error, fake_prints = 1;
void (*fake_other_writer)(void);

/* ---- Processors. ---- */

static struct {
    struct sdt_context levels[LEVELS];
    _Atomic unsigned hits;   /* that it is in: of a thread, of an interrupt, of a handler */
    _Atomic unsigned quiets; /* how often it has left the last of them */
} __attribute__((aligned(64))) cpus[CPUS];

/* Volatile: a signal handler changes the level, and gives it back. */
static __thread volatile unsigned this_cpu, this_level;
static void (*interrupt)(void);

void fake_become(unsigned cpu)
{
    this_cpu = cpu;
}

static void on_signal(int number)
{
    (void)number;
    this_level++;
    interrupt();
    this_level--;
}

void fake_interrupts(void (*function)(void))
{
    struct sigaction action = {.sa_handler = on_signal};
    interrupt = function;
    sigaction(SIGUSR1, &action, NULL);
}

/* Hits that this thread is in. */
static __thread volatile int depth;

struct sdt_context *sdt_kernel_enter(void)
{
    depth++;
    atomic_fetch_add(&cpus[this_cpu].hits, 1);
    return &cpus[this_cpu].levels[this_level];
}

void sdt_kernel_leave(struct sdt_context *context)
{
    depth--;
    if (atomic_fetch_sub(&cpus[context->cpu].hits, 1) == 1)
        atomic_fetch_add(&cpus[context->cpu].quiets, 1);
}

unsigned sdt_kernel_cpus(void)
{
    return CPUS;
}

void sdt_kernel_wait(void)
{
    for (unsigned cpu = 0; cpu < CPUS; cpu++) {
        unsigned quiets = atomic_load(&cpus[cpu].quiets);
        while (atomic_load(&cpus[cpu].hits) != 0 && atomic_load(&cpus[cpu].quiets) == quiets)
            sched_yield();
    }
}

/* ---- Text. ---- */

extern char __executable_start[], etext[];

void fake_start(void)
{
    /* Page by page: linkers leave some out. */
    for (uintptr_t page = (uintptr_t)__executable_start & ~(uintptr_t)4095; page < (uintptr_t)etext;
         page += 4096)
        mprotect((void *)page, 4096, PROT_READ | PROT_WRITE | PROT_EXEC);
    syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED_SYNC_CORE, 0);
    for (unsigned cpu = 0; cpu < CPUS; cpu++)
        for (unsigned level = 0; level < LEVELS; level++)
            cpus[cpu].levels[level].cpu = cpu;
}

static pthread_mutex_t text_lock = PTHREAD_MUTEX_INITIALIZER;
static bool is_text_locked;

void sdt_kernel_lock_text(void)
{
    void (*other)(void) = fake_other_writer;
    pthread_mutex_lock(&text_lock);
    fake_other_writer = NULL;
    if (other)
        other();
    is_text_locked = true;
}

void sdt_kernel_unlock_text(void)
{
    is_text_locked = false;
    pthread_mutex_unlock(&text_lock);
}

int sdt_kernel_write(void *address, const void *bytes, size_t n)
{
    if (!is_text_locked)
        abort();
    if (fake_write_error)
        return fake_write_error;
    fake_unseen++;
    if (n == 1)
        __atomic_store_n((uint8_t *)address, *(const uint8_t *)bytes, __ATOMIC_RELEASE);
    else if (n == 2)
        __atomic_store_n((uint16_t *)address, *(const uint16_t *)bytes, __ATOMIC_RELEASE);
    else
        __atomic_store_n((uint32_t *)address, *(const uint32_t *)bytes, __ATOMIC_RELEASE);
    __builtin___clear_cache((char *)address, (char *)address + n);
    return 0;
}

void sdt_kernel_synchronise(void)
{
    fake_unseen = 0;
    syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED_SYNC_CORE, 0);
}

/* ---- The rest. ---- */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static __thread int has_lock;

int sdt_kernel_lock(void)
{
    if (this_level || depth)
        return -EPERM;
    if (has_lock)
        return -EDEADLK;
    pthread_mutex_lock(&lock);
    has_lock = 1;
    return 0;
}

void sdt_kernel_unlock(void)
{
    has_lock = 0;
    pthread_mutex_unlock(&lock);
}

int sdt_kernel_read(void *to, uintptr_t address, size_t n)
{
    struct iovec own = {to, n}, from = {(void *)address, n};
    fake_reads++;
    return process_vm_readv(getpid(), &own, 1, &from, 1, 0) == (ssize_t)n ? 0 : -EFAULT;
}

void *sdt_kernel_allocate(size_t size, size_t alignment)
{
    void *memory = NULL;
    if (depth)
        abort();
    if (fake_failing && --fake_failing == 0)
        return NULL;
    if (posix_memalign(&memory, alignment < sizeof(void *) ? sizeof(void *) : alignment, size) != 0)
        return NULL;
    memset(memory, 0xa5, size);
    fake_allocated++;
    return memory;
}

void sdt_kernel_free(void *memory)
{
    fake_allocated -= memory != NULL;
    free(memory);
}

void sdt_kernel_refused(const struct sdt_kernel_module *module, const char *probe, const void *pc,
                        int error)
{
    (void)pc;
    if (fake_prints)
        printf("refused: %s %s %d\n", module->name, probe, error);
}
