/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Hits with callers of many kinds. Before each, a line with the addresses that backtrace(3) has for
 * the same place; `record_stack torn` hits the probe with a stack that leads nowhere, and prints
 * nothing.
 */
#define _GNU_SOURCE
#include <alloca.h>
#include <execinfo.h>
#include <pthread.h>
#include <sdt/probe.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int is_quiet;

static __attribute__((noinline)) void show(void)
{
    void *address[64];
    int n = is_quiet ? 0 : backtrace(address, 64);
    for (int i = 2; i < n; i++) /* without this function and the one with the probe */
        printf("%p%c", address[i], i + 1 < n ? ' ' : '\n');
    fflush(stdout);
}

__attribute__((noinline)) void leaf(long i, const char *stack)
{
    show();
    SDT_PROBE(deep, hit, i, stack);
    __asm__ volatile("");
}

__attribute__((noinline)) long middle(long i)
{
    volatile char room[200];
    room[i] = 1;
    leaf(i, "text");
    return room[i];
}

__attribute__((noinline)) long with_alloca(long i)
{
    volatile char *room = alloca((size_t)i * 8 + 1);
    *room = 2;
    return middle(i) + *room;
}

/* Its frame is found by an expression. */
__attribute__((noinline)) long with_alignment(long i)
{
    volatile char room[64] __attribute__((aligned(128)));
    volatile char *more = alloca((size_t)i + 1);
    room[i] = *more = 3;
    return with_alloca(i) + room[i] + *more;
}

__attribute__((noinline)) long recursive(long i)
{
    volatile long result = i > 0 ? recursive(i - 1) : middle(i); /* no tail call, and no loop */
    return result + 1;
}

static int compare(const void *a, const void *b)
{
    static int calls;
    if (calls++ == 0)
        middle(4);
    return *(const int *)a - *(const int *)b;
}

static void on_signal(int number)
{
    (void)number;
    middle(5);
}

/* The return address of a call that does not return is that of something else. */
static __attribute__((noinline, noreturn)) void ends(long i)
{
    with_alignment(i);
    pthread_exit(NULL);
}

static __attribute__((noinline)) void ends_by_a_call(long i)
{
    volatile char room[32];
    room[i] = 4;
    ends(i);
}

static void *in_thread(void *data)
{
    ends_by_a_call((long)data);
    return data;
}

static __attribute__((noinline)) void in_signals(void)
{
    static char room[1 << 16];
    stack_t other = {.ss_sp = room, .ss_size = sizeof room};
    struct sigaction action = {.sa_handler = on_signal};
    sigaction(SIGUSR1, &action, NULL);
    raise(SIGUSR1);
    sigaltstack(&other, NULL);
    action.sa_flags = SA_ONSTACK;
    sigaction(SIGUSR1, &action, NULL);
    raise(SIGUSR1);
}

/* Other return addresses and frame pointers than there are, while the probe is hit. */
static __attribute__((noinline, optimize("O0", "no-omit-frame-pointer"))) void torn(uintptr_t bp,
                                                                                    uintptr_t pc)
{
    volatile uintptr_t *frame = __builtin_frame_address(0), saved[2];
#ifdef __riscv /* the frame pointer is where the frame ends, and a leaf keeps no return address */
    frame -= 2;
    __asm__ volatile("" ::: "ra");
#endif
    saved[0] = frame[0];
    saved[1] = frame[1];
    frame[0] = bp;
    frame[1] = pc;
    SDT_PROBE(deep, torn, bp, pc);
    frame[0] = saved[0];
    frame[1] = saved[1];
}

static void hit_torn(void)
{
    uintptr_t here = (uintptr_t)&here, values[] = {0,
                                                   1,
                                                   8,
                                                   0x1000,
                                                   here,
                                                   ~0ul,
                                                   here - 8,
                                                   here + 4096,
                                                   (uintptr_t)torn + 9,
                                                   1ul << 63,
                                                   here + (32ul << 20)};
    const size_t n = sizeof values / sizeof values[0];
    for (size_t i = 0; i < n * n; i++)
        torn(values[i / n], values[i % n]);
}

int main(int argc, char **argv)
{
    int numbers[] = {3, 1, 2, 0};
    pthread_t thread;
    (void)argv;
    if (argc > 1) {
        is_quiet = 1;
        hit_torn();
        return 0;
    }
    middle(1);
    with_alloca(20);
    with_alignment(30);
    recursive(40);
    qsort(numbers, 4, sizeof numbers[0], compare);
    in_signals();
    pthread_create(&thread, NULL, in_thread, (void *)6);
    pthread_join(thread, NULL);
    return 0;
}
