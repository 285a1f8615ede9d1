/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * <sdt/record.h>, in a directory of its own: checks itself and says "ok". What is in the recordings
 * is for test_record_api.py to see: `one` 1000 ticks, `two` those from 2000 to 2999, and so on.
 */
#include <errno.h>
#include <pthread.h>
#include <sdt/probe.h>
#include <sdt/record.h>
#include <sdt/runtime.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition))                                                                          \
            printf("line %d: %s\n", __LINE__, #condition);                                         \
    } while (0)

static void tick(long from, long to)
{
    for (long i = from; i < to; i++) {
        SDT_PROBE(rec, tick, i, (int)0);
        SDT_PROBE(rec, other, i);
    }
}

static long long size_of(const char *directory)
{
    char command[200];
    long long size = -1;
    snprintf(command, sizeof command, "cat %s/*/cpu* 2>/dev/null | wc -c", directory);
    FILE *output = popen(command, "r");
    if (!output || fscanf(output, "%lld", &size) != 1)
        return -1;
    pclose(output);
    return size;
}

/* Everything that is refused, and leaves nothing. */
static void refusals(void)
{
    struct sdt_recorder *recorder = NULL;
    struct sdt_record_options bad[] = {{sizeof bad[0], 16, 0, 0, 0},
                                       {sizeof bad[0], 0, 1025, 0, 0},
                                       {sizeof bad[0], 0, 0, 12345, 0},
                                       {sizeof bad[0], 0, 0, 4096, 0},
                                       {sizeof bad[0], 0, 0, 1 << 20, 100},
                                       {sizeof bad[0], 0, 0, 1 << 20, 2048},
                                       {sizeof bad[0], 0, 0, 1 << 20, 1 << 20},
                                       {4, 0, 0, 0, 0}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        CHECK(sdt_record_create("refused", &bad[i], &recorder) == -EINVAL);
    CHECK(sdt_record_create(NULL, NULL, &recorder) == -EINVAL);
    CHECK(sdt_record_create("", NULL, &recorder) == -EINVAL);
    CHECK(sdt_record_create("one", NULL, NULL) == -EINVAL);
    CHECK(sdt_record_create("no/where", NULL, &recorder) == -ENOENT);
    CHECK(sdt_record_create(".", NULL, &recorder) == -EEXIST);
    const int own[] = {EBUSY, EEXIST, ENOSPC};
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        CHECK(strstr(sdt_strerror(-own[i]), "record"));
    CHECK(!recorder && access("refused", F_OK) != 0);
    CHECK(sdt_record_add(NULL, "*") == -EINVAL && sdt_record_start(NULL) == -EINVAL);
    CHECK(sdt_record_stop(NULL) == -EINVAL && sdt_record_flush(NULL) == -EINVAL);
    CHECK(sdt_record_stats(NULL, NULL) == -EINVAL && sdt_record_destroy(NULL) == -EINVAL);
}

static void first(void)
{
    struct sdt_recorder *recorder = NULL, *second = NULL;
    struct sdt_record_stats stats = {.size = sizeof stats}, none = {0}, old = {16, 77, 88, 99};
    tick(-10, 0); /* it is disabled */
    CHECK(sdt_record_create("one", NULL, &recorder) == 0 && recorder);
    CHECK(sdt_record_create("busy", NULL, &second) == -EBUSY && !second);
    CHECK(access("busy", F_OK) != 0);
    CHECK(sdt_record_add(recorder, "no:such") == -ENOENT);
    CHECK(sdt_record_add(recorder, NULL) == -EINVAL);
    CHECK(sdt_record_add(recorder, "a:b:c:d:e:f") == -EINVAL);
    CHECK(sdt_record_stats(recorder, &none) == -EINVAL);
    CHECK(sdt_record_add(recorder, "rec:tick") == 0);
    CHECK(sdt_record_stats(recorder, &stats) == 0 && stats.lost == 0 && stats.bytes == 0);
    tick(0, 500);
    CHECK(sdt_record_stats(recorder, &stats) == 0 && stats.used >= 500 * 32 && stats.bytes == 0);
    CHECK(sdt_record_flush(recorder) == 0);
    CHECK(sdt_record_stats(recorder, &stats) == 0 && stats.bytes >= 500 * 32);
    CHECK((long long)stats.bytes == size_of("one"));
    CHECK(sdt_record_flush(recorder) == 0 && (long long)stats.bytes == size_of("one"));
    CHECK(sdt_record_stats(recorder, &old) == 0 && old.lost == 0 && old.used == 99);
    CHECK(sdt_record_stop(recorder) == 0);
    tick(500, 600);
    CHECK(sdt_record_start(recorder) == 0);
    tick(600, 1000);
    CHECK(sdt_record_destroy(recorder) == 0);
    tick(1000, 1100);
}

/* Another one, of two patterns, of which one is there already. */
static void second(void)
{
    struct sdt_recorder *recorder = NULL;
    struct sdt_record_options options = {sizeof options, SDT_RECORD_STOPPED, 0, 1 << 20, 1 << 12};
    CHECK(sdt_record_create("two", &options, &recorder) == 0);
    CHECK(sdt_record_add(recorder, "rec:tick") == 0 && sdt_record_add(recorder, "rec:other") == 0);
    tick(1100, 2000);
    CHECK(sdt_record_start(recorder) == 0 && sdt_record_start(recorder) == 0);
    tick(2000, 3000);
    CHECK(sdt_record_destroy(recorder) == 0);
}

/* A snapshot of a flight recorder, and what came later. */
static void flight(void)
{
    struct sdt_recorder *recorder = NULL;
    struct sdt_record_options options = {sizeof options, SDT_RECORD_FLIGHT, 0, 1 << 16, 1 << 12};
    CHECK(sdt_record_create("flight", &options, &recorder) == 0);
    CHECK(sdt_record_add(recorder, "rec:tick") == 0);
    tick(0, 20000);
    CHECK(size_of("flight") == 0);
    CHECK(sdt_record_flush(recorder) == 0);
    tick(20000, 20100);
    CHECK(sdt_record_flush(recorder) == 0);
    tick(20100, 20200);
    CHECK(sdt_record_destroy(recorder) == 0);
}

/* A ring that becomes full when a part of its first packet is in the file. */
static void full(void)
{
    struct sdt_recorder *recorder = NULL;
    struct sdt_record_options options = {sizeof options, 0, 0, 1 << 16, 1 << 12};
    CHECK(sdt_record_create("full", &options, &recorder) == 0);
    CHECK(sdt_record_add(recorder, "rec:tick") == 0);
    tick(0, 10);
    CHECK(sdt_record_flush(recorder) == 0);
    tick(10, 20000);
    CHECK(sdt_record_destroy(recorder) == 0);
}

/* Until at most SIZE bytes in the rings of RECORDER wait for its thread: CPUs may be busy. */
static void wait_for_room(struct sdt_recorder *recorder, uint64_t size)
{
    struct sdt_record_stats stats = {.size = sizeof stats};
    for (int i = 0; i < 60000; i++) {
        CHECK(sdt_record_stats(recorder, &stats) == 0);
        if (stats.used <= stats.bytes + size)
            return;
        usleep(1000);
    }
    printf("the recorder's thread does not write\n");
}

/* The recorder's thread writes: more than the rings have room for. */
static void thread(void)
{
    struct sdt_recorder *recorder = NULL;
    struct sdt_record_options options = {sizeof options, SDT_RECORD_THREAD, 0, 1 << 18, 1 << 14};
    struct sdt_record_stats stats = {.size = sizeof stats};
    CHECK(sdt_record_create("thread", &options, &recorder) == 0);
    CHECK(sdt_record_add(recorder, "rec:tick") == 0);
    for (long i = 0; i < 40; i++) {
        tick(i * 500, i * 500 + 500);
        wait_for_room(recorder, 1 << 16);
    }
    for (int i = 0; i < 10000 && stats.bytes == 0; i++) {
        usleep(1000);
        CHECK(sdt_record_stats(recorder, &stats) == 0);
    }
    CHECK(stats.bytes > 0 && size_of("thread") > 0);
    CHECK(sdt_record_destroy(recorder) == 0);
}

/* Threads that hit while recorders come and go. */
static volatile int is_over;
static volatile long hits[2];
static void *hit(void *data)
{
    long thread = (long)data;
    for (long i = 0; !is_over; i++) {
        SDT_PROBE(rec, tick, i, (int)thread);
        hits[thread] = i;
    }
    return NULL;
}

static void wait_for_hits(long number)
{
    long from[2] = {hits[0], hits[1]};
    while (hits[0] < from[0] + number && hits[1] < from[1] + number)
        usleep(1000);
}
static void again_and_again(void)
{
    pthread_t threads[2];
    char name[20];
    for (long i = 0; i < 2; i++)
        CHECK(pthread_create(&threads[i], NULL, hit, (void *)i) == 0);
    for (int i = 0; i < 30; i++) {
        struct sdt_recorder *recorder = NULL;
        struct sdt_record_options options = {sizeof options, i % 3 == 0 ? SDT_RECORD_THREAD : 0, 0,
                                             1 << 16, 1 << 12};
        snprintf(name, sizeof name, "again%d", i);
        CHECK(sdt_record_create(name, &options, &recorder) == 0);
        CHECK(sdt_record_add(recorder, "rec:tick") == 0);
        wait_for_hits(1000);
        if (i % 2)
            CHECK(sdt_record_flush(recorder) == 0);
        CHECK(sdt_record_destroy(recorder) == 0);
    }
    is_over = 1;
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
}

/* Subscriptions that were lost here would stay armed. */
enum { ADDERS = 4, ADDED = 50 };

static void *add(void *recorder)
{
    for (int i = 0; i < ADDED; i++) {
        CHECK(sdt_record_add(recorder, "rec:tick") == 0);
        if (i % 10 == 0)
            CHECK(sdt_snapshot_when(recorder, "rec:tick", "arg0 == -1") == 0);
    }
    return NULL;
}

static int count_armed(const struct sdt_probe_info *site, void *data)
{
    *(int *)data += site->mode != SDT_MODE_OFF;
    return 0;
}

static void added_by_many(void)
{
    pthread_t threads[ADDERS];
    struct sdt_recorder *recorder = NULL;
    int armed = 0;
    CHECK(sdt_record_create("many", NULL, &recorder) == 0);
    for (int i = 0; i < ADDERS; i++)
        CHECK(pthread_create(&threads[i], NULL, add, recorder) == 0);
    for (int i = 0; i < ADDERS; i++)
        pthread_join(threads[i], NULL);
    sdt_foreach("rec:tick", count_armed, &armed);
    CHECK(armed > 0);
    CHECK(sdt_record_destroy(recorder) == 0);
    armed = 0;
    sdt_foreach("rec:tick", count_armed, &armed);
    CHECK(armed == 0);
}

int main(int argc, char **argv)
{
    (void)argv;
    refusals();
    first();
    second();
    flight();
    full();
    thread();
    added_by_many();
    if (argc > 1)
        again_and_again();
    puts("ok");
    return 0;
}
