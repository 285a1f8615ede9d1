/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Hits that can be counted: each thread's are numbered from 0. The first argument says what is
 * done, the second how many hits each thread has (0: without end), the others what else is wanted.
 */
#include <errno.h>
#include <pthread.h>
#include <sdt/probe.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

static long hits, pace; /* turns of an empty loop between two */

static void run(int thread)
{
    for (long i = 0; hits == 0 || i < hits; i++) {
        SDT_PROBE(rec, tick, i, thread);
        for (volatile long wait = pace; wait > 0; wait--)
            ;
        if (i % 8 == 7)
            SDT_PROBE(rec, text, i / 8,
                      "now and then some text of which the length changes" + i % 40);
    }
}

static void *run_thread(void *data)
{
    run((int)(long)data);
    return NULL;
}

/* threads HITS N PACE */
static int threads(char **args)
{
    pthread_t thread[100];
    long n = atol(args[0]);
    pace = args[1] ? atol(args[1]) : 0;
    for (long i = 0; i < n; i++)
        if (pthread_create(&thread[i], NULL, run_thread, (void *)i) != 0)
            return 1;
    for (long i = 0; i < n; i++)
        pthread_join(thread[i], NULL);
    return 0;
}

/* exit HITS STATUS; says when it has begun; with a comma in the status, says when it is done, and
 * waits for a signal */
static int end(char **args)
{
    puts("here");
    fflush(stdout);
    run(0);
    if (strchr(args[0], ',')) {
        puts("done");
        fflush(stdout);
        pause();
    }
    return atoi(args[0]);
}

/* kill HITS SIGNAL */
static int end_by_signal(char **args)
{
    run(0);
    raise(atoi(args[0]));
    return 0;
}

/* fork HITS exit|_exit|kill N: N children, one after the other; each is thread 1, 2 … */
static int with_children(char **args)
{
    long n = atol(args[1]);
    run(0);
    for (int i = 1; i <= n; i++) {
        pid_t child = fork();
        if (child == 0) {
            run(i);
            if (!strcmp(args[0], "kill"))
                raise(SIGKILL);
            if (!strcmp(args[0], "_exit"))
                _exit(0);
            exit(0);
        }
        waitpid(child, NULL, 0);
        printf("%d\n", child);
        fflush(stdout);
    }
    run(0);
    return 0;
}

/* exec HITS PROGRAM ARGUMENT… */
static int another(char **args)
{
    run(0);
    execv(args[0], args);
    return 1;
}

/* signals HITS SIGNALS MICROSECONDS: at least so many, by a timer, each of which records */
static atomic_long handled;
static void on_signal(int number)
{
    long n = handled++;
    SDT_PROBE(rec, signal, n, number, "from a handler");
}
static int with_signals(char **args)
{
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
    struct itimerval every = {.it_interval = {0, atol(args[1])}, .it_value = {0, atol(args[1])}};
    long rounds = 0;
    sigaction(SIGALRM, &action, NULL);
    setitimer(ITIMER_REAL, &every, NULL);
    for (; rounds == 0 || handled < atol(args[0]); rounds++)
        run(0);
    memset(&every, 0, sizeof every);
    setitimer(ITIMER_REAL, &every, NULL);
    printf("%ld %ld\n", rounds, (long)handled);
    return 0;
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        int (*run)(char **args);
    } all[] = {{"threads", threads},    {"exit", end},     {"kill", end_by_signal},
               {"fork", with_children}, {"exec", another}, {"signals", with_signals}};
    hits = argc > 3 ? atol(argv[2]) : 0;
    for (size_t i = 0; argc > 3 && i < sizeof all / sizeof *all; i++)
        if (!strcmp(argv[1], all[i].name))
            return all[i].run(argv + 3);
    return 99;
}
