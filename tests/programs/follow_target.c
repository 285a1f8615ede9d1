/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A program with children, to be traced: it does what lines on its standard input say, and
 * answers each with a line when that is done.
 *
 *   hit N          follow:hit N times                                      ok
 *   tree D W N     a tree of processes, D deep, W children each, that hit N times each   ok
 *   fork           a child that takes the next commands; after its `quit`  PID, and back
 *   orphan         the same, and the parent ends                           PID, of the child
 *   vfork N        a child of vfork that hits N times (in our memory), and executes `true`   ok
 *   spawn WORD…    posix_spawn of us with words as commands                ok
 *   exec           become the program again                                ok, of the new one
 *   pairs N        follow:begin in us, follow:end in a child, N times      ok
 *   churn N        fork N children that hit once and end                   ok
 *   load FILE N    dlopen, and its plugin_hits(N)                          ok
 *   quit
 *
 * With arguments, it hits follow:hit argv[1] times and ends.
 */
#include <dlfcn.h>
#include <sdt/probe.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static __attribute__((noinline)) void hit(long n)
{
    for (long i = 0; i < n; i++)
        SDT_PROBE(follow, hit, i);
}

static __attribute__((noinline)) void begin(long i)
{
    SDT_PROBE(follow, begin, i);
}

static __attribute__((noinline)) void end(long i)
{
    SDT_PROBE(follow, end, i);
}

static void wait_for(pid_t child)
{
    waitpid(child, NULL, 0);
}

static void tree(long depth, long width, long n)
{
    hit(n);
    for (long i = 0; depth > 0 && i < width; i++)
        if (fork() == 0) {
            tree(depth - 1, width, n);
            _exit(0);
        }
    while (wait(NULL) > 0)
        ;
}

static void pairs(long n)
{
    for (long i = 0; i < n; i++) {
        begin(i);
        pid_t child = fork();
        if (child == 0) {
            end(i);
            _exit(0);
        }
        wait_for(child);
    }
}

static void churn(long n)
{
    for (long i = 0; i < n; i++) {
        pid_t child = fork();
        if (child == 0) {
            hit(1);
            _exit(0);
        }
        wait_for(child);
    }
}

static void by_vfork(long n)
{
    pid_t child = vfork();
    if (child == 0) {
        hit(n);
        execlp("true", "true", (char *)NULL);
        _exit(1);
    }
    wait_for(child);
}

static void by_spawn(char *n, char **argv)
{
    char *words[] = {argv[0], n, NULL};
    pid_t child;
    if (posix_spawn(&child, "/proc/self/exe", NULL, NULL, words, environ) == 0)
        wait_for(child);
}

static void load(const char *file, long n)
{
    void *library = dlopen(file, RTLD_NOW);
    void (*call)(long) = library ? (void (*)(long))dlsym(library, "plugin_hits") : NULL;
    if (call)
        call(n);
}

/* Whether the answer is left to the child. */
static int by_fork(int is_orphan)
{
    pid_t child = fork();
    if (child == 0) {
        printf("%d\n", (int)getpid());
        return 1;
    }
    if (is_orphan)
        _exit(0);
    wait_for(child);
    puts("back");
    return 1;
}

static int work(char *line, char **argv)
{
    char word[32] = "", first[400] = "0", second[32] = "0", third[32] = "0";
    sscanf(line, "%31s %399s %31s %31s", word, first, second, third);
    if (!strcmp(word, "hit"))
        hit(atol(first));
    else if (!strcmp(word, "tree"))
        tree(atol(first), atol(second), atol(third));
    else if (!strcmp(word, "fork") || !strcmp(word, "orphan"))
        return by_fork(*word == 'o');
    else if (!strcmp(word, "vfork"))
        by_vfork(atol(first));
    else if (!strcmp(word, "spawn"))
        by_spawn(first, argv);
    else if (!strcmp(word, "exec"))
        execv("/proc/self/exe", argv);
    else if (!strcmp(word, "pairs"))
        pairs(atol(first));
    else if (!strcmp(word, "churn"))
        churn(atol(first));
    else if (!strcmp(word, "load"))
        load(first, atol(second));
    else
        return 0;
    puts("ok");
    return 1;
}

int main(int argc, char **argv)
{
    char line[512];
    setvbuf(stdout, NULL, _IOLBF, 0);
    setvbuf(stdin, NULL, _IONBF, 0); /* what a child has read, its parent has not */
    if (argc > 1) {
        hit(atol(argv[1]));
        return 0;
    }
    puts("here");
    while (fgets(line, sizeof line, stdin) && work(line, argv))
        ;
    return 0;
}
