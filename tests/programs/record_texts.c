/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * record_texts DIRECTORY: events with texts of each length up to LONGEST and each alignment, as
 * late in a page as they fit, with nothing after it; texts that are not there; long ones.
 * record_texts DIRECTORY COUNT: so many events of each of four threads, and of a signal handler
 * that comes in between them all the time; prints how many the latter were.
 */
#include <pthread.h>
#include <sched.h>
#include <sdt/probe.h>
#include <sdt/record.h>
#include <sdt/runtime.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

enum { PAGE = 4096, LONGEST = 70, THREADS = 4 };

static void each(char *end)
{
    for (int length = 0; length <= LONGEST; length++)
        for (int space = 0; space < 8; space++) {
            char *text = end - 1 - length - space;
            memset(text, 'a' + length % 26, (size_t)length);
            text[length] = '\0';
            long number = length;
            short small = (short)space;
            char byte = (char)-length;
            SDT_PROBE(texts, one, number, text, small);
            SDT_PROBE(texts, last, byte, text);
            SDT_PROBE(texts, two, byte, text, small, text, number);
        }
}

static void not_there(char *end)
{
    const char *text = end - 3, *null = NULL, *nowhere = (const char *)0x1234567890;
    short small = -2;
    memset(end - 3, 'x', 3); /* without a NUL */
    SDT_PROBE(texts, bad, text, small);
    SDT_PROBE(texts, bad, null, small);
    SDT_PROBE(texts, bad, nowhere, small);
}

static void too_long(void)
{
    static char text[3000];
    int one = 1, two = 2;
    memset(text, 'L', sizeof text - 1);
    SDT_PROBE(texts, cut, one, text, two);
    SDT_PROBE(texts, full, text, one, text, two, text, one, text, two);
}

static atomic_long interrupted;
static atomic_int running = THREADS;

static void on_alarm(int number)
{
    char text[32];
    long i = atomic_fetch_add(&interrupted, 1);
    snprintf(text, sizeof text, "interrupted %ld", i);
    SDT_PROBE(texts, alarm, i, text, number);
}

static void *hit(void *data)
{
    static atomic_int threads;
    int self = atomic_fetch_add(&threads, 1);
    while (atomic_load(&interrupted) == 0) /* the first signal comes, however busy the machine is */
        sched_yield();
    for (long i = 0; i < (long)data; i++) {
        char text[32];
        /* No empty ones: babeltrace2 2.0.4 prints for these what it has printed before. */
        snprintf(text, sizeof text, "%.*s", 1 + (int)(i % 20), "12345678901234567890");
        SDT_PROBE(texts, numbers, self, i);
        SDT_PROBE(texts, both, self, text, i);
    }
    atomic_fetch_sub(&running, 1);
    return NULL;
}

static void many(long count)
{
    pthread_t id[THREADS];
    const struct timespec pause = {.tv_nsec = 10000};
    struct sigaction action = {.sa_handler = on_alarm, .sa_flags = SA_RESTART};
    sigaction(SIGALRM, &action, NULL);
    for (int i = 0; i < THREADS; i++)
        if (pthread_create(&id[i], NULL, hit, (void *)count) != 0)
            exit(1);
    while (atomic_load(&running) > 0) {
        for (int i = 0; i < THREADS; i++)
            pthread_kill(id[i], SIGALRM);
        nanosleep(&pause, NULL);
    }
    for (int i = 0; i < THREADS; i++)
        pthread_join(id[i], NULL);
    printf("%ld\n", atomic_load(&interrupted));
}

int main(int argc, char **argv)
{
    struct sdt_record_options options = {
        .size = sizeof options, .text_size = 1024, .ring_size = 16u << 20};
    struct sdt_recorder *recorder;
    if (sdt_record_create(argv[1], &options, &recorder) != 0 ||
        sdt_record_add(recorder, "texts:*") != 0)
        return 1;
    char *map = mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (map == MAP_FAILED || munmap(map + PAGE, PAGE) != 0)
        return 1;
    if (argc > 2) {
        many(atol(argv[2]));
    } else {
        each(map + PAGE);
        not_there(map + PAGE);
        too_long();
    }
    return sdt_record_destroy(recorder) != 0;
}
