/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Linked into another program, whose functions have an EVERYWHERE() each. By the variable
 * EVERYWHERE, before main(): its probes are counted ("count"), call a handler, by a jump or by a
 * breakpoint ("jump", "trap"), or are switched on and off all the time ("toggle"). At the end it
 * says on stderr how often they were hit, and for how many of them the two counts differ.
 */
#include "everywhere.h"

#include <pthread.h>
#include <sdt/runtime.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *way;
static struct counter *counters;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_t toggler;
static atomic_ulong handled, toggles;
static atomic_bool is_over;

void everywhere_count(struct counter *counter)
{
    pthread_mutex_lock(&lock);
    if (!counter->is_known) {
        counter->is_known = 1;
        counter->next = counters;
        counters = counter;
    }
    counter->count++;
    pthread_mutex_unlock(&lock);
}

/* It uses what functions may use: their arguments' registers, those of floats, the stack. */
static void handle(const struct sdt_event *event, void *data)
{
    uint64_t words[12];
    volatile double sum = 0;
    (void)data;
    for (unsigned i = sdt_args(event, words, 12); i > 0; i--)
        sum += (double)words[i - 1] * 1.5;
    memset(words, 0x5a, sizeof words);
    handled++;
}

static void *toggle(void *data)
{
    (void)data;
    for (; !is_over; toggles++) {
        int mode = toggles % 2 ? SDT_MODE_TRAP : SDT_MODE_AUTO;
        int id = sdt_enable_mode("everywhere:*", handle, NULL, mode);
        if (id < 0 || sdt_disable(id) < 0)
            abort();
    }
    return NULL;
}

/* Several places of one name are one probe. */
static unsigned long count_of(const char *name)
{
    unsigned long sum = 0;
    for (struct counter *counter = counters; counter; counter = counter->next)
        sum += strcmp(counter->name, name) ? 0 : counter->count;
    return sum;
}

static void report(void)
{
    unsigned long total = 0, wrong = 0;
    if (strcmp(way, "toggle") == 0) {
        is_over = true;
        pthread_join(toggler, NULL);
    }
    for (struct counter *counter = counters; counter; counter = counter->next) {
        char pattern[256];
        snprintf(pattern, sizeof pattern, "everywhere:%s", counter->name);
        total += counter->count;
        wrong += sdt_hits(pattern) != count_of(counter->name);
    }
    if (strcmp(way, "count") != 0)
        wrong = 0;
    if (strcmp(way, "jump") == 0 || strcmp(way, "trap") == 0)
        wrong = handled != total;
    fprintf(stderr, "%s: %s hits, %lu wrong%s\n", way, total > 10000 ? "many" : "few", wrong,
            toggles ? ", toggled" : "");
}

static __attribute__((constructor)) void begin(void)
{
    int mode = SDT_MODE_AUTO, id = 1;
    way = getenv("EVERYWHERE");
    if (!way)
        return;
    if (strcmp(way, "trap") == 0)
        mode = SDT_MODE_TRAP;
    if (strcmp(way, "toggle") == 0)
        pthread_create(&toggler, NULL, toggle, NULL);
    else
        id = sdt_enable_mode("everywhere:*", strcmp(way, "count") ? handle : SDT_COUNT, NULL,
                             mode | SDT_PENDING);
    if (id < 0)
        abort();
    atexit(report);
}
