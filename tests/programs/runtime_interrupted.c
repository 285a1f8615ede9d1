/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A signal arrives while the runtime handles a breakpoint, and its handler hits a probe: how much
 * of an alternate signal stack that takes. So that the signal comes just there, the program is
 * traced by its parent, which sends SIGUSR1 while the breakpoint's SIGTRAP is being delivered.
 *
 *   runtime_interrupted [SIZE]  on a stack of SIZE bytes, with nothing mapped below it; without
 *                               SIZE, as large as sdt_enable(3) demands
 *
 * Prints "size BYTES frame BYTES used BYTES": of the stack, of one signal up to its handler, and of
 * what has been used of the stack.
 */
#define _GNU_SOURCE
#include "runtime_fixture.h"

#include <signal.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef AT_MINSIGSTKSZ
#define AT_MINSIGSTKSZ 51
#endif

enum { PAINT = 0xa5, BELOW = 65536 };

static uint8_t *stack;
static size_t size, frame;
static volatile int handled, signals;

static void on_hit(const struct sdt_event *event, void *data)
{
    (void)event;
    (void)data;
    handled++;
}

static void measure_frame(int number)
{
    (void)number;
    frame = (size_t)(stack + size - (uint8_t *)__builtin_frame_address(0));
}

static void on_signal(int number)
{
    signals++;
    fx_call((word)number, 0, 0, 0, 0, 0);
}

static void handle(void (*handler)(int))
{
    struct sigaction action = {.sa_handler = handler, .sa_flags = SA_ONSTACK};
    sigaction(SIGUSR1, &action, NULL);
}

static void make_stack(void)
{
    uint8_t *memory = mmap(NULL, size + BELOW, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    stack_t alternate = {.ss_sp = memory + BELOW, .ss_size = size};
    stack = memory + BELOW;
    mprotect(stack, size, PROT_READ | PROT_WRITE);
    CHECK_EQUAL(sigaltstack(&alternate, NULL), 0);
    handle(measure_frame);
    raise(SIGUSR1);
    handle(on_signal);
    memset(stack, PAINT, size);
}

/* One hit in normal context and, in the middle of it, one in the signal's handler. */
static void hit(sdt_handler *handler)
{
    int id = sdt_enable_mode("fixture:call", handler, NULL, SDT_MODE_TRAP);
    CHECK(id > 0);
    int before = signals;
    raise(SIGSTOP); /* the next SIGTRAP is the hit's */
    fx_call(0, 0, 0, 0, 0, 0);
    CHECK_EQUAL(signals, before + 1);
    CHECK_EQUAL(sdt_disable(id), 0);
}

static int traced(void)
{
    size_t unused = 0;
    ptrace(PTRACE_TRACEME, 0, NULL, NULL);
    make_stack();
    hit(SDT_COUNT);
    hit(on_hit);
    CHECK_EQUAL(sdt_hits("fixture:call"), 2);
    CHECK_EQUAL(handled, 2);
    while (unused < size && stack[unused] == PAINT)
        unused++;
    printf("size %zu frame %zu used %zu\n", size, frame, size - unused);
    return fixture_done();
}

/* Let CHILD run to its end. How it ended. */
static int trace(pid_t child)
{
    int status, is_due = 0;
    while (waitpid(child, &status, 0) == child && WIFSTOPPED(status)) {
        int number = WSTOPSIG(status);
        if (number == SIGSTOP) {
            is_due = 1;
            number = 0;
        } else if (number == SIGTRAP && is_due) {
            is_due = 0;
            syscall(SYS_tgkill, child, child, SIGUSR1);
        }
        ptrace(PTRACE_CONT, child, NULL, (void *)(intptr_t)number);
    }
    return status;
}

/* The least that the manual page names: 8 KiB where that holds two frames and the rest. */
static size_t least_size(void)
{
    size_t frames = 2 * getauxval(AT_MINSIGSTKSZ) + 512, own = 256;
    return frames + own <= 8192 ? 8192 : frames + own;
}

int main(int argc, char **argv)
{
    size = argc > 1 ? (size_t)atol(argv[1]) : least_size();
    pid_t child = fork();
    if (child == 0)
        return traced();
    int status = trace(child);
    if (!WIFEXITED(status))
        fprintf(stderr, "killed by signal %d\n", WTERMSIG(status));
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}
