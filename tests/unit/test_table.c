/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tables of live aggregations: which there can be; buckets; two threads and a process that add
 * while another reads; keys that find no place, or whose hashes are alike; texts; latencies. Each
 * with the rows of CPUs and without, which is what happens where there are no restartable
 * sequences.
 */
#include "check.h"
#include "live.h"

#include <bytecode/tally.h>
#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

enum { NO = LIVE_NO_REGISTER, HITS = 200000 };

static uint32_t cpus; /* of the tables: as there are, or 0 */

/* ---- Specs. ---- */

static void check_specs(void)
{
    static const struct live_table_spec bad[] = {
        {.value = LIVE_REAL},
        {.value = LIVE_STRING},
        {.value = LIVE_UNSIGNED, .outliers = 1}, /* without flights */
        {.key = {LIVE_SIGNED}},                  /* without keys */
        {.keys = 1},                             /* without a key */
        {.key = {LIVE_NONE, LIVE_SIGNED}, .keys = 1},
        {.key = {LIVE_REAL}, .keys = 1},
        {.key = {LIVE_SIGNED}, .keys = LIVE_MAX_KEYS + 1},
        {.key = {LIVE_STRING}, .keys = 1},
        {.key = {LIVE_STRING}, .keys = 1, .key_text = 12},
        {.key = {LIVE_STRING}, .keys = 1, .key_text = 256},
        {.key = {LIVE_SIGNED}, .keys = 1, .key_text = 8},
        {.flights = 8}, /* of counts */
        {.value = LIVE_UNSIGNED, .flights = LIVE_MAX_FLIGHTS + 1},
        {.step = 1},
        {.value = LIVE_UNSIGNED, .low = 1},
        {.value = LIVE_UNSIGNED, .low = -1, .step = 1},
        {.value = LIVE_SIGNED, .key = {LIVE_SIGNED}, .keys = LIVE_MAX_KEYS}, /* too large */
    };
    struct live_layout layout;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        CHECK(!live_table_plan(&layout, &bad[i], 2));
    struct live_table_spec good = {.value = LIVE_UNSIGNED, .key = {LIVE_STRING, LIVE_SIGNED}};
    good.keys = 100;
    good.key_text = 64;
    good.flights = 3;
    CHECK(live_table_plan(&layout, &good, 2));
    CHECK(layout.spec.keys == 128 && layout.spec.flights == 8 && layout.entry == 88);
    CHECK(layout.size % LIVE_PAGE == 0 && layout.row == 4096 && layout.stride == 128 * 4096);
    CHECK(!live_table_plan(&layout, &good, LIVE_MAX_CPUS + 1));
}

/* Every byte of a header counts. */
static void check_headers(void)
{
    struct table table = table_new(
        (struct live_table_spec){.value = LIVE_SIGNED, .key = {LIVE_SIGNED}, .keys = 8}, 2);
    struct live_view view;
    uint8_t *byte = table.memory;
    size_t end = offsetof(struct live_table, layout) + sizeof(struct live_layout), refused = 0;
    for (size_t i = 0; i < end; i++) {
        byte[i] ^= 1;
        refused += !live_table_open(&view, table.memory, table.layout.size);
        byte[i] ^= 1;
    }
    /* A table of other keys, or of values without a sign, might be as right; but these are less
     * than ten bytes: the types of the value and the keys, their number, low and step. */
    CHECK(refused >= end - 10);
    CHECK(!live_table_open(&view, table.memory, table.layout.size - 1));
    CHECK(!live_table_open(&view, table.memory, 100));
    ((struct live_table *)table.memory)->abi++;
    CHECK(!live_table_open(&view, table.memory, table.layout.size));
    CHECK(live_table_abi(table.memory, table.layout.size) == LIVE_TABLE_ABI + 1);
    table_free(&table);
}

/* ---- Programs. ---- */

/* Count or histogram of argument 1 by argument 0, or by the text at argument 0. */
static struct live_aggregation *make(struct table *table, enum live_action action)
{
    const struct live_table_spec *spec = &table->layout.spec;
    bool is_text = spec->key[0] == LIVE_STRING;
    struct live_step steps[3] = {
        {LIVE_ARGUMENT, 0, 1, spec->value ? spec->value : LIVE_SIGNED, 0, 0, 0},
        {LIVE_ARGUMENT, 1, 0, is_text ? LIVE_UNSIGNED : LIVE_SIGNED, 0, 0, 0},
        {LIVE_LOAD, 1, 1, 0, 0, 0, 0}};
    union {
        struct live_program program;
        uint64_t words[LIVE_MAX_PROGRAM / 8];
    } bytes = {.program = {.action = (uint8_t)action,
                           .value = action == LIVE_HIST    ? 0
                                    : action >= LIVE_START ? 1
                                                           : NO}};
    struct live_aggregation *made = NULL;
    bytes.program.key[0] = spec->key[0] ? 1 : NO;
    bytes.program.key[1] = NO;
    size_t n = assemble(&bytes.program, steps, is_text ? 3 : 2, NULL, 0, NULL, 0);
    const char *problem = live_aggregation_make(&made, &bytes, n, table->memory, &table->layout);
    if (problem)
        printf("%s\n", problem);
    CHECK(!problem);
    return made;
}

static uint64_t counted(const struct table *table, struct live_sums *sums)
{
    struct live_key key;
    for (uint32_t row = 0; row < live_rows(&table->layout); row++)
        if (live_row_key(&table->view, row, &key))
            live_row_add(&table->view, row, sums);
    return sums->count;
}

static void check_mismatch(void)
{
    struct table table = table_new((struct live_table_spec){.value = LIVE_SIGNED}, cpus);
    union {
        struct live_program program;
        uint64_t words[LIVE_MAX_PROGRAM / 8];
    } bytes = {.program = {.value = NO, .key = {NO, NO}}};
    struct live_aggregation *made;
    size_t n = assemble(&bytes.program, NULL, 0, NULL, 0, NULL, 0);
    CHECK(live_aggregation_make(&made, &bytes, n, table.memory, &table.layout)); /* counts */
    CHECK(live_aggregation_make(&made, &bytes, LIVE_MAX_PROGRAM + 8, table.memory, &table.layout));
    table_free(&table);
}

/* ---- Buckets. ---- */

/* A value is in the bucket whose bounds it is in, alone, whatever the kind of histogram. */
static void check_buckets(struct live_table_spec spec)
{
    enum { MOST = 1000 };
    struct table table = table_new(spec, cpus);
    struct live_aggregation *made = make(&table, LIVE_HIST);
    uint32_t n = live_bucket_count(&table.layout);
    uint64_t buckets[2 * LIVE_BUCKETS] = {0}, total = 0, sum = 0;
    __int128 low, high, values[3 * MOST];
    size_t count = 0;
    for (uint32_t i = 0; i < n; i++)
        if (live_bucket_bounds(&table.layout, i, &low, &high)) {
            CHECK(low <= high);
            values[count++] = low;
            values[count++] = high;
            values[count++] = low + (high - low) / 2;
        }
    for (size_t i = 0; i < count; i++) {
        uint64_t arguments[2] = {0, (uint64_t)values[i]};
        hit(made, arguments, 2);
        sum += arguments[1];
        total++;
    }
    struct live_sums sums = {.buckets = buckets};
    CHECK(counted(&table, &sums) == total && sums.sum == sum);
    for (uint32_t i = 0; i < n; i++)
        CHECK(buckets[i] == (live_bucket_bounds(&table.layout, i, &low, &high) ? 3 : 0));
    uint64_t bias = (uint64_t)(spec.value == LIVE_SIGNED) << 63;
    CHECK(sums.max == (spec.value == LIVE_SIGNED ? INT64_MAX : UINT64_MAX) + bias);
    CHECK(~sums.min == 0); /* the smallest there is, with its bias */
    live_aggregation_free(made);
    table_free(&table);
}

static void check_extremes(void)
{
    struct table table = table_new((struct live_table_spec){.value = LIVE_SIGNED}, cpus);
    struct live_aggregation *made = make(&table, LIVE_HIST);
    struct live_sums sums = {0};
    const uint64_t bias = UINT64_C(1) << 63;
    for (int64_t value = -5; value <= 7; value++)
        hit(made, (const uint64_t[2]){0, (uint64_t)value}, 2);
    CHECK(counted(&table, &sums) == 13 && sums.sum == 13);
    CHECK(sums.max - bias == 7 && (int64_t)(~sums.min - bias) == -5);
    live_aggregation_free(made);
    table_free(&table);
}

/* ---- Many at once. ---- */

struct job {
    struct live_aggregation *aggregation;
    uint64_t first, keys;
};

static void *add(void *data)
{
    const struct job *job = data;
    for (uint64_t i = 0; i < HITS; i++)
        hit(job->aggregation, (const uint64_t[2]){job->first + i % job->keys, i}, 2);
    return NULL;
}

/* Two threads and a child add; what a reader sees meanwhile never shrinks. */
static void check_many(struct live_table_spec spec, enum live_action action, uint64_t keys)
{
    struct table table = table_new(spec, cpus);
    struct job job = {make(&table, action), 0, keys};
    pthread_t threads[2];
    uint64_t last = 0;
    pid_t child = fork();
    if (child == 0) {
        add(&job);
        _exit(0);
    }
    for (int i = 0; i < 2; i++)
        CHECK(!pthread_create(&threads[i], NULL, add, &job));
    for (int i = 0; i < 20; i++) {
        struct live_sums sums = {0};
        uint64_t now = counted(&table, &sums);
        CHECK(now >= last && now <= 3 * HITS);
        last = now;
    }
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    CHECK(waitpid(child, NULL, 0) == child);
    struct live_sums sums = {0};
    CHECK(counted(&table, &sums) + table_header(&table)->overflow == 3 * HITS);
    if (action == LIVE_HIST)
        CHECK(sums.sum == 3 * ((uint64_t)HITS * (HITS - 1) / 2) && sums.max == HITS - 1 &&
              ~sums.min == 0);
    CHECK((table_header(&table)->overflow > 0) == (keys > table.layout.spec.keys && spec.keys));
    live_aggregation_free(job.aggregation);
    table_free(&table);
}

/* ---- Interrupted. ---- */

static void on_trap(int number)
{
    (void)number;
}

/* A hit that gets a signal after each of its instructions. */
static void hit_stepping(struct live_aggregation *aggregation)
{
    const uint64_t arguments[2] = {3, 9};
    signal(SIGTRAP, on_trap);
#define SET_TRAP_FLAG(change)                                                                      \
    __asm__ volatile("lea -128(%%rsp), %%rsp\n"                                                    \
                     "pushfq\n" change "\n"                                                        \
                     "popfq\n"                                                                     \
                     "lea 128(%%rsp), %%rsp" ::                                                    \
                         : "cc", "memory")
    SET_TRAP_FLAG("orq $0x100, (%%rsp)");
    hit(aggregation, arguments, 2);
    SET_TRAP_FLAG("andq $~0x100, (%%rsp)");
    signal(SIGTRAP, SIG_DFL);
}

/* It is in the rows of everybody then, once, and not in any CPU's. */
static void check_stepping(uint8_t value)
{
    struct table table = table_new((struct live_table_spec){.value = value}, UINT32_MAX);
    struct live_aggregation *made = make(&table, value ? LIVE_HIST : LIVE_COUNT);
    struct live_sums sums = {0};
    uint8_t *row = (uint8_t *)table.memory + table.layout.rows;
    hit_stepping(made);
    CHECK(counted(&table, &sums) == 1 && sums.sum == (value ? 9 : 0));
    for (uint32_t cpu = 0; cpu < table.layout.cpus; cpu++)
        memset(row + cpu * table.layout.stride, 0, table.layout.row);
    sums = (struct live_sums){0};
    CHECK(counted(&table, &sums) == 1 && sums.sum == (value ? 9 : 0));
    live_aggregation_free(made);
    table_free(&table);
}

/* ---- Keys. ---- */

static uint64_t count_of_text(const struct table *table, const char *text, size_t length)
{
    struct live_sums sums = {0};
    struct live_key key;
    for (uint32_t row = 0; row < live_rows(&table->layout); row++)
        if (live_row_key(&table->view, row, &key) && key.length[0] == length &&
            !memcmp(key.text[0], text, length))
            live_row_add(&table->view, row, &sums);
    return sums.count;
}

static void check_texts(void)
{
    struct table table =
        table_new((struct live_table_spec){.key = {LIVE_STRING}, .keys = 64, .key_text = 16}, cpus);
    struct live_aggregation *made = make(&table, LIVE_COUNT);
    char moving[64];
    const char *texts[] = {"GET", "PUT", "GET ", "", "0123456789abcdef", "0123456789abcdef and on"};
    for (unsigned round = 0; round < 8; round++) /* at all alignments */
        for (unsigned i = 0; i < 6; i++) {
            strcpy(moving + round, texts[i]);
            hit(made, (const uint64_t[2]){(uintptr_t)moving + round, 0}, 2);
        }
    hit(made, (const uint64_t[2]){0, 0}, 2);
    hit(made, (const uint64_t[2]){8, 0}, 2);
    hit(made, (const uint64_t[2]){UINT64_C(0x7ffffffff000), 0}, 2); /* nothing is there */
    CHECK(count_of_text(&table, "GET", 3) == 8 && count_of_text(&table, "PUT", 3) == 8);
    CHECK(count_of_text(&table, "GET ", 4) == 8 && count_of_text(&table, "", 0) == 8);
    CHECK(count_of_text(&table, "0123456789abcdef", 16) == 16); /* cut off */
    CHECK(count_of_text(&table, "<null>", 6) == 1 && count_of_text(&table, "<fault>", 7) == 2);
    live_aggregation_free(made);
    table_free(&table);
}

/* The program's handler has come after ours: what cannot be read is not tried. */
static void on_fault(int number)
{
    (void)number;
    static const char text[] = "a hit has read what is not there\n";
    _exit(write(STDOUT_FILENO, text, sizeof text - 1) ? 1 : 2);
}

static void check_unreadable(void)
{
    struct table table =
        table_new((struct live_table_spec){.key = {LIVE_STRING}, .keys = 64, .key_text = 16}, cpus);
    struct live_aggregation *made = make(&table, LIVE_COUNT);
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    char *pages = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    char *end = pages + page;
    CHECK(pages != MAP_FAILED && munmap(end, page) == 0);
    memcpy(end - 12, "short\0and not", 12);
    void (*before)(int) = signal(SIGSEGV, on_fault);
    hit(made, (const uint64_t[2]){(uintptr_t)pages, 0}, 2); /* that page is known from now on */
    hit(made, (const uint64_t[2]){(uintptr_t)end - 12, 0}, 2);
    hit(made, (const uint64_t[2]){(uintptr_t)end - 6, 0}, 2); /* goes on where nothing is */
    hit(made, (const uint64_t[2]){(uintptr_t)end, 0}, 2);
    hit(made, (const uint64_t[2]){(uintptr_t)end + 100, 0}, 2);
    signal(SIGSEGV, before);
    CHECK(count_of_text(&table, "", 0) == 1 && count_of_text(&table, "short", 5) == 1);
    CHECK(count_of_text(&table, "<fault>", 7) == 3);
    munmap(pages, page);
    live_aggregation_free(made);
    table_free(&table);
}

/* ---- Keys whose hashes look the same. ---- */

/* The number whose hash is HASH: the inverse of tally_hash(). */
static uint64_t number_of_hash(uint64_t hash)
{
    const uint64_t factor = UINT64_C(0x9e3779b97f4a7c15);
    uint64_t inverse = factor; /* modulo 8; each round doubles the bits */
    for (int i = 0; i < 5; i++)
        inverse *= 2 - factor * inverse;
    return (hash ^ hash >> 32) * inverse;
}

static void check_same_hashes(void)
{
    struct table table =
        table_new((struct live_table_spec){.key = {LIVE_SIGNED}, .keys = 64}, cpus);
    struct live_aggregation *made = make(&table, LIVE_COUNT);
    uint64_t one = 77, other = number_of_hash(tally_hash(0, one) ^ 1);
    CHECK(number_of_hash(tally_hash(0, one)) == one && one != other);
    CHECK(tally_tag(tally_hash(0, one)) == tally_tag(tally_hash(0, other)));
    for (int i = 0; i < 5; i++) {
        hit(made, (const uint64_t[2]){one, 0}, 2);
        hit(made, (const uint64_t[2]){i < 2 ? one : other, 0}, 2);
    }
    struct live_key key;
    for (uint32_t row = 0; row < live_rows(&table.layout); row++) {
        struct live_sums sums = {0};
        if (!live_row_key(&table.view, row, &key))
            continue;
        live_row_add(&table.view, row, &sums);
        CHECK(key.number[0] == one ? sums.count == 7 : key.number[0] == other && sums.count == 3);
    }
    live_aggregation_free(made);
    table_free(&table);
}

/* Two of 16 bytes that begin otherwise: the second word makes up for that. */
static void check_same_hashes_of_texts(void)
{
    struct table table =
        table_new((struct live_table_spec){.key = {LIVE_STRING}, .keys = 64, .key_text = 64}, cpus);
    struct live_aggregation *made = make(&table, LIVE_COUNT);
    uint64_t one[3] = {0}, other[3] = {0}, hash = tally_hash(0, 16);
    memcpy(one, "a text and more.", 16);
    memcpy(other, "A text", 6);
    do { /* until the second word has no NUL */
        ((char *)other)[6] = (char)(1 + rand() % 255);
        ((char *)other)[7] = (char)(1 + rand() % 255);
        other[1] = one[1] ^ tally_hash(hash, one[0]) ^ tally_hash(hash, other[0]);
    } while (strlen((char *)other) != 16);
    for (int i = 0; i < 5; i++) {
        hit(made, (const uint64_t[2]){(uintptr_t)one, 0}, 2);
        hit(made, (const uint64_t[2]){(uintptr_t)(i < 2 ? one : other), 0}, 2);
    }
    CHECK(count_of_text(&table, (char *)one, 16) == 7);
    CHECK(count_of_text(&table, (char *)other, 16) == 3);
    live_aggregation_free(made);
    table_free(&table);
}

/* A key whose writer was killed is passed over, and counted elsewhere. */
static void check_killed(void)
{
    struct table table = table_new((struct live_table_spec){.key = {LIVE_SIGNED}, .keys = 8}, cpus);
    struct live_aggregation *made = make(&table, LIVE_COUNT);
    for (uint32_t row = 0; row < 7; row++) /* BUSY, for ever */
        *(uint64_t *)(void *)((char *)table.memory + table.layout.directory +
                              (uint64_t)row * table.layout.entry) = 1;
    hit(made, (const uint64_t[2]){5, 0}, 2);
    hit(made, (const uint64_t[2]){5, 0}, 2);
    hit(made, (const uint64_t[2]){6, 0}, 2);
    struct live_sums sums = {0};
    CHECK(counted(&table, &sums) == 2 && table_header(&table)->overflow == 1);
    live_aggregation_free(made);
    table_free(&table);
}

/* ---- Latencies. ---- */

static void start_or_stop(struct live_aggregation *aggregation, uint64_t key)
{
    hit(aggregation, (const uint64_t[2]){key, 0}, 2);
}

/* What was started is found by what matches, not by its hash. */
static void check_same_hashes_in_flight(void)
{
    struct table table =
        table_new((struct live_table_spec){.value = LIVE_UNSIGNED, .flights = 8}, cpus);
    struct live_aggregation *start = make(&table, LIVE_START), *stop = make(&table, LIVE_STOP);
    const struct live_table *header = table_header(&table);
    uint64_t one = 77, other = number_of_hash(tally_hash(0, one) ^ 1);
    struct live_sums sums = {0};
    start_or_stop(start, one);
    start_or_stop(stop, other);
    CHECK(header->unmatched == 1);
    start_or_stop(start, other);
    CHECK(header->restarted == 0);
    start_or_stop(stop, other);
    start_or_stop(stop, one);
    CHECK(header->unmatched == 1 && counted(&table, &sums) == 2);
    live_aggregation_free(start);
    live_aggregation_free(stop);
    table_free(&table);
}

static void check_latencies(void)
{
    struct table table =
        table_new((struct live_table_spec){.value = LIVE_UNSIGNED, .flights = 8}, cpus);
    struct live_aggregation *start = make(&table, LIVE_START), *stop = make(&table, LIVE_STOP);
    const struct live_table *header = table_header(&table);
    start_or_stop(stop, 1);
    CHECK(header->unmatched == 1);
    start_or_stop(start, 1);
    start_or_stop(start, 2);
    usleep(2000);
    start_or_stop(stop, 1);
    start_or_stop(stop, 1);
    CHECK(header->unmatched == 2);
    start_or_stop(start, 2);
    CHECK(header->restarted == 1);
    start_or_stop(stop, 2);
    struct live_sums sums = {0};
    CHECK(counted(&table, &sums) == 2);
    CHECK(sums.max >= 2000000 && sums.max < UINT64_C(60000000000)); /* ns, on a busy machine */
    for (uint64_t key = 10; key < 19; key++) /* one more than there are places: the oldest goes */
        start_or_stop(start, key);
    CHECK(header->evicted == 1);
    for (uint64_t key = 11; key < 19; key++)
        start_or_stop(stop, key);
    CHECK(header->unmatched == 2 && counted(&table, &sums) == 2 + 10);
    start_or_stop(stop, 10);
    CHECK(header->unmatched == 3);
    live_aggregation_free(start);
    live_aggregation_free(stop);
    table_free(&table);
}

static void check_all(void)
{
    check_mismatch();
    check_buckets((struct live_table_spec){.value = LIVE_UNSIGNED});
    check_buckets((struct live_table_spec){.value = LIVE_SIGNED});
    check_buckets((struct live_table_spec){.value = LIVE_UNSIGNED, .low = 100, .step = 7});
    check_buckets((struct live_table_spec){.value = LIVE_SIGNED, .low = -1000, .step = 10});
    check_extremes();
    check_many((struct live_table_spec){.keys = 0}, LIVE_COUNT, 1);
    check_many((struct live_table_spec){.key = {LIVE_SIGNED}, .keys = 1024}, LIVE_COUNT, 500);
    check_many((struct live_table_spec){.key = {LIVE_SIGNED}, .keys = 64}, LIVE_COUNT, 500);
    check_many((struct live_table_spec){.value = LIVE_UNSIGNED}, LIVE_HIST, 1);
    check_many((struct live_table_spec){.value = LIVE_UNSIGNED, .key = {LIVE_SIGNED}, .keys = 64},
               LIVE_HIST, 10);
    check_texts();
    check_unreadable();
    check_same_hashes();
    check_same_hashes_of_texts();
    check_same_hashes_in_flight();
    check_killed();
    check_latencies();
}

int main(void)
{
    check_specs();
    check_headers();
    check_all();
    cpus = UINT32_MAX;
    check_all();
    check_stepping(LIVE_NONE);
    check_stepping(LIVE_UNSIGNED);
    if (!live_cpus())
        puts("no rseq(2) here: tables have the rows of everybody only");
    return check_failures != 0;
}
