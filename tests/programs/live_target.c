/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A program to be traced: it does what lines on its standard input say, and answers each with
 * a line when that is done.
 *
 *   hit N       live:tick N times, and live:tock for each third of them    ok
 *   threads T N the same in T threads                                      ok
 *   busy T      start T threads that hit live:tick until the end           ok
 *   forks       a child that takes the next commands; after its `quit`     PID, and back
 *   exec        become the program again                                   ok, of the new one
 *   load FILE   dlopen, unload FILE: dlclose, call FILE N: its plugin_hits(N)   ok
 *   churn N     fork N children that hit live:tick once and end            ok
 *   fds         close all descriptors but the first three                  ok
 *   daemon USER what daemons do: no umask, a title over argv[0], be USER   ok
 *   name WORD   what the kernel calls the process                          ok
 *   quit
 */
#include <dlfcn.h>
#include <pthread.h>
#include <sdt/probe.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static __attribute__((noinline)) void tick(long i)
{
    SDT_PROBE(live, tick, i);
}

static __attribute__((noinline)) void tock(long i, const char *text)
{
    SDT_PROBE(live, tock, i, text);
}

static void *hit(void *data)
{
    for (long i = 0; i < (long)data; i++) {
        tick(i);
        if (i % 3 == 0)
            tock(i, "tock");
    }
    return NULL;
}

static void *hit_on(void *data)
{
    for (long i = 0;; i++)
        tick(i);
    return data;
}

static void in_threads(long threads, long n)
{
    pthread_t thread[64];
    for (long i = 0; i < threads; i++)
        pthread_create(&thread[i], NULL, hit, (void *)n);
    for (long i = 0; i < threads; i++)
        pthread_join(thread[i], NULL);
}

static void busy(long threads)
{
    for (pthread_t thread; threads > 0; threads--)
        pthread_create(&thread, NULL, hit_on, NULL);
}

static void churn(long n)
{
    for (long i = 0; i < n; i++) {
        pid_t child = fork();
        if (child == 0) {
            tick(i);
            _exit(0);
        }
        waitpid(child, NULL, 0);
    }
}

static void *libraries[8];

static int library(const char *word, const char *file, long n)
{
    static char *names[8];
    int at = 0;
    while (at < 7 && names[at] && strcmp(names[at], file) != 0)
        at++;
    if (!strcmp(word, "load")) {
        names[at] = names[at] ? names[at] : strdup(file);
        libraries[at] = dlopen(file, RTLD_NOW);
        return libraries[at] ? 0 : puts(dlerror());
    }
    if (!strcmp(word, "unload"))
        return dlclose(libraries[at]);
    void (*call)(long) = (void (*)(long))dlsym(libraries[at], "plugin_hits");
    call(n);
    return 0;
}

/* The kernel shows whose files in /proc are root's unless the process says that it may be read. */
static void become_daemon(unsigned user, char *title)
{
    umask(0);
    memset(title, 'x', strlen(title) - 1);
    memcpy(title, "a/b: c", 6);
    if (user && (setgid(user) != 0 || setuid(user) != 0 || prctl(PR_SET_DUMPABLE, 1) != 0))
        perror("daemon");
}

static int work(const char *word, const char *argument, long n, char **argv)
{
    if (!strcmp(word, "hit")) {
        hit((void *)atol(argument));
    } else if (!strcmp(word, "threads")) {
        in_threads(atol(argument), n);
    } else if (!strcmp(word, "busy")) {
        busy(atol(argument));
    } else if (!strcmp(word, "churn")) {
        churn(atol(argument));
    } else if (!strcmp(word, "fds")) {
        for (int fd = 3; fd < 1024; fd++)
            close(fd);
    } else if (!strcmp(word, "daemon")) {
        become_daemon((unsigned)atoi(argument), argv[0]);
    } else if (!strcmp(word, "name")) {
        prctl(PR_SET_NAME, argument);
    } else if (!strcmp(word, "exec")) {
        execv("/proc/self/exe", argv);
    } else if (!strcmp(word, "forks")) {
        pid_t child = fork();
        if (child == 0) {
            printf("%d\n", (int)getpid());
            return 0;
        }
        waitpid(child, NULL, 0);
        puts("back");
        return 0;
    } else {
        library(word, argument, n);
    }
    puts("ok");
    return 0;
}

int main(int argc, char **argv)
{
    char line[512], word[32], argument[400];
    long n;
    (void)argc;
    setvbuf(stdout, NULL, _IOLBF, 0);
    setvbuf(stdin, NULL, _IONBF, 0); /* what a child has read, its parent has not */
    puts("here");
    while (fgets(line, sizeof line, stdin)) {
        n = 0;
        *argument = '\0';
        if (sscanf(line, "%31s %399s %ld", word, argument, &n) < 1 || !strcmp(word, "quit"))
            return 0;
        work(word, argument, n, argv);
    }
    return 0;
}
