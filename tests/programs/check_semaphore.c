/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Place a uprobe with a reference counter on this very program, and show what became of it:
 *
 *     check_semaphore PROBE-OFFSET SEMAPHORE-OFFSET [later]
 *
 * The offsets are hexadecimal and in the file; 0: no semaphore. Prints "attached N", N the value of
 * the semaphore then; or "refused ERRNO". `later`: prints that of a program that starts then.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <linux/perf_event.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

extern volatile unsigned short prov_probe_semaphore __attribute__((weak));

static int uprobe_type(void)
{
    int type = -1;
    FILE *file = fopen("/sys/bus/event_source/devices/uprobe/type", "r");
    if (!file || fscanf(file, "%d", &type) != 1)
        return -1;
    fclose(file);
    return type;
}

static int show(void)
{
    printf("attached %u\n", &prov_probe_semaphore ? prov_probe_semaphore : 0U);
    return 0;
}

int main(int argc, char **argv)
{
    struct perf_event_attr attr = {.size = sizeof attr};
    char path[4096] = "";
    if (argc == 1)
        return show();
    if (argc < 3 || readlink("/proc/self/exe", path, sizeof path - 1) < 0)
        return 2;
    int is_later = argc > 3;
    attr.type = (uint32_t)uprobe_type();
    attr.config = strtoull(argv[2], NULL, 16) << 32; /* ref_ctr_offset */
    attr.uprobe_path = (uintptr_t)path;
    attr.probe_offset = strtoull(argv[1], NULL, 16);
    if (syscall(SYS_perf_event_open, &attr, is_later ? -1 : 0, is_later ? 0 : -1, -1, 0) < 0)
        return printf("refused %d\n", errno) < 0;
    if (!is_later)
        return show();
    pid_t child = fork();
    if (child == 0) {
        execl(path, path, (char *)NULL);
        _exit(127);
    }
    int status = 1;
    waitpid(child, &status, 0);
    return status != 0;
}
