/* SPDX-License-Identifier: BSD-2-Clause */
/* Threads that run into a site which is armed by breakpoint, again and again. It ends by itself. */
#include <pthread.h>
#include <sdt/probe.h>
#include <sdt/runtime.h>
#include <stdio.h>
#include <unistd.h>

enum { THREADS = 2, SECONDS = 120 };

static void on_hit(const struct sdt_event *event, void *data)
{
    (void)event;
    (void)data;
}

static __attribute__((noinline)) void hit(long i)
{
    SDT_PROBE(storm, hit, i);
}

static void *work(void *data)
{
    for (long i = 0;; i++)
        hit(i);
    return data;
}

int main(void)
{
    alarm(SECONDS);
    if (sdt_enable_mode("storm:hit", on_hit, NULL, SDT_MODE_TRAP) <= 0)
        return 1;
    for (int i = 0; i < THREADS; i++) {
        pthread_t thread;
        pthread_create(&thread, NULL, work, NULL);
    }
    puts("here");
    fflush(stdout);
    pause();
    return 0;
}
