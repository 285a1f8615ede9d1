/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The slowest of a latency: what is kept of their arguments, and that they are the slowest, with
 * threads that all add to the same places; impossible places; how they are printed.
 */
#include "check.h"
#include "live.h"

#include <compile/compile.h>
#include <exchange/layout.h>
#include <measure/outliers.h>
#include <pthread.h>
#include <sdt/runtime.h>
#include <stdio.h>
#include <unistd.h>

static const struct describe_label labels[] = {{3, "three"}};
static const struct compile_argument arguments[] = {
    {"id", "int64", labels, 1, NULL, false},       {"path", "string", NULL, 0, NULL, false},
    {"view", "string_view", NULL, 0, NULL, false}, {"sizes", "int16[]", NULL, 0, NULL, false},
    {"n", "length", NULL, 0, NULL, false},         {"bytes", "bytes", NULL, 0, NULL, false},
};
/* hit() passes six: the length of the bytes is not there, so they are not kept. */
enum { ARGUMENTS = sizeof arguments / sizeof *arguments, WANTED = 5 };

struct pair {
    struct table table;
    struct live_aggregation *begin, *end;
    uint64_t kept;
};

static struct live_aggregation *make(struct table *table, enum live_action action, uint16_t label,
                                     uint64_t *kept)
{
    const struct compile_request request = {.action = action,
                                            .value = "id",
                                            .arguments = arguments,
                                            .argument_count = ARGUMENTS,
                                            .keeps = true,
                                            .label = label};
    struct compiled compiled;
    struct live_aggregation *made = NULL;
    CHECK(compile_or_report(&request, &compiled) == 0);
    *kept = compiled_program(&compiled)->kept;
    if (!table->memory) {
        struct live_table_spec spec = compile_table_spec(&compiled);
        spec.outliers = WANTED + LIVE_SPARE;
        *table = table_new(spec, UINT32_MAX);
    }
    CHECK(!live_aggregation_make(&made, compiled.words, compiled_program(&compiled)->size,
                                 table->memory, &table->layout));
    return made;
}

static struct pair pair_new(void)
{
    struct pair pair = {.begin = NULL};
    pair.begin = make(&pair.table, LIVE_START, 0, &pair.kept);
    pair.end = make(&pair.table, LIVE_STOP, 1, &pair.kept);
    return pair;
}

static void pair_free(struct pair *pair)
{
    live_aggregation_free(pair->begin);
    live_aggregation_free(pair->end);
    table_free(&pair->table);
}

static void hit_with(struct live_aggregation *aggregation, uint64_t id, const void *path,
                     const struct sdt_text *view, const int16_t *sizes, uint64_t n)
{
    hit(aggregation,
        (const uint64_t[6]){id, (uintptr_t)path, (uintptr_t)view, (uintptr_t)sizes, n, 0}, 6);
}

/* ---- What is kept. ---- */

static const char *line_of(struct bytes *bytes)
{
    bytes_append(bytes, "", 1);
    return (const char *)bytes->data;
}

static void check_arguments(void)
{
    struct pair pair = pair_new();
    char path[80] = "a\"path", end[] = "the end";
    const int16_t sizes[40] = {1, -2, 3};
    const struct sdt_text view = {"a view that is longer", 6}, none = {NULL, 0};
    hit_with(pair.begin, 3, path, &view, sizes, 3);
    memset(path, 'x', sizeof path - 1); /* what it was when it began is shown */
    hit_with(pair.end, 3, end, &none, NULL, 9);
    hit_with(pair.begin, 4, path, NULL, sizes, 40);
    hit_with(pair.end, 4, NULL, (void *)70000, (void *)70000, 2);
    struct outliers outliers = outliers_read(&pair.table.view, WANTED);
    struct bytes text = {0}, json = {0};
    const struct site_arguments *known = site_arguments_read(
        "id:int64;3=three path:string view:string_view sizes:int16[] n:length bytes:bytes");
    struct outlier_probe probes[2] = {{"web", "request__begin", known, pair.kept, 0},
                                      {"web", "end", known, pair.kept, 1}};
    CHECK(outliers.count == 2);
    outliers.probes = probes;
    outliers.probe_count = 2;
    outliers_text(&text, &outliers);
    outliers_json(&json, &outliers);
    const char *line = line_of(&text);
    CHECK(strstr(line, "    web:request-begin  id=three path=\"a\\\"path\" view=\"a view\" "
                       "sizes=[1, -2, 3]\n"
                       "    web:end  id=three path=\"the end\" view=\"\" sizes=[]\n"));
    CHECK(strstr(line, "  id=4 path=\"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
                       "xxxx…\" view=\"<fault>\" sizes=[1, -2, 3, 0, 0"));
    CHECK(strstr(line, "    web:end  id=4 path=\"<null>\" view=\"<fault>\" sizes=[]\n"));
    line = line_of(&json);
    CHECK(
        strstr(line, "\"begin\": {\"provider\": \"web\", \"name\": \"request__begin\", \"tid\": "));
    CHECK(strstr(line,
                 "\"args\": {\"id\": \"three\", \"path\": \"a\\\"path\", \"view\": \"a view\", "
                 "\"sizes\": [1, -2, 3]}}, \"end\": "));
    bytes_free(&text);
    bytes_free(&json);
    free(outliers.list);
    site_arguments_free((struct site_arguments *)(uintptr_t)known);
    pair_free(&pair);
}

/* ---- That they are the slowest. ---- */

enum { THREADS = 6, PAIRS = 3000 };

static void *add(void *data)
{
    static _Atomic uint64_t next;
    const struct pair *pair = data;
    for (unsigned i = 0; i < PAIRS; i++) {
        uint64_t id = atomic_fetch_add(&next, 1);
        hit_with(pair->begin, id, "", NULL, NULL, 0);
        for (volatile unsigned wait = (unsigned)(id * 7919 % 1000); wait > 0;)
            wait--;
        hit_with(pair->end, id, "", NULL, NULL, 0);
    }
    return NULL;
}

/* Pairs that took more than those of the same bucket as NS. */
static uint64_t slower_than(const struct live_sums *sums, uint64_t ns)
{
    uint64_t count = 0;
    for (uint32_t i = live_bucket(ns) + 1; i < LIVE_BUCKETS; i++)
        count += sums->buckets[i];
    return count;
}

/* By the table's histogram, which has all PAIRS, and by their arguments. */
static void check_slowest(const struct pair *pair, uint64_t pairs)
{
    uint64_t buckets[LIVE_BUCKETS] = {0};
    struct live_sums sums = {.buckets = buckets};
    struct outliers outliers = outliers_read(&pair->table.view, WANTED);
    live_row_add(&pair->table.view, 0, &sums);
    CHECK(sums.count == pairs && outliers.count == WANTED);
    CHECK(outliers.list[0].ns == sums.max);
    for (unsigned i = 0; i < outliers.count; i++) {
        const struct live_outlier *one = &outliers.list[i];
        unsigned slower = 0;
        for (unsigned k = 0; k < i; k++)
            slower += live_bucket(outliers.list[k].ns) > live_bucket(one->ns);
        CHECK(slower_than(&sums, one->ns) == slower);
        CHECK(one->side[0].word[0] == one->side[1].word[0] && one->side[0].label == 0 &&
              one->side[1].label == 1 && one->side[0].tid == one->side[1].tid);
    }
    CHECK(table_header(&pair->table)->unkept == 0);
    free(outliers.list);
}

static void check_threads(void)
{
    struct pair pair = pair_new();
    pthread_t threads[THREADS];
    for (unsigned i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, add, &pair);
    for (unsigned i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    check_slowest(&pair, (uint64_t)THREADS * PAIRS);
    pair_free(&pair);
}

/* Each a little slower than the one before, and more than there are places. */
static void check_slower_and_slower(void)
{
    enum { STEPS = 60 };
    struct pair pair = pair_new();
    for (unsigned i = 0; i < STEPS; i++) {
        hit_with(pair.begin, i, "", NULL, NULL, 0);
        usleep(2000 + 30 * i);
        hit_with(pair.end, i, "", NULL, NULL, 0);
    }
    check_slowest(&pair, STEPS);
    pair_free(&pair);
}

/* ---- Impossible places; a table that another process has written to. ---- */

static struct live_outlier *places_of(struct table *table)
{
    return (void *)((char *)table->memory + table->layout.outliers);
}

static void check_killed(void)
{
    struct pair pair = pair_new();
    struct live_outlier *places = places_of(&pair.table);
    uint32_t count = pair.table.layout.spec.outliers;
    for (uint32_t i = 1; i < count; i++) /* BUSY, for ever */
        atomic_store(&places[i].tag, LIVE_BUSY);
    for (uint64_t id = 0; id < 3; id++) {
        hit_with(pair.begin, id, "", NULL, NULL, 0);
        hit_with(pair.end, id, "", NULL, NULL, 0);
    }
    struct outliers outliers = outliers_read(&pair.table.view, WANTED);
    CHECK(outliers.count == 1 && table_header(&pair.table)->unkept == 0);
    free(outliers.list);
    atomic_store(&places[0].tag, LIVE_BUSY);
    hit_with(pair.begin, 9, "", NULL, NULL, 0);
    hit_with(pair.end, 9, "", NULL, NULL, 0);
    CHECK(table_header(&pair.table)->unkept == 1);
    pair_free(&pair);
}

static void check_hostile(void)
{
    struct pair pair = pair_new();
    struct outliers outliers;
    struct bytes text = {0};
    memset(places_of(&pair.table), 0xfe, /* READY */
           pair.table.layout.spec.outliers * sizeof(struct live_outlier));
    hit_with(pair.begin, 1, "", NULL, NULL, 0);
    hit_with(pair.end, 1, "", NULL, NULL, 0);
    outliers = outliers_read(&pair.table.view, WANTED);
    CHECK(outliers.count == WANTED);
    outliers_text(&text, &outliers); /* of unknown programs */
    outliers_json(&text, &outliers);
    CHECK(strstr(line_of(&text), "?:?"));
    bytes_free(&text);
    free(outliers.list);
    pair_free(&pair);
}

int main(void)
{
    check_arguments();
    check_threads();
    check_slower_and_slower();
    check_killed();
    check_hostile();
    return check_failures != 0;
}
