/* SPDX-License-Identifier: BSD-2-Clause */
/* A uprobe on a place of this program, counting, by perf_event_open(2): what `perf stat` does. */
#ifndef BENCH_UPROBE_H
#define BENCH_UPROBE_H

#include <link.h>
#include <linux/perf_event.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

struct uprobe_place {
    uintptr_t address; /* linked */
    uint64_t offset;   /* in the file */
};

/* The program itself is the first object. */
static int uprobe_find(struct dl_phdr_info *info, size_t size, void *data)
{
    struct uprobe_place *place = data;
    (void)size;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *p = &info->dlpi_phdr[i];
        if (p->p_type == PT_LOAD && place->address - p->p_vaddr < p->p_filesz)
            place->offset = place->address - p->p_vaddr + p->p_offset;
    }
    return 1;
}

/* CONFIG: 0, or 1 for where the function at ADDRESS returns. A descriptor, or -1: not allowed, or
 * no such kernel. ADDRESS is the linked one. */
static __attribute__((unused)) int uprobe_open_as(uintptr_t address, uint64_t config)
{
    static char path[4096];
    struct uprobe_place place = {address, 0};
    struct perf_event_attr attr = {.size = sizeof attr, .inherit = 1, .config = config};
    FILE *type = fopen("/sys/bus/event_source/devices/uprobe/type", "r");
    if (!type || fscanf(type, "%u", &attr.type) != 1)
        return -1;
    fclose(type);
    ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);
    dl_iterate_phdr(uprobe_find, &place);
    if (n <= 0 || place.offset == 0)
        return -1;
    path[n] = '\0';
    attr.config1 = (uintptr_t)path;
    attr.config2 = place.offset;
    return (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
}

static __attribute__((unused)) int uprobe_open(uintptr_t address)
{
    return uprobe_open_as(address, 0);
}

#endif
