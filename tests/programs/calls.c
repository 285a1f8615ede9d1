/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * calls ROUNDS [HOW [N]]: calls of functions that a test knows, in two threads. `inner` measures
 * its own time, and `outer` the time of its calls, so that whoever measures `inner` from outside
 * must be between the two. Says `inner NS`, `outer NS`. HOW: fork (in a child); told (a round for
 * each line of its input); down (nothing but N calls of a function by itself); jump (N calls that
 * longjmp() ends).
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define APART __attribute__((noinline))

static long inner_ns, outer_ns;

static inline __attribute__((always_inline)) long now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000000L + time.tv_nsec;
}

static APART int leaf(int x)
{
    __asm__ volatile("" : "+r"(x));
    return x + 1;
}

static APART int inner(int x)
{
    long begin = now(), end;
    x = leaf(x);
    do
        end = now();
    while (end - begin < 20000);
    __atomic_fetch_add(&inner_ns, end - begin, __ATOMIC_RELAXED);
    return x;
}

static APART int outer(int x)
{
    long begin = now();
    x = inner(x) + leaf(x);
    __atomic_fetch_add(&outer_ns, now() - begin, __ATOMIC_RELAXED);
    return x;
}

/* Through N calls of itself. */
static APART int down(int n)
{
    int x = n ? down(n - 1) : leaf(n);
    __asm__ volatile("" : "+r"(x));
    return x;
}

static APART int serve(int x)
{
    x = outer(x) + down(3);
    return x + leaf(x);
}

static APART int elsewhere(int x)
{
    x = outer(x);
    return x + leaf(x);
}

static jmp_buf jump;
static APART void leave(int x)
{
    __asm__ volatile("" : "+r"(x));
    longjmp(jump, x);
}

/* Nothing returns between a call that does not and the next one, which has the same frame. */
static APART int jumping(volatile int n)
{
    while (n > 0)
        if (setjmp(jump) == 0)
            leave(n);
        else
            n--;
    return leaf(n);
}

static void *work(void *data)
{
    long count = (long)data;
    int x = 0;
    for (long i = 0; i < count; i++)
        x += serve(x);
    return (void *)(long)x;
}

static void run(long count)
{
    pthread_t thread;
    int x = 0;
    pthread_create(&thread, NULL, work, (void *)count);
    for (long i = 0; i < count; i++)
        x += serve(x) + elsewhere(x);
    pthread_join(thread, NULL);
    printf("inner %ld\nouter %ld\n", inner_ns, outer_ns);
    fflush(stdout);
}

int main(int argc, char **argv)
{
    const char *how = argc > 2 ? argv[2] : "";
    int depth = argc > 3 ? atoi(argv[3]) : 0;
    char line[16];
    if (strcmp(how, "fork") == 0 && fork() == 0)
        how = "";
    if (strcmp(how, "fork") == 0)
        return wait(NULL) < 0;
    if (strcmp(how, "jump") == 0)
        return jumping(depth) == 7;
    if (strcmp(how, "down") == 0)
        return down(depth) == 7;
    if (strcmp(how, "told") == 0) { /* a round for each line */
        puts("here");
        fflush(stdout);
        while (fgets(line, sizeof line, stdin))
            run(1);
        return 0;
    }
    run(argc > 1 ? atol(argv[1]) : 10);
    return 0;
}
