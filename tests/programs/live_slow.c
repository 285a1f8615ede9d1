/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What takes long now and then, for snapshots: `go N` on standard input does slow:begin(i),
 * slow:done(i, path, share) for i from 0 to N - 1; numbers 777, 1777, 2777 and 3777 take 150 ms: by
 * then the snapshot of the one before is written.
 * With N as argument, it does that once, without being asked, and exits with 5.
 */
#include <sdt/probe.h>
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

static void go(long n)
{
    for (long i = 0; i < n; i++) {
        begin(i);
        if (i % 1000 == 777 && i < 4000)
            usleep(150000);
        done(i, i % 2 ? "/odd" : "/even", (double)i / 2);
    }
}

int main(int argc, char **argv)
{
    char line[64];
    if (argc > 1) {
        go(atol(argv[1]));
        return 5;
    }
    setvbuf(stdout, NULL, _IOLBF, 0);
    puts("here");
    while (fgets(line, sizeof line, stdin)) {
        go(atol(line + 2));
        puts("ok");
    }
    return 0;
}
