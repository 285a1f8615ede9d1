/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * live THREADS RUNS WHAT: what a live aggregation costs at a hit of an inline site with three
 * arguments, an integer that takes 64 values, a size, and a string of 16 bytes. WHAT: off; empty (a
 * handler that does nothing and keeps vector registers alone: what the others are compared with);
 * false (a predicate that never holds); real (another, which multiplies doubles); count; key (count
 * by an integer); hist; text (count by a string); lat (a latency of two probes, of which this is
 * each); slow (the same, and the five slowest are kept with their three arguments); few (a
 * histogram of the 64 values); exemplars (the same, with exemplars); chosen
 * (a recorder with the predicate of false).
 *
 * A tool sends programs through a page that is not there yet, so this is linked with the runtime's
 * own objects and makes them by hand. With LIVE_PLAYS_RSEQ set it plays that the kernel has
 * rseq(2), for valgrind, which does not: there is then one CPU, and nothing is ever restarted.
 */
#define _GNU_SOURCE
#include "loop.h"

#include <ftw.h>

#include <bytecode/hit.h>
#include <bytecode/specialize.h>
#include <hit/counters.h>
#include <recorder/recorder.h>
#include <ring/conditional.h>
#include <sdt/probe.h>
#include <sdt/runtime.h>
#include <string.h>
#include <sys/mman.h>

static const char text[] = "0123456789abcdef";

LOOP(loop_probe, SDT_PROBE(live, site, (int)(i & 63), i, text))

SDT_GENERAL_REGS_HANDLER(empty)
{
    (void)event;
    (void)data;
}

enum { NO = LIVE_NO_REGISTER, FIRST = LIVE_REGISTERS }; /* number of the pool */

static const struct program {
    const char *what;
    uint8_t action, value, key;
    uint8_t value_type, key_type;
    struct live_step step[5];
    unsigned steps;
    uint64_t number; /* 0: one that nothing is larger than */
} programs[] = {
    {"false",
     LIVE_COUNT,
     NO,
     NO,
     LIVE_NONE,
     LIVE_NONE,
     {{LIVE_ARGUMENT, 0, 1, LIVE_SIGNED, 0, 0, 0},
      {LIVE_MORE, 1, 0, FIRST, 0, 0, 0},
      {LIVE_UNLESS, 0, 1, 0, 0, 0, 0}},
     3,
     0},
    {"real", /* its square, as a double, is less than -2.5 */
     LIVE_COUNT,
     NO,
     NO,
     LIVE_NONE,
     LIVE_NONE,
     {{LIVE_ARGUMENT, 0, 1, LIVE_SIGNED, 0, 0, 0},
      {LIVE_TO_REAL, 0, 0, 0, 0, 0, 0},
      {LIVE_MULTIPLY, 0, 0, 0, 0, 0, 0},
      {LIVE_LESS, 1, 0, FIRST, 0, 0, 0},
      {LIVE_UNLESS, 0, 1, 0, 0, 0, 0}},
     5,
     UINT64_C(0xc004000000000000)},
    {"count", LIVE_COUNT, NO, NO, LIVE_NONE, LIVE_NONE, {{0}}, 0, 0},
    {"key",
     LIVE_COUNT,
     NO,
     0,
     LIVE_NONE,
     LIVE_SIGNED,
     {{LIVE_ARGUMENT, 0, 0, LIVE_SIGNED, 0, 0, 0}},
     1,
     0},
    {"hist",
     LIVE_HIST,
     0,
     NO,
     LIVE_SIGNED,
     LIVE_NONE,
     {{LIVE_ARGUMENT, 0, 1, LIVE_SIGNED, 0, 0, 0}},
     1,
     0},
    {"few",
     LIVE_HIST,
     0,
     NO,
     LIVE_SIGNED,
     LIVE_NONE,
     {{LIVE_ARGUMENT, 0, 0, LIVE_SIGNED, 0, 0, 0}},
     1,
     0},
    {"text",
     LIVE_COUNT,
     NO,
     1,
     LIVE_NONE,
     LIVE_STRING,
     {{LIVE_ARGUMENT, 0, 2, LIVE_UNSIGNED, 0, 0, 0}, {LIVE_LOAD, 1, 0, 0, 0, 0, 0}},
     2,
     0},
    {"start",
     LIVE_START,
     0,
     NO,
     LIVE_UNSIGNED,
     LIVE_NONE,
     {{LIVE_FACT, 0, LIVE_TID, 0, 0, 0, 0}},
     1,
     0},
    {"stop",
     LIVE_STOP,
     0,
     NO,
     LIVE_UNSIGNED,
     LIVE_NONE,
     {{LIVE_FACT, 0, LIVE_TID, 0, 0, 0, 0}},
     1,
     0},
};

static const struct program *find(const char *what)
{
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++)
        if (strcmp(programs[i].what, what) == 0)
            return &programs[i];
    return NULL;
}

static bool is_kept; /* the slowest are */
static bool has_exemplars;

static size_t assemble(const struct program *program, void *to)
{
    struct live_program *made = to;
    const uint64_t number = program->number ? program->number : UINT64_C(1) << 62;
    size_t steps = program->steps * sizeof(struct live_step);
    *made = (struct live_program){.magic = LIVE_PROGRAM_MAGIC,
                                  .abi = LIVE_PROGRAM_ABI,
                                  .steps = (uint8_t)program->steps,
                                  .numbers = 1,
                                  .action = program->action,
                                  .value = program->value,
                                  .key = {program->key, NO},
                                  .kept = is_kept || has_exemplars
                                              ? LIVE_KEEP_WORD | LIVE_KEEP_WORD << 4 |
                                                    LIVE_KEEP_TEXT << 8
                                              : 0};
    made->size = (uint16_t)(sizeof *made + steps + sizeof number);
    memcpy(made->step, program->step, steps);
    memcpy((char *)made->step + steps, &number, sizeof number);
    return made->size;
}

static struct live_layout layout;
static void *table;

static void make_table(const struct program *program)
{
    struct live_table_spec spec = {.value = program->value_type, .key = {program->key_type}};
    spec.keys = spec.key[0] ? 1024 : 0;
    spec.key_text = spec.key[0] == LIVE_STRING ? 64 : 0;
    spec.flights = program->action >= LIVE_START ? 1024 : 0;
    spec.outliers = is_kept ? 5 + LIVE_SPARE : 0;
    spec.exemplars = has_exemplars ? 64 : 0;
    spec.period = has_exemplars ? 10 : 0;
    spec.takes_bare = has_exemplars; /* threads of ours have no context */
    if (!live_table_plan(&layout, &spec, live_cpus()))
        exit(1);
    table = mmap(NULL, layout.size, PROT_READ | PROT_WRITE,
                 MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (table == MAP_FAILED)
        exit(1);
    live_table_make(table, &layout);
}

static char directory[] = "/tmp/sdtlink-bench-XXXXXX"; /* of a recording that stays empty */

static int remove_one(const char *path, const struct stat *status, int type, struct FTW *where)
{
    (void)status;
    (void)type;
    (void)where;
    return remove(path);
}

static void remove_recording(void)
{
    nftw(directory, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

/* What `sdt trace` and `sdt record` have a process do. */
static int record_chosen(void)
{
    static struct conditional chosen;
    struct sdt_recorder *recorder;
    struct live_aggregation *condition;
    uint64_t bytes[LIVE_MAX_PROGRAM / 8];
    size_t n = assemble(find("false"), bytes);
    if (!mkdtemp(directory) || atexit(remove_recording) != 0 ||
        sdt_record_create(directory, NULL, &recorder) != 0 ||
        live_aggregation_make(&condition, bytes, n, NULL, NULL))
        return -1;
    conditional_make(&chosen, recorder_data(recorder), false);
    live_decide(&chosen, condition);
    return sdt_enable_mode("live:site", conditional_hit, &chosen, SDT_MODE_JUMP | SDT_GENERAL_REGS);
}

static int enable(const char *what)
{
    has_exemplars = strcmp(what, "exemplars") == 0;
    what = has_exemplars ? "few" : what;
    if (strcmp(what, "chosen") == 0)
        return record_chosen();
    uint64_t bytes[LIVE_MAX_PROGRAM / 8];
    const int mode = SDT_MODE_JUMP | SDT_GENERAL_REGS;
    struct live_aggregation *aggregation;
    bool is_latency = strcmp(what, "lat") == 0 || strcmp(what, "slow") == 0;
    is_kept = is_kept || strcmp(what, "slow") == 0;
    const struct program *program = find(is_latency ? "start" : what);
    if (!program)
        return sdt_enable_mode("live:site", empty, NULL, mode);
    if (!table)
        make_table(program);
    size_t n = assemble(program, bytes);
    const char *problem = live_aggregation_make(&aggregation, bytes, n, table, &layout);
    if (problem) {
        fprintf(stderr, "%s\n", problem);
        exit(1);
    }
    int id = sdt_enable_mode("live:site", live_hit, aggregation, mode);
    return id > 0 && is_latency ? enable("stop") : id;
}

/* Whether the table has what must be there. */
static int has_counted(const char *what, uint64_t hits)
{
    struct live_view view;
    struct live_sums sums = {0};
    struct live_key key;
    if (!live_table_open(&view, table, layout.size))
        return 0;
    for (uint32_t row = 0; row < live_rows(&layout); row++)
        if (live_row_key(&view, row, &key))
            live_row_add(&view, row, &sums);
    uint64_t expected = strcmp(what, "false") == 0 || strcmp(what, "real") == 0 ? 0 : hits;
    if (sums.count != expected)
        fprintf(stderr, "%lu of %lu hits\n", (unsigned long)sums.count, (unsigned long)expected);
    return sums.count == expected;
}

static void play_rseq(void)
{
    static __thread uint64_t area[8] __attribute__((tls_model("initial-exec"), aligned(32)));
    counters_start();
    counters_area = (char *)area - (char *)__builtin_thread_pointer();
    counters_cpus = 1;
}

int main(int argc, char **argv)
{
    if (argc != 4)
        return 2;
    if (getenv("LIVE_PLAYS_RSEQ"))
        play_rseq();
    int threads = atoi(argv[1]);
    long runs = atol(argv[2]);
    int id = strcmp(argv[3], "off") == 0 ? 0 : enable(argv[3]);
    if (id < 0) {
        fprintf(stderr, "sdt_enable: %s\n", sdt_strerror(id));
        return 1;
    }
    loop_report("hit", loop_probe, threads, runs);
    loop_report("loop", loop_empty, threads, runs);
    return table && !has_counted(argv[3], (uint64_t)LOOP_HITS(threads, runs));
}
