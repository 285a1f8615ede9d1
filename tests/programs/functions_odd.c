/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Calls that end otherwise than by a return, that are made before the program has begun, and that
 * are left for another stack. Each function counts how often it was entered and how often it
 * returned: `NAME ENTERED RETURNED`.
 */
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <ucontext.h>

#define APART __attribute__((noinline))
#define UNSEEN __attribute__((no_instrument_function))
#if defined(__clang__)
#undef UNSEEN
#define UNSEEN __attribute__((no_instrument_function, xray_never_instrument))
#endif

enum { RESOLVED, THROWER, CATCHER, STEP, LEAVER, ONSIGNAL, SIGNALLED, FINISH, NAMES };
static const char *const names[] = {"resolved", "thrower",  "catcher",   "step",
                                    "leaver",   "onsignal", "signalled", "finish"};
static long entered[NAMES], left[NAMES];

UNSEEN static void enter(int which)
{
    __atomic_fetch_add(&entered[which], 1, __ATOMIC_RELAXED);
}
UNSEEN static void leave(int which)
{
    __atomic_fetch_add(&left[which], 1, __ATOMIC_RELAXED);
}

/* An IFUNC: the resolver runs while the program is relocated, before any constructor. */
static APART int resolved(int x)
{
    enter(RESOLVED);
    __asm__ volatile("" : "+r"(x));
    leave(RESOLVED);
    return x + 1;
}
static int (*resolver(void))(int)
{
    return resolved;
}
int chosen(int x) __attribute__((ifunc("resolver")));

/* No prologue, no epilogue: its author writes all of it. */
__attribute__((naked)) int bare(int x);
__attribute__((naked)) int bare(int x)
{
    __asm__("leal 1(%rdi),%eax\n\tret");
}

static sigjmp_buf jump;
static APART int thrower(int n)
{
    enter(THROWER);
    if (n % 2)
        siglongjmp(jump, 1);
    leave(THROWER);
    return n;
}
static APART int catcher(int n)
{
    enter(CATCHER);
    if (sigsetjmp(jump, 1) == 0)
        n += thrower(n);
    leave(CATCHER);
    return n;
}

/* Two stacks, and calls of the same function open on both at once. */
static ucontext_t home, contexts[2];
static char stacks[2][128 * 1024] __attribute__((aligned(16)));
static APART void step(int me, int depth)
{
    enter(STEP);
    swapcontext(&contexts[me], &contexts[1 - me]);
    if (depth > 0)
        step(me, depth - 1);
    swapcontext(&contexts[me], &contexts[1 - me]);
    leave(STEP);
}
static void begin_context(int me)
{
    step(me, 3);
    if (me == 0)
        swapcontext(&contexts[me], &contexts[1]);
}
static APART void contexts_run(void)
{
    for (int i = 0; i < 2; i++) {
        getcontext(&contexts[i]);
        contexts[i].uc_stack.ss_sp = stacks[i];
        contexts[i].uc_stack.ss_size = sizeof stacks[i];
        contexts[i].uc_link = &home;
        makecontext(&contexts[i], (void (*)(void))begin_context, 1, i);
    }
    swapcontext(&home, &contexts[0]);
}

/* A signal handler on a stack of its own, in the middle of the same function. */
static APART int signalled(int n)
{
    enter(SIGNALLED);
    if (n > 0)
        raise(SIGUSR1);
    leave(SIGNALLED);
    return n + 1;
}
static APART void onsignal(int number)
{
    enter(ONSIGNAL);
    (void)number;
    signalled(0);
    leave(ONSIGNAL);
}

static APART void leaver(long n)
{
    enter(LEAVER);
    if (n)
        pthread_exit(NULL);
    leave(LEAVER);
}
static void *work(void *data)
{
    leaver((long)data);
    return NULL;
}

__attribute__((noreturn)) static APART void finish(void)
{
    enter(FINISH);
    for (int i = 0; i < NAMES; i++)
        printf("%s %ld %ld\n", names[i], entered[i], left[i]);
    exit(0);
}

int main(int argc, char **argv)
{
    int count = argc > 1 ? atoi(argv[1]) : 6;
    long sum = 0;
    static char alternate[64 * 1024];
    stack_t stack = {.ss_sp = alternate, .ss_size = sizeof alternate};
    struct sigaction action = {.sa_handler = onsignal, .sa_flags = SA_ONSTACK};
    sigaltstack(&stack, NULL);
    sigaction(SIGUSR1, &action, NULL);
    for (int i = 0; i < count; i++) {
        pthread_t thread;
        sum += chosen(i) + bare(i) + catcher(i) + signalled(i % 2);
        pthread_create(&thread, NULL, work, (void *)(long)(i % 2));
        pthread_join(thread, NULL);
    }
    contexts_run();
    printf("sum %ld\n", sum);
    finish();
}
