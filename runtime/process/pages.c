/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See pages.h. rt_sigprocmask(2) reads the new mask before it checks the operation, which here does
 * not exist: EFAULT or EINVAL tells whether 8 bytes can be read, and nothing changes. Of the system
 * calls that read memory it is one of the cheapest, and seccomp filters allow it, since abort()
 * needs it; process_vm_readv(2) takes ten times as long, and few filters allow it.
 */
#define _GNU_SOURCE
#include "pages.h"

#include "fault.h"
#include "peek.h"

#include <errno.h>
#include <machine/layout.h>
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

/* What no program has mapped need not be tried. */
static bool is_address(uintptr_t from)
{
    return from >= FIRST_PAGES && from >> 56 == 0;
}

/*
 * Whether the page of FROM can be read. A thread that may not read its clock, as under strict
 * seccomp, must not ask either: there the handler of SIGSEGV has to do.
 */
static bool can_read(struct pages_way way, uintptr_t from)
{
    return pages_has(from) || (way.is_tsc && clock_cycles() == 0) || pages_ask(from);
}

/* As copy_text(), which it does page by page. Out of line: nearly all is in one page. */
static __attribute__((noinline)) long copy_pages(struct pages_way way, char *to, uintptr_t from,
                                                 size_t most, bool is_text)
{
    size_t done = 0, piece = 0;
    for (long n = 0; (size_t)n == piece && done < most; done += (size_t)n) {
        piece = PAGES_SIZE - (from + done) % PAGES_SIZE;
        piece = piece < most - done ? piece : most - done;
        n = can_read(way, from + done)
                ? copy_text((uint64_t *)(void *)(to + done), from + done, piece, is_text)
                : -1;
        if (n < 0)
            return -1;
    }
    return (long)done;
}

long pages_copy(struct pages_way way, char *to, uintptr_t from, size_t most, bool is_text)
{
    if (!is_address(from))
        return -1;
    if (!way.is_guarded)
        return peek_text(to, from, most, is_text);
    if (most <= PAGES_SIZE - from % PAGES_SIZE && pages_has(from))
        return copy_text((uint64_t *)(void *)to, from, most, is_text);
    return copy_pages(way, to, from, most, is_text);
}
