/* SPDX-License-Identifier: BSD-2-Clause */
/* What must follow a write to the text of the running program. */
#ifndef SDT_MACHINE_FLUSH_H
#define SDT_MACHINE_FLUSH_H

#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

/*
 * What was written to N bytes of text is to be fetched from now on, by all threads: fence.i is the
 * kernel's affair, since a thread may be on another hart the next moment. (Kernels do the same for
 * what they write themselves.) An emulator that has no such call needs none.
 */
static inline void site_flush(const void *text, size_t n)
{
    const char *begin = text;
    syscall(SYS_riscv_flush_icache, begin, begin + n, 0);
}

#endif
