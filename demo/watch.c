/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Three kinds of subscription:
 *   - SDT_COUNT on everything: the runtime counts by itself;
 *   - handlers on sqlite:read and sqlite:sync: a latency histogram each;
 *   - handlers that follow a query from begin to end, in the thread that executes it, and charge to
 *     it the pages that SQLite touches and reads in between.
 *
 * Handlers run in the threads that hit the probes, several at a time, in ordinary context: thread
 * variables, atomics, even malloc are fine.
 */
#include "watch.h"

#include "draw.h"
#include <sdt/runtime.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MAX_QUERIES = 8, MAX_PROBES = 32, SUBSCRIPTIONS = 6 };

struct query {
    _Atomic(const char *) sql;
    atomic_ulong executions, rows, pages, reads;
    struct histogram latency;
};

static struct query seen[MAX_QUERIES];
static struct histogram reads, syncs;
static int subscriptions[SUBSCRIPTIONS];

/* What the calling thread executes at the moment. */
static _Thread_local struct {
    uint64_t start;
    unsigned long pages, reads;
} current;

static uint64_t now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* The entry of SQL; the texts are constants of the program, so the pointer identifies them. */
static struct query *query_of(const char *sql)
{
    for (int i = 0; i < MAX_QUERIES; i++) {
        const char *expected = NULL;
        if (atomic_load(&seen[i].sql) == sql ||
            atomic_compare_exchange_strong(&seen[i].sql, &expected, sql) || expected == sql)
            return &seen[i];
    }
    return NULL;
}

static void on_read(const struct sdt_event *event, void *data)
{
    (void)data;
    current.reads++;
    histogram_add(&reads, sdt_arg(event, 3));
}

static void on_sync(const struct sdt_event *event, void *data)
{
    (void)data;
    histogram_add(&syncs, sdt_arg(event, 1));
}

static void on_page(const struct sdt_event *event, void *data)
{
    (void)event;
    (void)data;
    current.pages++;
}

static void on_query_begin(const struct sdt_event *event, void *data)
{
    (void)event;
    (void)data;
    current.start = now();
    current.pages = current.reads = 0;
}

static void on_query_end(const struct sdt_event *event, void *data)
{
    (void)data;
    struct query *query = query_of((const char *)(uintptr_t)sdt_arg(event, 0));
    if (!query || !current.start) /* enabled in the middle of this query */
        return;
    histogram_add(&query->latency, now() - current.start);
    atomic_fetch_add(&query->executions, 1);
    atomic_fetch_add(&query->rows, sdt_arg(event, 1));
    atomic_fetch_add(&query->pages, current.pages);
    atomic_fetch_add(&query->reads, current.reads);
    current.start = 0;
}

void watch_start(void)
{
    static const struct {
        const char *pattern;
        sdt_handler *handler;
    } wanted[SUBSCRIPTIONS] = {
        {WATCHED, SDT_COUNT},
        {"sqlite:read", on_read},
        {"sqlite:sync", on_sync},
        {"sqlite:page", on_page},
        {"orders:query__begin", on_query_begin},
        {"orders:query__end", on_query_end},
    };
    for (int i = 0; i < SUBSCRIPTIONS; i++) {
        subscriptions[i] = sdt_enable(wanted[i].pattern, wanted[i].handler, NULL);
        if (subscriptions[i] < 0) {
            fprintf(stderr, "orders: sdt_enable(\"%s\"): %s\n", wanted[i].pattern,
                    sdt_strerror(subscriptions[i]));
            exit(1);
        }
    }
}

void watch_stop(void)
{
    for (int i = SUBSCRIPTIONS; i-- > 0;) {
        int status = sdt_disable(subscriptions[i]);
        if (status < 0) {
            fprintf(stderr, "orders: sdt_disable: %s\n", sdt_strerror(status));
            exit(1);
        }
    }
}

uint64_t watch_hits(void)
{
    return sdt_hits(WATCHED);
}

/* The names of the watched probes, each once, in order of their sites. */
struct names {
    char text[MAX_PROBES][64];
    int count;
};

static int collect_name(const struct sdt_probe_info *site, void *data)
{
    struct names *names = data;
    char name[sizeof names->text[0]];
    snprintf(name, sizeof name, "%s:%s", site->provider, site->name);
    for (int i = 0; i < names->count; i++)
        if (strcmp(names->text[i], name) == 0)
            return 0;
    memcpy(names->text[names->count++], name, sizeof name);
    return names->count == MAX_PROBES;
}

static void print_counts(void)
{
    struct names names = {.count = 0};
    sdt_foreach(WATCHED, collect_name, &names);
    for (int i = 0; i < names.count; i++)
        printf("  %-24s %9lu hits\n", names.text[i], (unsigned long)sdt_hits(names.text[i]));
}

static void print_query(const struct query *query, double n)
{
    printf("\n  %s\n", query->sql);
    printf("  %7.0f runs %7.1f rows %7.1f pages %7.1f reads   median %s, 99 %% %s\n", n,
           (double)query->rows / n, (double)query->pages / n, (double)query->reads / n,
           draw_time(histogram_quantile(&query->latency, 0.5)),
           draw_time(histogram_quantile(&query->latency, 0.99)));
}

static void print_queries(void)
{
    unsigned long all_reads = 0;
    const struct query *worst = &seen[0];
    for (int i = 0; i < MAX_QUERIES && atomic_load(&seen[i].sql); i++) {
        double n = (double)seen[i].executions;
        if (n > 0)
            print_query(&seen[i], n);
        all_reads += seen[i].reads;
        if (seen[i].reads > worst->reads)
            worst = &seen[i];
    }
    if (all_reads)
        printf("\n  %lu %% of these reads are for one query:\n  %s\n",
               100 * worst->reads / all_reads, worst->sql);
}

void watch_report(void)
{
    print_counts();
    print_queries();
    draw_histogram("sqlite:read, time a read", &reads);
    draw_histogram("sqlite:sync, time an fsync", &syncs);
}
