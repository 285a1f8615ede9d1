/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a busy machine does to tests, and more often: `./run test --disturbed` runs beside this. On
 * each processor a process takes it away from what runs there, some seven thousand times a second
 * and for a few microseconds, so that a thread is preempted in every short piece of its code sooner
 * or later; another one wants half of the processor for itself. Ends with the process that has
 * started it.
 *
 * A short slice, which Linux 6.12 takes from sched_attr.sched_runtime (sched_setattr(2)), and a
 * high priority, which only root may choose, let a thread that wakes up run at once. Without them
 * it comes to run less often.
 */
#define _GNU_SOURCE
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { PAUSE_US = 100, TURN_US = 20, SLICE_NS = 100000, HIGHEST = -20 };

static void sleep_us(long us)
{
    struct timespec pause = {0, us * 1000};
    nanosleep(&pause, NULL);
}

static int64_t now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

/* Run at once when we wake up, as far as we may, and wake up when we want to. */
static void be_first(void)
{
    struct {
        uint32_t size, policy;
        uint64_t flags;
        int32_t nice;
        uint32_t priority;
        uint64_t runtime, deadline, period;
    } attributes = {.size = sizeof attributes, .nice = HIGHEST, .runtime = SLICE_NS};
    if (syscall(SYS_sched_setattr, 0, &attributes, 0) != 0) {
        attributes.nice = 0;
        syscall(SYS_sched_setattr, 0, &attributes, 0);
    }
    prctl(PR_SET_TIMERSLACK, 1);
}

static _Noreturn void preempt(void)
{
    be_first();
    for (;;) {
        sleep_us(PAUSE_US / 2 + rand() % PAUSE_US);
        for (int64_t end = now_ns() + TURN_US * 1000; now_ns() < end;)
            ;
    }
}

static _Noreturn void be_busy(void)
{
    for (;;)
        (void)now_ns();
}

static void start_on(int cpu, void (*role)(void))
{
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(cpu, &one);
    if (fork() != 0)
        return;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    sched_setaffinity(0, sizeof one, &one);
    role();
}

int main(void)
{
    cpu_set_t allowed;
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (sched_getaffinity(0, sizeof allowed, &allowed) != 0)
        return 1;
    for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
        if (CPU_ISSET(cpu, &allowed)) {
            start_on(cpu, preempt);
            start_on(cpu, be_busy);
        }
    for (;;)
        pause();
}
