/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A debugger that steps through hits instruction by instruction interrupts each while it is being
 * counted. They end nevertheless, and each is counted once: in the word of no CPU, or in the
 * probe itself.
 *
 * It also sees how much stack they take.
 *
 * The parent is the debugger. Says where hits are counted that are not interrupted.
 */
#include "runtime_fixture.h"
#include "runtime_uncounted.h"

#include <sdt/format.h>
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

/* Of stack: the red zone, five words, and 24 bytes of fx_call and the call of it. */
enum { HITS = 7, MAX_STEPS = 100000, MAX_STACK = 128 + 5 * 8 + 24 };

extern struct sdt_probe fx_probe; /* of the fixture */

static volatile uintptr_t base; /* in the debuggee, while it hits: its stack then */

static int debuggee(void)
{
    int id = sdt_enable_mode("fixture:call", SDT_COUNT, NULL, SDT_MODE_JUMP);
    CHECK(id > 0);
    fx_call(0, 0, 0, 0, 0, 0);
    ptrace(PTRACE_TRACEME, 0, NULL, NULL);
    uint64_t before = uncounted(&fx_probe);
    raise(SIGSTOP);
    __asm__ volatile("mov %%rsp, %0" : "=m"(base));
    for (int i = 0; i < HITS; i++)
        fx_call(0, 0, 0, 0, 0, 0);
    base = 0;
    raise(SIGSTOP);
    CHECK_EQUAL(uncounted(&fx_probe) - before, HITS);
    printf("counted by %s\n", counters_of(&fx_probe) ? "cpu" : "probe");
    fx_call(0, 0, 0, 0, 0, 0);
    CHECK_EQUAL(sdt_hits("fixture:call"), HITS + 2);
    CHECK_EQUAL(sdt_disable(id), 0);
    return fixture_done();
}

/* How much stack CHILD has in use more than when it began to hit; 0: it does not. */
static uintptr_t depth(pid_t child)
{
    struct user_regs_struct registers;
    uintptr_t from = (uintptr_t)ptrace(PTRACE_PEEKDATA, child, &base, NULL);
    if (!from || ptrace(PTRACE_GETREGS, child, NULL, &registers) != 0)
        return 0;
    return from - registers.rsp;
}

/* One step at a time, to the next signal that is none; how many there were, or -1. */
static int step(pid_t child, uintptr_t *deepest)
{
    int status;
    *deepest = 0;
    for (int steps = 0; steps < MAX_STEPS; steps++) {
        if (ptrace(PTRACE_SINGLESTEP, child, NULL, NULL) != 0 || waitpid(child, &status, 0) < 0 ||
            !WIFSTOPPED(status))
            return -1;
        if (WSTOPSIG(status) == SIGSTOP)
            return steps;
        uintptr_t now = depth(child);
        if (now > *deepest)
            *deepest = now;
    }
    return -1;
}

int main(void)
{
    int status;
    pid_t child = fork();
    if (child == 0)
        return debuggee();
    if (waitpid(child, &status, 0) != child || !WIFSTOPPED(status))
        return 1;
    uintptr_t deepest;
    int steps = step(child, &deepest);
    if (steps < 0)
        kill(child, SIGKILL);
    CHECK(steps > HITS * 10);
    CHECK(deepest > 0 && deepest <= MAX_STACK);
    ptrace(PTRACE_CONT, child, NULL, NULL);
    CHECK(waitpid(child, &status, 0) == child && status == 0);
    return fixture_failures != 0;
}
