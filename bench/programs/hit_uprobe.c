/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * hit_uprobe THREADS RUNS WHAT [ADDRESS]: a probe of <sys/sdt.h>, which is one nop, or of sdt.h
 * (ONE_HEADER), which has room for a jump; or the five-byte nop that Linux 6.18 turns into a call.
 * WHAT: nop1, nop5. With the linked address of the nop (the note says it) a uprobe counts there;
 * without, the nop is off, or another tracer has enabled it.
 */
#define _GNU_SOURCE
#include "loop.h"
#include "uprobe.h"

#if defined(ONE_HEADER)
#include <sdt.h>
#define PROBE SDT_PROBE
#else
#include <sys/sdt.h>
#define PROBE DTRACE_PROBE6
#endif

LOOP(loop_nop1, PROBE(hit, site, i, runs, (int)i, (short)i, (char)i, &runs))
LOOP(loop_nop5, __asm__ volatile(".globl site5\nsite5: .byte 0x0f, 0x1f, 0x44, 0, 0"))

/*
 * Whether the uprobe was there. A thread adds what it has counted when it ends, which is after it
 * was joined; and perf has been seen to lose one hit in a hundred of threads that it inherited.
 */
static int has_counted(int fd, long hits)
{
    uint64_t count = 0;
    for (int i = 0; i < 1000 && count < (uint64_t)hits / 10 * 9; i++) {
        if (i)
            usleep(1000);
        if (read(fd, &count, sizeof count) != sizeof count)
            return 0;
    }
    return count >= (uint64_t)hits / 10 * 9;
}

int main(int argc, char **argv)
{
    if (argc < 4 || argc > 5)
        return 2;
    int threads = atoi(argv[1]);
    long runs = atol(argv[2]);
    int is_nop5 = strcmp(argv[3], "nop5") == 0;
    int fd = argc == 5 ? uprobe_open(strtoul(argv[4], NULL, 16)) : -1;
    if (argc == 5 && fd < 0) {
        perror("uprobe");
        return 1;
    }
    loop_report("hit", is_nop5 ? loop_nop5 : loop_nop1, threads, runs);
    loop_report("loop", loop_empty, threads, runs);
    return fd >= 0 && !has_counted(fd, LOOP_HITS(threads, runs));
}
