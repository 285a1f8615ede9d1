/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What libsdt's sources ask for that a program has and a kernel does not: forks, signals, an
 * environment, windows for thunks, code that another tool has moved, vector registers.
 */
#include "patch/trap.h"
#include "process/environment.h"
#include "process/window.h"
#include "registry/moved.h"
#include "subscribe/forks.h"

#include <arch/machine.h>
#include <machine/registers.h>

void forks_prepare(void) {}

void forks_counters_go(void) {}

/* Breakpoints are the kernel's: it calls sdt_breakpoint(). */
int trap_acquire(trap_resolver *resolve, bool is_careful)
{
    (void)resolve;
    (void)is_careful;
    return 0;
}

void trap_release(void) {}

bool trap_forbids_calls(void)
{
    return false;
}

bool environment_forbids(void)
{
    return false;
}

bool environment_allows_unlocking(void)
{
    return false;
}

void window_unmap(struct window *window)
{
    (void)window;
}

int moved_open(struct moved *moved, const struct image *image)
{
    (void)image;
    *moved = (struct moved){0};
    return 0;
}

bool moved_from(const struct moved *moved, uintptr_t address)
{
    (void)moved;
    (void)address;
    return false;
}

void machine_prepare(void) {}

uint64_t vector_low(unsigned number)
{
    (void)number;
    return 0;
}
