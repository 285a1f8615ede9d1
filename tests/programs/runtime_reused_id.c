/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A thread ends inside a handler without notice, and its number is given to another
 * thread, which lives on. sdt_disable must not wait for the dead one. Exit status 77: this process
 * may not choose the numbers of its threads.
 */
#define _GNU_SOURCE
#include "runtime_fixture.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

static pid_t first;
static atomic_int second, stop;

static void end_thread(const struct sdt_event *event, void *data)
{
    (void)event;
    (void)data;
    first = gettid();
    syscall(SYS_exit, 0);
}

static void *hit(void *data)
{
    fx_call(0, 0, 0, 0, 0, 0);
    return data;
}

static void *live(void *data)
{
    atomic_store(&second, gettid());
    while (!atomic_load(&stop))
        usleep(1000);
    return data;
}

/* Whether the next thread will be `first`, unless another process starts one just now. */
static int choose_next(void)
{
    char text[16];
    int file = open("/proc/sys/kernel/ns_last_pid", O_WRONLY);
    int n = snprintf(text, sizeof text, "%d", first - 1);
    int ok = file >= 0 && write(file, text, (size_t)n) == n;
    if (file >= 0)
        close(file);
    return ok;
}

int main(void)
{
    pthread_t dead, living;
    int id = sdt_enable("fixture:call", end_thread, NULL);
    pthread_create(&dead, NULL, hit, NULL);
    /* Not joined yet: the C library would give its stack and its variables to the other one. */
    while (first == 0 || syscall(SYS_tgkill, getpid(), first, 0) == 0)
        usleep(1000);
    for (int tries = 0; tries < 100 && atomic_load(&second) != first; tries++) {
        if (!choose_next()) {
            perror("ns_last_pid");
            return 77;
        }
        atomic_store(&second, 0);
        atomic_store(&stop, 0);
        pthread_create(&living, NULL, live, NULL);
        while (atomic_load(&second) == 0)
            usleep(1000);
        if (atomic_load(&second) != first) {
            atomic_store(&stop, 1);
            pthread_join(living, NULL);
        }
    }
    CHECK_EQUAL(atomic_load(&second), first);
    alarm(20); /* waiting for ever must not look like waiting for long */
    CHECK_EQUAL(sdt_disable(id), 0);
    atomic_store(&stop, 1);
    pthread_join(living, NULL);
    pthread_join(dead, NULL);
    return fixture_done();
}
