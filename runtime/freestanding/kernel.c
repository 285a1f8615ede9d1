/* SPDX-License-Identifier: BSD-2-Clause */
/* What the kernel does for libsdt's sources, by functions of <sdt/kernel.h>. */
#include "process/lock.h"
#include "process/peek.h"

#include <sdt/kernel.h>

int lock_acquire(void)
{
    return sdt_kernel_lock();
}

void lock_release(void)
{
    sdt_kernel_unlock();
}

int peek(void *to, uintptr_t address, size_t n)
{
    return sdt_kernel_read(to, address, n);
}
