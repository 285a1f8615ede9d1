/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The demo's stage manager: a database program at work, traced while it runs.
 *
 *   orders DATABASE [ORDERS [RECORDING]]
 *   orders DATABASE serve
 *
 * Four acts under the same load of two threads: probes disabled, enabled, disabled again,
 * and a flight recorder keeps the last moments. After each the program says how fast it was
 * and in how many bytes its code differs from its file; it fails if that, or a count, is not what
 * it must be.
 *
 * A server does nothing about probes: it is traced from outside. Each line
 * of its input is answered by how fast it has been since the line before, by its processor time, as
 * the machine may do other things as well.
 */
#include "draw.h"
#include "shims.h"
#include "shop.h"
#include "textcheck.h"
#include "watch.h"
#include <pthread.h>
#include <sdt/record.h>
#include <sdt/runtime.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { WORKERS = 2 };

static void expect(bool condition, const char *what)
{
    if (condition)
        return;
    fflush(stdout);
    fprintf(stderr, "orders: this should not happen: %s\n", what);
    exit(1);
}

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* Let the load run for a while and say how fast it was. */
static void act(struct shop_load *load, double length)
{
    double start = seconds();
    unsigned long before = load->executed;
    struct timespec pause = {(time_t)length, (long)((length - (double)(time_t)length) * 1e9)};
    while (nanosleep(&pause, &pause) != 0)
        ;
    double passed = seconds() - start;
    unsigned long done = load->executed - before;
    expect(done > 0, "no query was executed");
    printf("  %.0f queries a second\n", (double)done / passed);
}

/* Sites whose code is changed right now, by the runtime's own account. */
static int count_armed(const struct sdt_probe_info *site, void *armed)
{
    *(long *)armed += site->mode == SDT_MODE_TRAP || site->mode == SDT_MODE_JUMP;
    return 0;
}

/* The sites that are armed. */
static long say_text(long *bytes)
{
    long sites = 0;
    *bytes = textcheck_differences();
    sdt_foreach(WATCHED, count_armed, &sites);
    printf("  %ld sites armed; the code differs from the file in %ld bytes\n", sites, *bytes);
    return sites;
}

static void check_text(bool armed)
{
    long bytes, sites = say_text(&bytes);
    expect(bytes == sites, "one byte a site");
    expect(armed == (sites > 0), "sites are armed exactly while the probes are enabled");
}

/* The newest events are kept, the oldest overwritten; files are written at the end. */
static void record(struct shop_load *load, const char *directory)
{
    struct sdt_record_options options = {.size = sizeof options, .flags = SDT_RECORD_FLIGHT};
    struct sdt_recorder *recorder;
    int error = sdt_record_create(directory, &options, &recorder);
    if (error == 0)
        error = sdt_record_add(recorder, WATCHED);
    expect(error == 0, strerror(-error));
    act(load, 1);
    expect(sdt_record_destroy(recorder) == 0, "the recording is not complete");
}

static void perform(struct shop_load *load, const char *recording)
{
    draw_heading("Act 1: all probes disabled");
    act(load, 1.5);
    check_text(false);
    expect(watch_hits() == 0, "nothing is counted while the probes are disabled");

    draw_heading("Act 2: sdt_enable, from inside, under load");
    double start = seconds();
    watch_start();
    printf("  enabled in %.1f ms\n", (seconds() - start) * 1e3);
    act(load, 3);
    printf("  %lu hits so far\n", (unsigned long)watch_hits());
    check_text(true);
    start = seconds();
    watch_stop();
    printf("  disabled in %.1f ms\n\n", (seconds() - start) * 1e3);
    uint64_t hits = watch_hits();
    expect(hits > 0, "the probes were hit");
    watch_report();

    draw_heading("Act 3: disabled again");
    act(load, 1.5);
    check_text(false);
    printf("  hits counted since sdt_disable: %lu\n", (unsigned long)(watch_hits() - hits));
    expect(watch_hits() == hits, "the counts stand still");

    draw_heading("Act 4: a flight recorder, under load");
    record(load, recording);
    check_text(false);
}

static void create(const char *path, int orders)
{
    double start = seconds();
    shop_create(path, orders);
    printf("  %d orders imported in %.1f s\n", orders, seconds() - start);
}

/* Until the end of its input. A tool may still be attached then. */
static void serve(struct shop_load *load)
{
    long bytes;
    clock_t start = clock();
    unsigned long before = load->executed;
    for (int c; (c = getchar()) != EOF;) {
        if (c != '\n')
            continue;
        clock_t now = clock();
        unsigned long executed = load->executed;
        printf("%.0f queries a second of processor time\n",
               (double)(executed - before) * CLOCKS_PER_SEC / (double)(now - start));
        start = now;
        before = executed;
    }
    say_text(&bytes);
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        fprintf(stderr, "usage: orders DATABASE [ORDERS [RECORDING] | serve]\n");
        return 2;
    }
    struct shop_load load = {.path = argv[1]};
    bool is_server = argc == 3 && strcmp(argv[2], "serve") == 0;
    pthread_t workers[WORKERS];

    setvbuf(stdout, NULL, _IOLBF, 0);
    shims_install();
    if (!is_server)
        create(load.path, argc > 2 ? atoi(argv[2]) : 200000);
    for (int i = 0; i < WORKERS; i++)
        expect(pthread_create(&workers[i], NULL, shop_worker, &load) == 0, "no thread");
    if (is_server)
        serve(&load);
    else
        perform(&load, argc > 3 ? argv[3] : "recording");
    atomic_store(&load.stop, true);
    for (int i = 0; i < WORKERS; i++)
        pthread_join(workers[i], NULL);
    expect(shop_is_sound(load.path), "SQLite finds the database damaged");
    printf("  the database is sound\n");
    return 0;
}
