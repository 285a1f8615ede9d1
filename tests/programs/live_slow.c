/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What takes long now and then, for snapshots: `go N` on standard input does slow:begin(i),
 * slow:done(i, path, share) for i from 0 to N - 1; numbers 777, 1777, 2777 and 3777 take 1.2 s:
 * more than others take on a busy machine. With N as argument, it does that once, without being
 * asked, and exits with 5; with N and a word, it goes on after a slow one when a snapshot of it is
 * in the recording `rec`: what comes sooner may be lost. It stays on the CPU that it began on: a
 * ring of another one would keep what is older.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <glob.h>
#include <sched.h>
#include <sdt/probe.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static __attribute__((noinline)) void begin(long i)
{
    SDT_PROBE(slow, begin, i);
}

static __attribute__((noinline)) void done(long i, const char *path, double share)
{
    SDT_PROBE(slow, done, i, path, share);
}

/* Until so many snapshots were written: docs/recording.md, struct ring_file. */
static void wait_for_snapshot(uint32_t number)
{
    enum { OFFSET = 104 };
    uint32_t wanted_and_written[2] = {1, 0};
    glob_t found = {0};
    if (glob("rec/*/.rings", GLOB_PERIOD, NULL, &found) != 0)
        exit(1);
    int file = open(found.gl_pathv[0], O_RDONLY | O_CLOEXEC);
    while (wanted_and_written[0] != 0 || wanted_and_written[1] < number) {
        usleep(1000);
        if (pread(file, wanted_and_written, sizeof wanted_and_written, OFFSET) < 0)
            exit(1);
    }
    close(file);
    globfree(&found);
}

static void go(long n, int waits)
{
    for (long i = 0; i < n; i++) {
        int is_slow = i % 1000 == 777 && i < 4000;
        begin(i);
        if (is_slow)
            usleep(1200000);
        done(i, i % 2 ? "/odd" : "/even", (double)i / 2);
        if (is_slow && waits)
            wait_for_snapshot((uint32_t)(i / 1000) + 1);
    }
}

int main(int argc, char **argv)
{
    char line[64];
    cpu_set_t here;
    CPU_ZERO(&here);
    CPU_SET(sched_getcpu(), &here);
    sched_setaffinity(0, sizeof here, &here);
    if (argc > 1) {
        go(atol(argv[1]), argc > 2);
        return 5;
    }
    setvbuf(stdout, NULL, _IOLBF, 0);
    puts("here");
    while (fgets(line, sizeof line, stdin)) {
        go(atol(line + 2), 0);
        puts("ok");
    }
    return 0;
}
