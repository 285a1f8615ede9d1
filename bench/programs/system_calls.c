/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * system_calls RUNS: what the system calls of one sdt_enable take alone, in nanoseconds of the
 * clock on the wall: open and close /proc/self/mem, write a byte of text through it, membarrier.
 */
#define _GNU_SOURCE
#include "now.h"

#include <fcntl.h>
#include <linux/membarrier.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

static int barrier(int command)
{
    return (int)syscall(SYS_membarrier, command, 0, 0);
}

int main(int argc, char **argv)
{
    const char byte = 1;
    long runs = argc == 2 ? atol(argv[1]) : 0;
    void *text = mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (text == MAP_FAILED || barrier(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED_SYNC_CORE) != 0)
        return 1;
    for (long i = 0; i < runs; i++) {
        double start = now();
        int file = open("/proc/self/mem", O_RDWR | O_CLOEXEC);
        double opened = now();
        ssize_t n = pwrite(file, &byte, 1, (off_t)(uintptr_t)text);
        double written = now();
        close(file);
        double closed = now();
        int error = barrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED_SYNC_CORE);
        double done = now();
        if (n != 1 || error)
            return 1;
        printf("open %.0f\nwrite %.0f\nbarrier %.0f\n", opened - start + closed - written,
               written - opened, done - closed);
    }
    return 0;
}
