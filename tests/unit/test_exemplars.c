/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Which hits become exemplars: the largest of each range, until they are old; negative values and
 * linear buckets; places that two ranges share; threads that all offer.
 */
#include "check.h"
#include "live.h"

#include <exchange/layout.h>
#include <pthread.h>

enum { NO = LIVE_NO_REGISTER, PERIOD = 100, THREADS = 4, HITS = 20000 };

struct thing {
    struct table table;
    struct live_aggregation *made;
};

/* A histogram of argument 0, whose arguments are kept. */
static struct thing thing_new(uint32_t places, uint64_t step)
{
    const struct live_step step_of_argument = {LIVE_ARGUMENT, 0, 0, LIVE_SIGNED, 0, 0, 0};
    union {
        struct live_program program;
        uint64_t words[LIVE_MAX_PROGRAM / 8];
    } bytes = {.program = {.action = LIVE_HIST, .value = 0, .key = {NO, NO}}};
    struct thing thing = {.table = table_new((struct live_table_spec){.value = LIVE_SIGNED,
                                                                      .step = step,
                                                                      .exemplars = places,
                                                                      .period = PERIOD,
                                                                      .takes_bare = 1},
                                             UINT32_MAX)};
    size_t size = assemble(&bytes.program, &step_of_argument, 1, NULL, 0, NULL, 0);
    bytes.program.kept = LIVE_KEEP_WORD | UINT64_C(7) << LIVE_LABEL_SHIFT;
    CHECK(
        !live_aggregation_make(&thing.made, &bytes, size, thing.table.memory, &thing.table.layout));
    return thing;
}

static void thing_free(struct thing *thing)
{
    live_aggregation_free(thing->made);
    table_free(&thing->table);
}

static void offer(const struct thing *thing, int64_t value)
{
    hit(thing->made, (const uint64_t[1]){(uint64_t)value}, 1);
}

static struct live_exemplar *place(const struct thing *thing, uint32_t i)
{
    uint8_t *memory = thing->table.memory;
    return (struct live_exemplar *)(void *)(memory + thing->table.layout.exemplars) + i;
}

/* Whether VALUE is one; if so, whether its argument is what was passed. */
static bool is_kept(const struct thing *thing, int64_t value)
{
    bool found = false;
    for (uint32_t i = 0; i < thing->table.layout.spec.exemplars; i++) {
        struct live_exemplar one;
        if (!live_exemplar_read(&thing->table.view, i, &one) || (int64_t)one.value != value)
            continue;
        found = true;
        CHECK(one.row == 0 && one.side[1].word[0] == one.value && one.side[1].label == 7);
        CHECK(one.side[1].tid != 0 && one.side[0].tid == 0 && !one.context[0]);
    }
    return found;
}

static void grow_old(const struct thing *thing)
{
    for (uint32_t i = 0; i < thing->table.layout.spec.exemplars; i++)
        place(thing, i)->time -= PERIOD * UINT64_C(1000000000);
}

static void check_ranges(void)
{
    struct thing thing = thing_new(1024, 0);
    static const int64_t values[] = {100, 120, 110, 1000, 0, 3, -5, -100, -120, -110};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        offer(&thing, values[i]);
    CHECK(is_kept(&thing, 120) && !is_kept(&thing, 100) && !is_kept(&thing, 110));
    CHECK(is_kept(&thing, 1000) && is_kept(&thing, 3) && !is_kept(&thing, 0));
    CHECK(is_kept(&thing, -120) && !is_kept(&thing, -110) && is_kept(&thing, -5));
    grow_old(&thing);
    offer(&thing, 65);
    CHECK(is_kept(&thing, 65) && !is_kept(&thing, 120) && is_kept(&thing, 1000));
    CHECK(!live_exemplar_read(&thing.table.view, 1024, &(struct live_exemplar){0}));
    thing_free(&thing);
}

static void check_linear(void)
{
    struct thing thing = thing_new(1024, 10);
    for (int64_t i = 0; i < 30; i++)
        offer(&thing, 29 - i);
    CHECK(is_kept(&thing, 9) && is_kept(&thing, 19) && is_kept(&thing, 29));
    CHECK(!is_kept(&thing, 8) && !is_kept(&thing, 28));
    thing_free(&thing);
}

/* With one place, the first range has it until it is old; who writes keeps others away. */
static void check_shared_place(void)
{
    struct thing thing = thing_new(1, 0);
    offer(&thing, 100);
    offer(&thing, 1000000);
    CHECK(is_kept(&thing, 100) && !is_kept(&thing, 1000000));
    grow_old(&thing);
    offer(&thing, 1000000);
    CHECK(is_kept(&thing, 1000000));
    atomic_fetch_xor(&place(&thing, 0)->tag, LIVE_BUSY | LIVE_READY);
    grow_old(&thing);
    offer(&thing, 2000000);
    atomic_fetch_xor(&place(&thing, 0)->tag, LIVE_BUSY | LIVE_READY);
    CHECK(is_kept(&thing, 1000000));
    thing_free(&thing);
}

static void *offer_many(void *data)
{
    for (int64_t i = 1; i <= HITS; i++)
        offer(data, i);
    return NULL;
}

/* All in one range at the end: whatever is read meanwhile, its argument is its value. */
static void check_threads(void)
{
    struct thing thing = thing_new(64, 0);
    pthread_t threads[THREADS];
    for (unsigned i = 0; i < THREADS; i++)
        CHECK(pthread_create(&threads[i], NULL, offer_many, &thing) == 0);
    for (unsigned i = 0; i < HITS; i++) {
        struct live_exemplar one;
        for (uint32_t k = 0; k < 64; k++)
            if (live_exemplar_read(&thing.table.view, k, &one))
                CHECK(one.side[1].word[0] == one.value);
    }
    for (unsigned i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    CHECK(is_kept(&thing, 127) && is_kept(&thing, 16383));
    thing_free(&thing);
}

int main(void)
{
    check_ranges();
    check_linear();
    check_shared_place();
    check_threads();
    return check_failures != 0;
}
