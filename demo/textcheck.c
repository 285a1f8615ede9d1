/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Independent of the runtime and of its tables: the program headers say which part of the file is
 * executable, and memcmp does the rest. While probes are armed, one byte a site differs; with all
 * off, none.
 */
#define _GNU_SOURCE
#include "textcheck.h"

#include <fcntl.h>
#include <link.h>
#include <stdlib.h>
#include <unistd.h>

static long compare_segment(int file, const unsigned char *memory, size_t size, off_t offset)
{
    unsigned char *bytes = malloc(size);
    long differences = -1;
    if (bytes && pread(file, bytes, size, offset) == (ssize_t)size) {
        differences = 0;
        for (size_t i = 0; i < size; i++)
            differences += bytes[i] != memory[i];
    }
    free(bytes);
    return differences;
}

/* Called for the executable first; it ends the walk there. */
static int compare_executable(struct dl_phdr_info *object, size_t size, void *result)
{
    (void)size;
    long total = 0;
    int file = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
    for (int i = 0; i < object->dlpi_phnum && file >= 0 && total >= 0; i++) {
        const ElfW(Phdr) *segment = &object->dlpi_phdr[i];
        if (segment->p_type != PT_LOAD || !(segment->p_flags & PF_X))
            continue;
        const void *memory = (const void *)(object->dlpi_addr + segment->p_vaddr);
        long n = compare_segment(file, memory, segment->p_filesz, (off_t)segment->p_offset);
        total = n < 0 ? -1 : total + n;
    }
    *(long *)result = file < 0 ? -1 : total;
    if (file >= 0)
        close(file);
    return 1;
}

long textcheck_differences(void)
{
    long result = -1;
    dl_iterate_phdr(compare_executable, &result);
    return result;
}
