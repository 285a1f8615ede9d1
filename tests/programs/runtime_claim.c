/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A signal comes in the middle of a thread's first hit, and its handler hits as well: after each
 * instruction of that hit once. However they share the work, the thread has a record of its own
 * afterwards: while another thread is in a handler, it does not count as being in one.
 *
 * The parent is a debugger, which steps to the instruction and sends the signal.
 */
#include "runtime_fixture.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MAX_STEPS = 100000 };

static atomic_int hits, is_held, must_wait;

static void on_hit(const struct sdt_event *event, void *data)
{
    (void)data;
    atomic_fetch_add(&hits, 1);
    if (sdt_arg(event, 0) != 1)
        return;
    atomic_store(&is_held, 1);
    while (atomic_load(&must_wait))
        usleep(100);
}

static void on_signal(int number)
{
    (void)number;
    fx_call(0, 0, 0, 0, 0, 0);
}

static void *hold(void *data)
{
    fx_call(1, 0, 0, 0, 0, 0);
    return data;
}

static int debuggee(void)
{
    pthread_t other;
    struct sigaction action = {.sa_handler = on_signal};
    sigaction(SIGUSR1, &action, NULL);
    CHECK(sdt_enable("fixture:call", on_hit, NULL) > 0);
    ptrace(PTRACE_TRACEME, 0, NULL, NULL);
    raise(SIGSTOP);
    fx_call(0, 0, 0, 0, 0, 0);
    raise(SIGSTOP);
    atomic_store(&hits, 0);
    atomic_store(&must_wait, 1);
    CHECK(pthread_create(&other, NULL, hold, NULL) == 0);
    while (!atomic_load(&is_held))
        usleep(100);
    fx_call(0, 0, 0, 0, 0, 0);
    CHECK_EQUAL(atomic_load(&hits), 2);
    atomic_store(&must_wait, 0);
    pthread_join(other, NULL);
    return fixture_failures != 0;
}

/* Send the signal after so many steps. 1: the hit is over before that; -1: a failure. */
static int interrupt_after(int steps)
{
    int status, is_over = 0;
    pid_t child = fork();
    if (child == 0)
        _exit(debuggee());
    if (waitpid(child, &status, 0) != child || !WIFSTOPPED(status))
        return -1;
    for (int i = 0; i < steps && !is_over; i++) {
        if (ptrace(PTRACE_SINGLESTEP, child, NULL, NULL) != 0 || waitpid(child, &status, 0) < 0 ||
            !WIFSTOPPED(status))
            return -1;
        is_over = WSTOPSIG(status) == SIGSTOP;
    }
    if (!is_over) {
        ptrace(PTRACE_CONT, child, NULL, (void *)(uintptr_t)SIGUSR1);
        if (waitpid(child, &status, 0) != child || !WIFSTOPPED(status) ||
            WSTOPSIG(status) != SIGSTOP)
            return -1;
    }
    ptrace(PTRACE_CONT, child, NULL, NULL);
    if (waitpid(child, &status, 0) != child || status != 0) {
        fprintf(stderr, "interrupted after %d steps\n", steps);
        return -1;
    }
    return is_over;
}

int main(void)
{
    int steps = 0, result;
    while ((result = interrupt_after(steps)) == 0 && steps < MAX_STEPS)
        steps++;
    CHECK(result == 1 && steps > 100);
    return fixture_done();
}
