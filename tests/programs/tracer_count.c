/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A counting tracer of its own, by perf_event_open() alone: places a uprobe, with the reference
 * counter if there is one, for all processes, runs a command and prints how often it was hit.
 *
 *     tracer_count FILE OFFSET SEMAPHORE COMMAND [ARGUMENT...]
 *
 * OFFSET and SEMAPHORE are hexadecimal offsets in FILE; SEMAPHORE 0: none.
 */
#include <errno.h>
#include <linux/perf_event.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MAX_CPUS = 1024 };

int main(int argc, char **argv)
{
    struct perf_event_attr attr = {.size = sizeof attr};
    int type = -1, events[MAX_CPUS], n = 0, status = 0;
    uint64_t sum = 0, count;
    if (argc < 5)
        return 2;
    FILE *file = fopen("/sys/bus/event_source/devices/uprobe/type", "r");
    if (!file || fscanf(file, "%d", &type) != 1)
        return 2;
    attr.type = (uint32_t)type;
    attr.config = strtoull(argv[3], NULL, 16) << 32; /* ref_ctr_offset */
    attr.uprobe_path = (uintptr_t)argv[1];
    attr.probe_offset = strtoull(argv[2], NULL, 16);
    long cpus = sysconf(_SC_NPROCESSORS_CONF);
    for (int cpu = 0; cpu < cpus && cpu < MAX_CPUS; cpu++) {
        int fd = (int)syscall(SYS_perf_event_open, &attr, -1, cpu, -1, PERF_FLAG_FD_CLOEXEC);
        if (fd >= 0)
            events[n++] = fd;
        else if (errno != ENODEV) /* no such CPU */
            return printf("refused: %s\n", strerror(errno)) < 0;
    }
    pid_t child = fork();
    if (child == 0) {
        execv(argv[4], argv + 4);
        _exit(127);
    }
    if (waitpid(child, &status, 0) != child || status != 0)
        return 1;
    for (int i = 0; i < n; i++)
        if (read(events[i], &count, sizeof count) == sizeof count)
            sum += count;
    printf("hits %ju\n", (uintmax_t)sum);
    return 0;
}
