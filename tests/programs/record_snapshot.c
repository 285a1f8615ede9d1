/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Snapshots when a condition holds.
 *
 *   record_snapshot flight HITS     a busy flight recorder, with a slow request in the middle
 *   record_snapshot discard         the same of a recorder that loses what is new
 *   record_snapshot child           a forked child is what is slow, and the writer is stopped
 *   record_snapshot nobody          no process writes
 *   record_snapshot refused         what is no condition
 */
#define _GNU_SOURCE
#include <errno.h>
#include <sched.h>
#include <sdt/probe.h>
#include <sdt/record.h>
#include <sdt/runtime.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void check(int holds, int line)
{
    if (!holds) {
        fprintf(stderr, "line %d\n", line);
        exit(1);
    }
}
#define CHECK(condition) check(condition, __LINE__)

static struct sdt_recorder *recorder;

static void begin(unsigned flags)
{
    const struct sdt_record_options options = {
        .size = sizeof options, .flags = flags, .ring_size = 64 << 10, .packet_size = 4096};
    CHECK(sdt_record_create("rec", &options, &recorder) == 0);
    CHECK(sdt_record_add(recorder, "snap:tick") == 0);
}

static struct sdt_record_stats stats_now(void)
{
    struct sdt_record_stats stats = {.size = sizeof stats};
    CHECK(sdt_record_stats(recorder, &stats) == 0);
    return stats;
}

static void tick(long from, long to)
{
    for (long i = from; i < to; i++)
        SDT_PROBE(snap, tick, i);
}

static void request(long ns, const char *path)
{
    SDT_PROBE(snap, request, ns, path);
}

/* A long time after the slow one nothing is left of what led to it, but on disk. */
static void slow_in_the_middle(long n)
{
    request(5, "/fast");
    tick(0, n);
    request(2000000, "/slow");
    tick(n, 2 * n);
    request(3000000, "/other");
    tick(2 * n, 3 * n);
}

static void wait_for(uint64_t snapshots)
{
    while (stats_now().snapshots < snapshots)
        usleep(100);
}

static int is_stopped(pid_t process)
{
    char name[64], state = 0;
    snprintf(name, sizeof name, "/proc/%d/stat", (int)process);
    FILE *file = fopen(name, "r");
    CHECK(file && fscanf(file, "%*d %*s %c", &state) == 1);
    fclose(file);
    return state == 'T';
}

/* The ring of another CPU would have room where that of this one has none. */
static void stay_on_this_cpu(void)
{
    cpu_set_t here;
    CPU_ZERO(&here);
    CPU_SET(sched_getcpu(), &here);
    CHECK(sched_setaffinity(0, sizeof here, &here) == 0);
}

/* The child sees what is slow while its parent, which writes, cannot: nothing is overwritten. */
static void in_a_child(void)
{
    pid_t child = fork();
    if (child == 0) {
        stay_on_this_cpu();
        tick(0, 1000);
        CHECK(kill(getppid(), SIGSTOP) == 0);
        while (!is_stopped(getppid()))
            usleep(1000);
        request(2000000, "/slow");
        tick(1000, 100000);
        CHECK(kill(getppid(), SIGCONT) == 0);
        _exit(0);
    }
    CHECK(waitpid(child, NULL, 0) == child);
    wait_for(1);
    tick(100000, 200000);
}

/* As if the writer had died: nothing is lost for ever. */
static void without_writer(void)
{
    pid_t child = fork(); /* which has no thread, and whose parent is stopped */
    CHECK(child >= 0);
    if (child == 0) {
        stay_on_this_cpu();
        CHECK(kill(getppid(), SIGSTOP) == 0);
        while (!is_stopped(getppid()))
            usleep(1000);
        request(2000000, "/slow");
        long n = 0;
        tick(0, 100000); /* no room is left */
        for (uint64_t lost = 1; lost != stats_now().lost; usleep(100000), tick(n, n + 1), n++)
            lost = stats_now().lost; /* a tick that is not lost any more */
        fprintf(stderr, "after %ld\n", n);
        kill(getppid(), SIGCONT);
        _exit(0);
    }
    waitpid(child, NULL, 0);
}

static void refused(void)
{
    static const char *const conditions[] = {"",
                                             "ns >",
                                             "(ns",
                                             "ns = 3",
                                             "1 < ns < 3",
                                             "\"x",
                                             "\"\\q\"",
                                             "12ab",
                                             "arg.",
                                             "ns 3",
                                             "ns > 99999999999999999999",
                                             "\033ns > 1",
                                             "!",
                                             "ns ^^ 1",
                                             "~",
                                             "ns[0",
                                             "len(ns",
                                             "len()",
                                             "sum(ns)",
                                             "str(ns + 1)",
                                             "len(path, 1)"};
    for (size_t i = 0; i < sizeof conditions / sizeof *conditions; i++)
        CHECK(sdt_snapshot_when(recorder, "snap:request", conditions[i]) == -EINVAL);
    char many[4096] = "ns", deep[512] = "";
    for (int i = 0; i < 200; i++)
        strcat(many, " + ns");
    CHECK(sdt_snapshot_when(recorder, "snap:request", many) == -E2BIG);
    memset(deep, '(', 100);
    CHECK(sdt_snapshot_when(recorder, "snap:request", deep) == -E2BIG);
    char waiting[512] = "";
    for (int i = 0; i < 7; i++)
        strcat(waiting, "0 || 1 && ns == 1 + 1 * (");
    strcat(waiting, "1)))))))");
    CHECK(sdt_snapshot_when(recorder, "snap:request", waiting) == -E2BIG);
    waiting[strlen("0 || 1 && ns == 1 + 1 * (") * 4] = '\0';
    strcat(waiting, "1))))");
    CHECK(sdt_snapshot_when(recorder, "snap:request", waiting) == 0);
    memset(many, 'n', sizeof many - 1);
    CHECK(sdt_snapshot_when(recorder, "snap:request", many) == -E2BIG);
    CHECK(sdt_snapshot_when(recorder, "no:such", "true") == -ENOENT);
    CHECK(sdt_snapshot_when(recorder, NULL, "true") == -EINVAL);
    CHECK(sdt_snapshot_when(recorder, "snap:request", NULL) == -EINVAL);
    CHECK(sdt_snapshot_when(NULL, "snap:request", "true") == -EINVAL);
}

int main(int argc, char **argv)
{
    const char *way = argc > 1 ? argv[1] : "";
    begin(strcmp(way, "discard") ? SDT_RECORD_FLIGHT : 0);
    if (!strcmp(way, "refused")) {
        refused();
    } else {
        CHECK(sdt_snapshot_when(recorder, "snap:request",
                                "ns > 1000000 && path == \"/slow\" || ns == 7") == 0);
        if (!strcmp(way, "child"))
            in_a_child();
        else if (!strcmp(way, "nobody"))
            without_writer();
        else
            slow_in_the_middle(argc > 2 ? atol(argv[2]) : 1000);
        if (strcmp(way, "nobody"))
            wait_for(1);
        CHECK(stats_now().snapshots == (strcmp(way, "nobody") != 0));
    }
    CHECK(sdt_record_destroy(recorder) == 0);
    puts("ok");
    return 0;
}
