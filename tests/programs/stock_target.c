/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A stock binary: probes of <sys/sdt.h> that sdtlink does not see. It does what lines on its
 * standard input, or in the file that is its argument, say, and answers each with a line when that
 * is done.
 *
 *   hit N        stock:tick N times, and stock:asked if its semaphore says so      ok
 *   threads T N  the same in T threads                                             ok
 *   blocked N    hit in a thread that has blocked all signals                      ok
 *   handler      hit once in a handler of SIGUSR1 that blocks all signals          ok
 *   own          install a handler of SIGTRAP, hit once, raise the signal, and
 *                run a breakpoint; what the handler has seen, and whether it is there   N yes|no
 *   forks N      hit in a child; what its semaphore was                            N
 *   load FILE N  dlopen, its plugin_hits(N), dlclose                               ok
 *   keep FILE N  the same without dlclose                                          ok
 *   churn F N K  load FILE N, K times                                              ok
 *   semaphore    of stock:asked                                                    N
 *   quit
 *
 * With PLUGIN it is the library instead.
 */
#define _SDT_HAS_SEMAPHORES 1
#include <sys/sdt.h>

#if defined(PLUGIN)

__extension__ unsigned short stockplugin_hit_semaphore __attribute__((section(".probes")));
void plugin_hits(long n);

void plugin_hits(long n)
{
    for (long i = 0; i < n; i++)
        STAP_PROBE2(stockplugin, hit, i, "plugged");
}

#else

#include <dlfcn.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#if defined(__x86_64__)
#define BREAKPOINT "int3"
enum { GOES_ON = 1 };
#elif defined(__riscv)
#define BREAKPOINT ".option push; .option norvc; ebreak; .option pop" /* of 4 bytes */
enum { GOES_ON = 0 };
#else
#define BREAKPOINT "brk #1"
enum { GOES_ON = 0 }; /* the thread is at the breakpoint still */
#endif

__extension__ unsigned short stock_tick_semaphore __attribute__((section(".probes")));
__extension__ unsigned short stock_asked_semaphore __attribute__((section(".probes")));

static __attribute__((noinline)) void tick(long i)
{
    STAP_PROBE1(stock, tick, i);
    if (*(volatile unsigned short *)&stock_asked_semaphore)
        STAP_PROBE2(stock, asked, i, 0.5 * (double)i);
}

static void *hit(void *data)
{
    for (long i = 0; i < (long)data; i++)
        tick(i);
    return NULL;
}

static void *hit_blocked(void *data)
{
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, NULL);
    return hit(data);
}

static void in_threads(long threads, void *(*function)(void *), long n)
{
    pthread_t thread[64];
    for (long i = 0; i < threads; i++)
        pthread_create(&thread[i], NULL, function, (void *)n);
    for (long i = 0; i < threads; i++)
        pthread_join(thread[i], NULL);
}

static void on_user(int number)
{
    tick(number);
}

static void in_handler(void)
{
    struct sigaction action = {.sa_handler = on_user};
    sigfillset(&action.sa_mask);
    sigaction(SIGUSR1, &action, NULL);
    raise(SIGUSR1);
}

static volatile int seen;
static volatile sig_atomic_t leaves;
static sigjmp_buf left;

static void on_trap(int number)
{
    (void)number;
    seen++;
    if (leaves)
        siglongjmp(left, 1);
}

static void own_handler(void)
{
    struct sigaction now;
    signal(SIGTRAP, on_trap);
    tick(1);
    raise(SIGTRAP);
    leaves = !GOES_ON;
    if (sigsetjmp(left, 1) == 0)
        __asm__ volatile(BREAKPOINT);
    sigaction(SIGTRAP, NULL, &now);
    printf("%d %s\n", seen, now.sa_handler == on_trap ? "yes" : "no");
}

static void in_child(long n)
{
    int status;
    pid_t child = fork();
    if (child == 0) {
        int semaphore = stock_asked_semaphore;
        hit((void *)n);
        _exit(semaphore);
    }
    waitpid(child, &status, 0);
    printf("%d\n", WIFEXITED(status) ? WEXITSTATUS(status) : -1);
}

static const char *load(const char *file, long n, int keeps)
{
    void *library = dlopen(file, RTLD_NOW);
    void (*hits)(long) = library ? (void (*)(long))dlsym(library, "plugin_hits") : NULL;
    if (!hits)
        return dlerror();
    hits(n);
    if (!keeps)
        dlclose(library);
    return "ok";
}

int main(int argc, char **argv)
{
    char line[512], word[16], file[400];
    FILE *orders = argc > 1 ? fopen(argv[1], "r") : stdin;
    puts("here");
    fflush(stdout);
    while (orders && fgets(line, sizeof line, orders)) {
        const char *answer = "ok";
        long a = 0, b = 0;
        int numbers = sscanf(line, "%15s %ld %ld", word, &a, &b);
        if (!strcmp(word, "quit"))
            return 0;
        if (!strcmp(word, "load") && sscanf(line, "load %399s %ld", file, &a) == 2)
            answer = load(file, a, 0);
        else if (!strcmp(word, "keep") && sscanf(line, "keep %399s %ld", file, &a) == 2)
            answer = load(file, a, 1);
        else if (!strcmp(word, "churn") && sscanf(line, "churn %399s %ld %ld", file, &a, &b) == 3)
            for (long i = 0; i < b; i++)
                answer = load(file, a, 0);
        else if (!strcmp(word, "hit"))
            hit((void *)a);
        else if (!strcmp(word, "threads") && numbers == 3)
            in_threads(a, hit, b);
        else if (!strcmp(word, "blocked"))
            in_threads(1, hit_blocked, a);
        else if (!strcmp(word, "handler"))
            in_handler();
        else if (!strcmp(word, "own"))
            own_handler(), answer = NULL;
        else if (!strcmp(word, "forks"))
            in_child(a), answer = NULL;
        else if (!strcmp(word, "semaphore"))
            printf("%u\n", stock_asked_semaphore), answer = NULL;
        if (answer)
            puts(answer);
        fflush(stdout);
    }
    return 0;
}

#endif
