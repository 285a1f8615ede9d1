/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Functions, all of one probe, of which subscriptions choose some: `functions_chosen ROUNDS`.
 *
 * Threads call eight of them all the time. Meanwhile handlers come and go, each for a pattern of
 * its own, and patterns overlap. A handler notes hits of functions that it has not chosen. At rest,
 * each is called a known number of times, and must have been called so often.
 */
#include <pthread.h>
#include <sdt/probe.h>
#include <sdt/runtime.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define APART __attribute__((noinline))
#define FUNCTION(name)                                                                             \
    APART int name(int x)                                                                          \
    {                                                                                              \
        __asm__ volatile("" : "+r"(x));                                                            \
        return x + 1;                                                                              \
    }
FUNCTION(red_one)
FUNCTION(red_two)
FUNCTION(red_three)
FUNCTION(blue_one)
FUNCTION(blue_two)
FUNCTION(blue_three)
FUNCTION(green_one)
FUNCTION(green_two)

SDT_NO_FUNCTION static int call_all(int x)
{
    x = red_one(x) + red_two(x) + red_three(x) + blue_one(x);
    return x + blue_two(x) + blue_three(x) + green_one(x) + green_two(x);
}

/* A subscription: the functions of PATTERN have PREFIX, and are COUNT. */
struct chooser {
    const char *pattern, *prefix;
    int count, id;
    atomic_ulong hits, others;
};
static struct chooser choosers[] = {
    {.pattern = "fn::red_*:entry", .prefix = "red_", .count = 3},
    {.pattern = "fn::blue_t*:entry", .prefix = "blue_t", .count = 2},
    {.pattern = "fn::*_one:entry", .prefix = "", .count = 3},
    {.pattern = "fn::red_two:entry", .prefix = "red_two", .count = 1},
    {.pattern = "fn:entry", .prefix = "", .count = 8}};
enum { CHOOSERS = sizeof choosers / sizeof *choosers };

SDT_NO_FUNCTION static int begins_with(const char *text, const char *prefix)
{
    while (*prefix && *text == *prefix) {
        text++;
        prefix++;
    }
    return !*prefix;
}

SDT_NO_FUNCTION static void note(const struct sdt_event *event, void *data)
{
    struct chooser *chooser = data;
    chooser->hits++;
    chooser->others += !begins_with(sdt_function(event), chooser->prefix);
}

static atomic_int stop;

SDT_NO_FUNCTION static void *work(void *data)
{
    int x = 0;
    (void)data;
    while (!stop)
        x = call_all(x & 7);
    return NULL;
}

/* Every other time by a handler that promises to leave vector registers alone, as this one does. */
SDT_NO_FUNCTION static void toggle(struct chooser *chooser, int round)
{
    if (chooser->id > 0)
        sdt_disable(chooser->id);
    chooser->id = chooser->id > 0
                      ? 0
                      : sdt_enable_mode(chooser->pattern, note, chooser,
                                        SDT_MODE_AUTO | (round % 2 ? SDT_GENERAL_REGS : 0));
}

SDT_NO_FUNCTION int main(int argc, char **argv)
{
    int rounds = argc > 1 ? atoi(argv[1]) : 200, wrong = 0;
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, work, NULL);
    srand(1);
    for (int i = 0; i < rounds; i++)
        toggle(&choosers[rand() % CHOOSERS], i);
    stop = 1;
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < CHOOSERS; i++) {
        wrong += choosers[i].others != 0;
        if (choosers[i].id == 0)
            toggle(&choosers[i], i);
        choosers[i].hits = 0;
    }
    for (int i = 0; i < 10; i++)
        call_all(i);
    for (int i = 0; i < CHOOSERS; i++) {
        printf("%s %lu of %d\n", choosers[i].pattern, choosers[i].hits, 10 * choosers[i].count);
        wrong += choosers[i].hits != 10ul * (unsigned)choosers[i].count;
    }
    printf("wrong %d\n", wrong);
    return wrong != 0;
}
