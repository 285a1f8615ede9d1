/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Nothing of sdtlink: threads that run into an int3 written here, and a handler for SIGTRAP. What
 * happens to it when a debugger attaches is the debugger's doing. It ends by itself.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <ucontext.h>
#include <unistd.h>

enum { THREADS = 2, SECONDS = 120 };

extern const char behind_trap[];

static __attribute__((noinline)) void trap(void)
{
    __asm__ volatile("int3\n"
                     ".globl behind_trap\n"
                     "behind_trap: nop" ::
                         : "memory");
}

static void on_trap(int number, siginfo_t *info, void *data)
{
    const ucontext_t *context = data;
    (void)number;
    (void)info;
    if (context->uc_mcontext.gregs[REG_RIP] != (greg_t)(size_t)behind_trap)
        _exit(99);
}

static void *work(void *data)
{
    for (;;)
        trap();
    return data;
}

int main(void)
{
    struct sigaction action = {.sa_sigaction = on_trap, .sa_flags = SA_SIGINFO};
    sigaction(SIGTRAP, &action, NULL);
    alarm(SECONDS);
    for (int i = 0; i < THREADS; i++) {
        pthread_t thread;
        pthread_create(&thread, NULL, work, NULL);
    }
    puts("here");
    fflush(stdout);
    pause();
    return 0;
}
