/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A process on i386 whose sites are armed by breakpoints: its own traps and signals, and children.
 * See test_i386_runtime.py. Prints what it finds.
 */
#define _GNU_SOURCE
#include <sdt/runtime.h>

#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

extern void __dtrace_sdt_shop___here(int n);
void visit(int n);

static volatile int hits, traps, last;

__attribute__((noinline)) void visit(int n)
{
    __dtrace_sdt_shop___here(n);
}

static void handler(const struct sdt_event *event, void *data)
{
    (void)data;
    hits++;
    last = (int)sdt_arg(event, 0);
}

/* The program's own int3; the signal comes after it. */
static void on_trap(int number, siginfo_t *info, void *data)
{
    const ucontext_t *context = data;
    const uint8_t *after = (const uint8_t *)(uintptr_t)context->uc_mcontext.gregs[REG_EIP];
    traps += number == SIGTRAP && info->si_signo == SIGTRAP && after[-1] == 0xcc;
}

/* A probe in a handler of a signal. */
static void on_user(int number)
{
    visit(number);
}

static void act(int number, void (*function)(int, siginfo_t *, void *))
{
    struct sigaction action = {.sa_sigaction = function, .sa_flags = SA_SIGINFO};
    sigfillset(&action.sa_mask); /* SIGTRAP with it: it stays deliverable */
    sigaction(number, &action, NULL);
}

int main(void)
{
    sigset_t all;
    act(SIGTRAP, on_trap);
    signal(SIGUSR1, on_user);
    int id = sdt_enable_mode("shop:here", handler, NULL, SDT_MODE_TRAP);
    visit(1);
    __asm__ volatile("int3");
    printf("armed: %d hits of %d, %d traps of its own\n", hits, last, traps);
    act(SIGTRAP, on_trap);
    __asm__ volatile("int3");
    visit(2);
    printf("handler installed again: %d hits of %d, %d traps\n", hits, last, traps);
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, NULL);
    visit(3);
    sigprocmask(SIG_UNBLOCK, &all, NULL);
    raise(SIGUSR1);
    printf("blocked, and in a handler: %d hits, of signal %s\n", hits,
           last == SIGUSR1 ? "handler" : "nobody");
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        visit(5);
        int inherited = hits;
        int error = sdt_disable(id);
        visit(6);
        printf("child: %d hits, %s, %d hits\n", inherited, sdt_strerror(error), hits);
        fflush(stdout);
        _exit(0);
    }
    waitpid(child, NULL, 0);
    visit(7);
    printf("parent: %d hits of %d, ", hits, last);
    int error = sdt_disable(id);
    visit(8);
    __asm__ volatile("int3");
    printf("%s: %d hits, %d traps\n", sdt_strerror(error), hits, traps);
    return 0;
}
