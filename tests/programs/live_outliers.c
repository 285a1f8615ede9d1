/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A program whose requests are measured: number i of the N takes a moment, and 200 ms more if i is
 * one of the numbers that follow. What `path` is at the beginning is overwritten before the end.
 *
 * live_outliers THREADS N SLOW...
 */
#include <pthread.h>
#include <sdt/probe.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum state { DONE, FAILED };
SDT_ENUM_NAMES(web, end, state, {DONE, "done"}, {FAILED, "failed"});

static char **slow;
static int count;

static int is_slow(int i)
{
    for (char **at = slow; *at; at++)
        if (atoi(*at) == i)
            return 1;
    return 0;
}

static __attribute__((noinline)) void request(int i, int thread)
{
    char path[32];
    int sizes[2] = {i, -1};
    snprintf(path, sizeof path, "/%d/%d", thread, i);
    SDT_PROBE(web, begin, path, i, SDT_ARRAY(sizes, 2));
    memset(path, 'x', sizeof path - 1);
    if (is_slow(i))
        usleep(200000);
    SDT_PROBE(web, end, SDT_NAMED("state", i % 2 ? FAILED : DONE), i / 4.0, (_Bool)(i > 3));
}

static void *work(void *data)
{
    for (int i = 0; i < count; i++)
        request(i, (int)(long)data);
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t threads[16];
    int n = argc > 3 ? atoi(argv[1]) : 0;
    if (n > 16)
        return 2;
    count = argc > 3 ? atoi(argv[2]) : 0;
    slow = argv + 3;
    for (long i = 0; i < n; i++)
        pthread_create(&threads[i], NULL, work, (void *)i);
    for (long i = 0; i < n; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
