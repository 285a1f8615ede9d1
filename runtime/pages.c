/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See pages.h. rt_sigprocmask(2) reads the new mask before it looks at what to do with it, which
 * here is nothing that there is: EFAULT or EINVAL tells whether 8 bytes can be read, and nothing
 * changes. Of the system calls that read memory it is one of the cheapest, and filters let it pass,
 * since abort() needs it; process_vm_readv(2) takes ten times as long, and few filters know it.
 */
#define _GNU_SOURCE
#include "pages.h"

#include <errno.h>
#include <sys/syscall.h>
#include <unistd.h>

atomic_uintptr_t pages_known[PAGES_KNOWN];

bool pages_ask(uintptr_t address)
{
    enum { NO_SUCH_WAY = -1, MASK_SIZE = 8 };
    int saved = errno;
    errno = 0;
    syscall(SYS_rt_sigprocmask, NO_SUCH_WAY, address & ~(uintptr_t)(MASK_SIZE - 1), NULL,
            MASK_SIZE);
    int answer = errno;
    errno = saved;
    if (answer == EINVAL)
        atomic_store_explicit(&pages_known[address / PAGES_SIZE % PAGES_KNOWN],
                              address | (PAGES_SIZE - 1), memory_order_relaxed);
    return answer != EFAULT;
}
