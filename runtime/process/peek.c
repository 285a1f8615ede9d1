/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See peek.h. The kernel copies the bytes and says where it could not. Touching the page and
 * catching SIGSEGV or SIGBUS would take a signal from the program; reading /proc/self/maps first
 * would not detect pages of a mapping beyond the end of its file.
 */
#define _GNU_SOURCE
#include "peek.h"

#include <errno.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

int peek(void *to, uintptr_t address, size_t n)
{
    struct iovec here = {to, n}, there = {(void *)address, n};
    int saved = errno;
    /* Not by the C library's function, in which MemorySanitizer would check what is here. */
    ssize_t got = syscall(SYS_process_vm_readv, getpid(), &here, 1L, &there, 1L, 0L);
    int error = got == (ssize_t)n ? 0 : got >= 0 ? -EFAULT : -errno;
    errno = saved;
    return error;
}

bool peek_mapped(void *to, uintptr_t address, size_t n)
{
    int error = peek(to, address, n);
    if (error && error != -EFAULT)
        memcpy(to, (const void *)address, n);
    return error != -EFAULT;
}

long peek_text(char *to, uintptr_t address, size_t most, bool is_text)
{
    enum { PAGE = 4096 };
    size_t n = 0;
    while (n < most) {
        size_t piece = PAGE - (address + n) % PAGE;
        if (piece > most - n)
            piece = most - n;
        if (is_text && piece > 64)
            piece = 64; /* few texts are longer */
        if (peek(to + n, address + n, piece) != 0)
            return -EFAULT;
        for (size_t end = n + piece; n < end; n++)
            if (is_text && to[n] == '\0')
                return (long)n;
    }
    return (long)n;
}
