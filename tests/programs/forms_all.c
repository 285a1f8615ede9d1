/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Every form of a site (asm/forms_all.S, processed), armed in every mode: which mode it gets, what
 * a handler sees, what the program computes. With the name of a library as argument the functions
 * are taken from there.
 *
 * `threads`: the same under eight threads that run all forms while they are armed and disarmed, and
 * counts that are exact in between.
 */
#include "runtime_fixture.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>

typedef long form(word a, word b, word c, word d, word e, word f, word g, word h);

static const struct row {
    const char *name; /* of the probe and its kind, and of its function after fm_ */
} rows[] = {{"call"}, {"call6"}, {"tail"}, {"tail6"}, {"jcc"}};
enum { ROWS = sizeof rows / sizeof rows[0] };
static form *fires[ROWS], *asks[ROWS];

extern form fm_call, fm_call6, fm_tail, fm_tail6, fm_jcc;
extern form fm_enabled, fm_enabled6, fm_enabled_tail, fm_enabled_tail6, fm_enabled_jcc;

static void find_forms(const char *library)
{
#ifdef FM_LIBRARY
    static const char *const questions[] = {"fm_enabled", "fm_enabled6", "fm_enabled_tail",
                                            "fm_enabled_tail6", "fm_enabled_jcc"};
    void *handle = dlopen(library, RTLD_NOW);
    if (!handle)
        fprintf(stderr, "%s\n", dlerror());
    for (int i = 0; handle && i < ROWS; i++) {
        char name[32];
        snprintf(name, sizeof name, "fm_%s", rows[i].name);
        *(void **)&fires[i] = dlsym(handle, name);
        *(void **)&asks[i] = dlsym(handle, questions[i]);
    }
#else
    form *const f[] = {fm_call, fm_call6, fm_tail, fm_tail6, fm_jcc};
    form *const a[] = {fm_enabled, fm_enabled6, fm_enabled_tail, fm_enabled_tail6, fm_enabled_jcc};
    (void)library;
    memcpy(fires, f, sizeof f);
    memcpy(asks, a, sizeof a);
#endif
}

/* ---- one thread ---- */

static char pattern[32];
static int hits;

static void on_hit(const struct sdt_event *event, void *data)
{
    const struct row *row = data;
    hits++;
    CHECK(strcmp(sdt_name(event), row->name) == 0 && strcmp(sdt_provider(event), "forms") == 0);
    CHECK_EQUAL(sdt_nargs(event), 6);
    for (unsigned i = 0; i < 6; i++)
        CHECK_EQUAL(sdt_arg(event, i), 10 + i);
    char function[32];
    snprintf(function, sizeof function, "fm_%s", row->name);
    CHECK(strcmp(sdt_function(event), function) == 0);
}

static long call(form *function, word first)
{
    return function(first, 11, 12, 13, 14, 15, 16, 17);
}

/* The answers of a question that is off and on; a jcc may not get as far as asking. */
static void check_answers(int i, int expected)
{
    CHECK_EQUAL((int)call(asks[i], 10), expected);
    if (strcmp(rows[i].name, "jcc") == 0) {
        CHECK_EQUAL(call(asks[i], 1), 42);
        CHECK_EQUAL(call(fires[i], 1), 42);
    }
}

struct seen {
    int mode, error, sites;
};

static int visit(const struct sdt_probe_info *info, void *data)
{
    struct seen *seen = data;
    if (!info->nargs) /* a question: it serves every mode */
        return 0;
    *seen = (struct seen){info->mode, info->error, seen->sites + 1};
    return 0;
}

static void check_mode(int i, int mode, int expected)
{
    struct seen seen = {0};
    int id = sdt_enable_mode(pattern, on_hit, (void *)(uintptr_t)&rows[i], mode);
    CHECK(id > 0);
    sdt_foreach(pattern, visit, &seen);
    CHECK_EQUAL(seen.sites, 1);
    CHECK_EQUAL(seen.mode, expected);
    CHECK_EQUAL(seen.error, 0);
    hits = 0;
    for (int n = 0; n < 3; n++)
        call(fires[i], 10);
    CHECK_EQUAL(hits, 3);
    check_answers(i, 1);
    CHECK_EQUAL(hits, 3);
    CHECK_EQUAL(sdt_disable(id), 0);
    call(fires[i], 10);
    CHECK_EQUAL(hits, 3);
    check_answers(i, 0);
}

static void check_modes(void)
{
    for (int i = 0; i < ROWS; i++) {
        snprintf(pattern, sizeof pattern, "forms:%s", rows[i].name);
        check_answers(i, 0);
        check_mode(i, SDT_MODE_AUTO, SDT_MODE_JUMP);
        check_mode(i, SDT_MODE_TRAP, SDT_MODE_TRAP);
        check_mode(i, SDT_MODE_JUMP, SDT_MODE_JUMP);
        check_mode(i, SDT_MODE_AUTO, SDT_MODE_JUMP);
    }
}

/* ---- eight threads ---- */

enum { THREADS = 8, RUNS = 2000, ROUNDS = 40 };
static atomic_int stop;
static atomic_long wrong;

static void run_all(void)
{
    for (int i = 0; i < ROWS; i++) {
        call(fires[i], 10);
        long answer = (int)call(asks[i], 10);
        atomic_fetch_add(&wrong, answer != 0 && answer != 1);
        if (strcmp(rows[i].name, "jcc") == 0)
            atomic_fetch_add(&wrong, call(fires[i], 1) != 42 || call(asks[i], 1) != 42);
    }
}

static void *run_counted(void *data)
{
    for (int i = 0; i < RUNS; i++)
        run_all();
    return data;
}

static void *run_on(void *data)
{
    while (!atomic_load(&stop))
        run_all();
    return data;
}

static void with_threads(void *(*body)(void *), void (*meanwhile)(void))
{
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, body, NULL);
    if (meanwhile)
        meanwhile();
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
}

static void count(const struct sdt_event *event, void *data)
{
    atomic_fetch_add(&wrong, sdt_arg(event, 0) != 10 || sdt_arg(event, 5) != 15);
    atomic_fetch_add((atomic_long *)data, 1);
}

static void toggle(void)
{
    static const int modes[] = {SDT_MODE_AUTO, SDT_MODE_TRAP};
    for (int round = 0; round < ROUNDS; round++) {
        atomic_long handled = 0;
        int id = sdt_enable_mode("forms", count, &handled, modes[round % 2]);
        CHECK(id > 0);
        while (round % 4 && atomic_load(&handled) == 0)
            sched_yield();
        CHECK_EQUAL(sdt_disable(id), 0);
    }
    atomic_store(&stop, 1);
}

static void check_threads(void)
{
    static const int modes[] = {SDT_MODE_AUTO, SDT_MODE_TRAP};
    for (int m = 0; m < 2; m++) {
        atomic_long handled = 0;
        int id = sdt_enable_mode("forms", count, &handled, modes[m]);
        with_threads(run_counted, NULL);
        CHECK_EQUAL(atomic_load(&handled), (long)THREADS * RUNS * ROWS);
        CHECK_EQUAL(sdt_disable(id), 0);
    }
    with_threads(run_on, toggle);
    CHECK_EQUAL(atomic_load(&wrong), 0);
}

int main(int argc, char **argv)
{
    find_forms(argc > 2 ? argv[2] : NULL);
    if (argc > 1 && strcmp(argv[1], "threads") == 0)
        check_threads();
    else if (argc > 1 && strcmp(argv[1], "once") == 0)
        run_all();
    else
        check_modes();
    return fixture_done();
}
