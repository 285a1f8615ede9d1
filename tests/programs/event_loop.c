/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Requests that are open at once in one thread, as in an event loop, and how long they really take.
 * What happens is said by words, on the command line or in a line on standard input:
 *
 *   bN  request N begins: loop:request__begin
 *   eN  it ends: loop:request__end
 *   p   loop:poll, which belongs to no request
 *   wN  wait N milliseconds
 *   f   fork: the child does what follows up to the next `.`, and ends; its parent waits for it and
 *       goes on after the `.`
 *   s   start two children that both do what follows up to the next `.`, a word at a time in turn
 *   k   the process is killed
 *
 * For each end there is a line: N, and how long it took, in ns: at least, and at most. A line of
 * words is answered by `ok` after these.
 */
#include <sdt/probe.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MANY = 4096 };
static long long before[MANY], after[MANY]; /* a request's begin */

static long long now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000000LL + time.tv_nsec;
}

static __attribute__((noinline)) void begin(long id)
{
    char path[32];
    snprintf(path, sizeof path, "/%ld", id);
    before[id] = now();
    SDT_PROBE(loop, request__begin, id, path);
    after[id] = now();
}

static __attribute__((noinline)) void end(long id)
{
    int status = id % 2 ? 404 : 200;
    long long least = now() - after[id];
    SDT_PROBE(loop, request__end, id, status);
    printf("%ld %lld %lld\n", id, least, now() - before[id]);
}

static void pause_for(long ms)
{
    const struct timespec time = {ms / 1000, ms % 1000 * 1000000};
    nanosleep(&time, NULL);
}

static __attribute__((noinline)) void turn(long n)
{
    SDT_PROBE(loop, poll, n);
}

static void one(const char *word)
{
    long number = atol(word + 1) % MANY;
    static long turns;
    if (*word == 'b')
        begin(number);
    else if (*word == 'e')
        end(number);
    else if (*word == 'p')
        turn(turns++);
    else if (*word == 'w')
        pause_for(number);
    else if (*word == 'k')
        raise(SIGKILL);
}

static char **skip(char **words)
{
    while (*words && strcmp(*words, ".") != 0)
        words++;
    return *words ? words + 1 : words;
}

static void in_child(char **words)
{
    if (fork() == 0) {
        for (; *words && strcmp(*words, ".") != 0; words++)
            one(*words);
        fflush(stdout);
        _exit(0);
    }
    wait(NULL);
}

/* Each takes the turn from one pipe and passes it on to the other. */
static void in_two(char **words)
{
    int pipes[2][2];
    char token = 't';
    if (pipe(pipes[0]) != 0 || pipe(pipes[1]) != 0)
        exit(1);
    for (int i = 0; i < 2; i++)
        if (fork() == 0) {
            for (; *words && strcmp(*words, ".") != 0; words++) {
                if (read(pipes[i][0], &token, 1) != 1)
                    _exit(1);
                one(*words);
                fflush(stdout);
                if (write(pipes[!i][1], &token, 1) != 1)
                    _exit(1);
            }
            _exit(0);
        }
    if (write(pipes[0][1], &token, 1) != 1)
        exit(1);
    for (int i = 0; i < 4; i++)
        close(pipes[i / 2][i % 2]);
    while (wait(NULL) > 0)
        ;
}

static void all(char **words)
{
    while (*words) {
        char *word = *words++;
        fflush(stdout);
        if (*word == 'f')
            in_child(words);
        else if (*word == 's')
            in_two(words);
        else
            one(word);
        if (*word == 'f' || *word == 's')
            words = skip(words);
    }
}

int main(int argc, char **argv)
{
    static char line[1 << 16], *words[MANY];
    if (argc > 1) {
        all(argv + 1);
        return 0;
    }
    puts("here");
    while (fflush(stdout) == 0 && fgets(line, sizeof line, stdin)) {
        size_t n = 0;
        for (char *word = strtok(line, " \n"); word && n < MANY - 1; word = strtok(NULL, " \n"))
            words[n++] = word;
        words[n] = NULL;
        all(words);
        puts("ok");
    }
    return 0;
}
