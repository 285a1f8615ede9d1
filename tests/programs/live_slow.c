/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What takes long now and then, for snapshots: `go N` on standard input does slow:begin(i),
 * slow:done(i, path, share) for i from 0 to N - 1; numbers 777, 1777, 2777 and 3777 take 150 ms.
 * With N as argument, it does that once, without being asked, and exits with 5; with N and a word,
 * what is slow also waits until the snapshot of the one before is in the recording `rec`.
 * It stays on the CPU that it began on: a ring of another one would keep what is older.
 */
#define _GNU_SOURCE
#include <glob.h>
#include <sched.h>
#include <sdt/probe.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static __attribute__((noinline)) void begin(long i)
{
    SDT_PROBE(slow, begin, i);
}

static __attribute__((noinline)) void done(long i, const char *path, double share)
{
    SDT_PROBE(slow, done, i, path, share);
}

static long bytes_on_disk(void)
{
    glob_t files = {0};
    struct stat about;
    long bytes = 0;
    glob("rec/*/cpu*", 0, NULL, &files);
    for (size_t i = 0; i < files.gl_pathc; i++)
        if (stat(files.gl_pathv[i], &about) == 0)
            bytes += about.st_size;
    globfree(&files);
    return bytes;
}

static void be_slow(long i, int is_recorded)
{
    static long before;
    while (is_recorded && i > 1000 && bytes_on_disk() == before)
        usleep(1000);
    usleep(150000); /* the rest of the snapshot is written */
    before = bytes_on_disk();
}

static void go(long n, int is_recorded)
{
    for (long i = 0; i < n; i++) {
        begin(i);
        if (i % 1000 == 777 && i < 4000)
            be_slow(i, is_recorded);
        done(i, i % 2 ? "/odd" : "/even", (double)i / 2);
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
