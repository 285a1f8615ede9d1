/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Predicates of doubles, three ways: as the tests of arguments that they become where that is
 * possible, in a hit and as a condition; in steps; and as the processor calculates. Most arguments
 * are where the result changes.
 */
#include "check.h"
#include "live.h"
#include "real.h"

#include <bytecode/compiled.h>
#include <fenv.h>
#include <math.h>
#include <ring/conditional.h>

enum { NO = LIVE_NO_REGISTER, FIRST = LIVE_REGISTERS, MAX_LINKS = 3, NUMBERS = MAX_LINKS + 1 };

/* One more operation on what the argument has become. */
struct link {
    enum live_code code;
    uint64_t number;
    bool is_first; /* the number is */
};

/* A predicate. */
struct predicate {
    enum live_type type[2]; /* of arguments 0 and 1 */
    unsigned factors;       /* 1: argument 0; 2: times argument 1; 0: times itself */
    unsigned links;
    struct link link[MAX_LINKS];
    enum live_code compare;
    uint64_t number;
    bool has_other; /* it is the second of two tests, the first of which always holds */
};

static uint64_t state = 5;

static uint64_t any(uint64_t below)
{
    state = state * UINT64_C(6364136223846793005) + 1442695040888963407;
    return (state >> 33) % below;
}

/* ---- What is right. ---- */

static double value_of(enum live_type type, uint64_t argument)
{
    return type == LIVE_REAL     ? real_of(argument)
           : type == LIVE_SIGNED ? (double)(int64_t)argument
                                 : (double)argument;
}

/* False: there is no result. */
static bool follow(const struct link *link, double *real)
{
    volatile double a = link->is_first ? real_of(link->number) : *real;
    volatile double b = link->is_first ? *real : real_of(link->number);
    *real = link->code == LIVE_NEGATE     ? -*real
            : link->code == LIVE_ADD      ? a + b
            : link->code == LIVE_SUBTRACT ? a - b
            : link->code == LIVE_MULTIPLY ? a * b
                                          : a / b;
    return link->code != LIVE_DIVIDE || b != 0;
}

static bool calculate(const struct predicate *predicate, const uint64_t *arguments, double *real)
{
    volatile double a = value_of(predicate->type[0], arguments[0]);
    volatile double b = value_of(predicate->type[1], arguments[1]);
    *real = predicate->factors == 1 ? a : predicate->factors ? a * b : a * a;
    for (unsigned i = 0; i < predicate->links; i++)
        if (!follow(&predicate->link[i], real))
            return false;
    return true;
}

static bool holds(const struct predicate *predicate, const uint64_t *arguments)
{
    double a, b = real_of(predicate->number);
    if (!calculate(predicate, arguments, &a))
        return false;
    return predicate->compare == LIVE_EQUAL        ? a == b
           : predicate->compare == LIVE_UNEQUAL    ? a != b
           : predicate->compare == LIVE_LESS       ? a < b
           : predicate->compare == LIVE_LESS_EQUAL ? a <= b
           : predicate->compare == LIVE_MORE       ? a > b
                                                   : a >= b;
}

/* Whether steps can be done without. */
static bool can_be_quick(const struct predicate *predicate)
{
    if (predicate->factors != 1)
        return !predicate->links;
    for (unsigned i = 0; i < predicate->links; i++) {
        const struct link *link = &predicate->link[i];
        bool is_product = link->code == LIVE_MULTIPLY || link->code == LIVE_DIVIDE;
        if (link->code != LIVE_NEGATE &&
            (!isfinite(real_of(link->number)) || (is_product && real_of(link->number) == 0) ||
             (link->code == LIVE_DIVIDE && link->is_first)))
            return false;
    }
    return true;
}

/* ---- What is done. ---- */

static struct table table;
static unsigned quick, in_steps, held;

static struct live_aggregation *make(const struct predicate *predicate)
{
    union {
        struct live_program program;
        uint64_t words[LIVE_MAX_PROGRAM / 8];
    } bytes = {.program = {.value = NO, .key = {NO, NO}}};
    struct live_step steps[24];
    uint64_t numbers[NUMBERS];
    unsigned n = 0;
#define STEP(...) steps[n++] = (struct live_step)__VA_ARGS__
    if (predicate->has_other) {
        STEP({LIVE_ARGUMENT, 5, 2, LIVE_SIGNED, 0, 0, 0});
        STEP({LIVE_EQUAL, 6, 5, 5, 0, 0, 0});
        steps[n - 1].b = FIRST + NUMBERS - 1;
        STEP({LIVE_UNLESS, 0, 6, 0, 0, 0, 0});
    }
    for (uint8_t i = 0; i < 2; i++) {
        STEP({LIVE_ARGUMENT, i, i, (uint8_t)predicate->type[i], 0, 0, 0});
        if (predicate->type[i] != LIVE_REAL)
            STEP({LIVE_TO_REAL, i, i, 0, 0, 0, 0});
    }
    if (predicate->factors != 1)
        STEP({LIVE_MULTIPLY, 0, 0, predicate->factors ? 1 : 0, 0, 0, 0});
    for (uint8_t i = 0; i < predicate->links; i++) {
        const struct link *link = &predicate->link[i];
        numbers[i] = link->number;
        if (link->is_first)
            STEP({LIVE_NUMBER, 7, LIVE_REAL, FIRST + i, 0, 0, 0});
        STEP({(uint8_t)link->code, 0, link->is_first ? 7 : 0,
              link->code == LIVE_NEGATE || link->is_first ? 0 : FIRST + i, 0, 0, 0});
    }
    for (unsigned i = predicate->links; i < NUMBERS; i++)
        numbers[i] = predicate->number;
    STEP({(uint8_t)predicate->compare, 1, 0, FIRST + NUMBERS - 1, 0, 0, 0});
    STEP({LIVE_UNLESS, 0, 1, 0, 0, 0, 0});
    struct live_aggregation *made = NULL;
    size_t size = assemble(&bytes.program, steps, n, numbers, NUMBERS, NULL, 0);
    const char *problem = live_aggregation_make(&made, &bytes, size, table.memory, &table.layout);
    if (problem)
        puts(problem);
    return made;
}

static uint64_t counted(void)
{
    struct live_sums sums = {0};
    live_row_add(&table.view, 0, &sums);
    return sums.count;
}

static bool counts(struct live_aggregation *aggregation, const uint64_t *arguments)
{
    uint64_t before = counted();
    hit(aggregation, arguments, 3);
    return counted() > before;
}

/* A hit calls what is at the beginning of its aggregation. */
struct decision {
    sdt_handler *run;
    struct conditional conditional;
    bool has_passed;
};

static void pass(const struct sdt_event *event, const struct conditional *conditional, uint64_t ns)
{
    (void)event;
    (void)ns;
    ((struct decision *)(uintptr_t)conditional->rings)->has_passed = true;
}

static void decide(const struct sdt_event *event, void *data)
{
    struct decision *decision = data;
    decision->conditional.decide(event, &decision->conditional);
}

static bool decides(struct live_aggregation *aggregation, const uint64_t *arguments)
{
    struct decision decision = {.run = decide};
    decision.conditional =
        (struct conditional){.then = pass, .rings = (const struct rings *)(const void *)&decision};
    live_decide(&decision.conditional, aggregation);
    hit((struct live_aggregation *)(void *)&decision, arguments, 3);
    return decision.has_passed;
}

static void print(const struct predicate *predicate, const uint64_t *arguments)
{
    printf("types %u %u, factors %u, arguments %#lx (%a) %#lx", predicate->type[0],
           predicate->type[1], predicate->factors, (unsigned long)arguments[0],
           value_of(predicate->type[0], arguments[0]), (unsigned long)arguments[1]);
    for (unsigned i = 0; i < predicate->links; i++)
        printf(", code %u %a%s", predicate->link[i].code, real_of(predicate->link[i].number),
               predicate->link[i].is_first ? " first" : "");
    printf(", compare %u %a\n", predicate->compare, real_of(predicate->number));
}

static void check(const struct predicate *predicate, struct live_aggregation *made,
                  const uint64_t *arguments)
{
    int before = check_failures;
    bool expected = holds(predicate, arguments);
    held += expected;
    CHECK(counts(made, arguments) == expected);
    CHECK(decides(made, arguments) == expected);
    made->is_quick = false;
    made->run = hit_function(made);
    CHECK(counts(made, arguments) == expected);
    CHECK(decides(made, arguments) == expected);
    made->is_quick = can_be_quick(predicate);
    made->run = hit_function(made);
    if (check_failures > before)
        print(predicate, arguments);
}

/* ---- Predicates at random. ---- */

static uint64_t any_real(void)
{
    static const double some[] = {0.0,      -0.0,   1.0,     -1.0,      0.5,      -2.5,
                                  3.0,      1e6,    -1e-6,   0x1p-1074, 0x1p-600, -0x1p600,
                                  0x1p1023, 0x1p53, -0x1p63, 0x1p64,    INFINITY, -INFINITY,
                                  NAN,      0.1,    1e300,   1e-300};
    switch (any(4)) {
    case 0:
        return any(1 << 16) << 48 | any(1 << 16) << 32 | any(UINT32_MAX);
    case 1:
        return bits_of((double)(int64_t)any(2000) / 8 - 100);
    default:
        return bits_of(some[any(sizeof some / sizeof *some)]);
    }
}

static uint64_t any_argument(enum live_type type)
{
    uint64_t number = (any(UINT32_MAX) << 32 | any(UINT32_MAX)) >> any(64);
    return type == LIVE_REAL ? any_real() : any(2) ? number : -number;
}

static struct predicate any_predicate(void)
{
    static const enum live_code codes[] = {LIVE_ADD, LIVE_SUBTRACT, LIVE_MULTIPLY, LIVE_DIVIDE,
                                           LIVE_NEGATE};
    struct predicate predicate = {
        .factors = any(2) ? 1 : (unsigned)any(3),
        .compare = (enum live_code)(LIVE_EQUAL + any(LIVE_MORE_EQUAL - LIVE_EQUAL + 1)),
        .number = any_real(),
        .has_other = any(3) == 0};
    for (unsigned i = 0; i < 2; i++)
        predicate.type[i] = (enum live_type)(LIVE_SIGNED + any(3));
    predicate.links = predicate.factors == 1 ? (unsigned)any(MAX_LINKS + 1) : !any(4);
    for (unsigned i = 0; i < predicate.links; i++) {
        predicate.link[i] = (struct link){codes[any(5)], any_real(), any(4) == 0};
        predicate.link[i].is_first &= predicate.link[i].code != LIVE_NEGATE;
    }
    return predicate;
}

/* Hits at ARGUMENTS, and around the first of them. */
static void check_around(const struct predicate *predicate, uint64_t *arguments)
{
    struct live_aggregation *made = make(predicate);
    uint64_t middle = arguments[0];
    CHECK(made && made->is_quick == can_be_quick(predicate));
    if (!made)
        return;
    if (made->is_quick)
        quick++;
    else
        in_steps++;
    arguments[2] = predicate->number; /* of the other test */
    for (int i = -3; i <= 3; i++) {
        arguments[0] = middle + (uint64_t)(int64_t)i;
        check(predicate, made, arguments);
    }
    for (unsigned i = 0; i < 6; i++) {
        arguments[0] = any_argument(predicate->type[0]);
        check(predicate, made, arguments);
    }
    live_aggregation_free(made);
}

static void check_random(void)
{
    enum { PREDICATES = 30000 };
    for (unsigned i = 0; i < PREDICATES && check_failures < 20; i++) {
        struct predicate predicate = any_predicate();
        uint64_t arguments[3];
        double real;
        for (unsigned k = 0; k < 2; k++)
            arguments[k] = any_argument(predicate.type[k]);
        /* Where the result is just what it is compared with. */
        if (any(4) && calculate(&predicate, arguments, &real))
            predicate.number = bits_of(real);
        check_around(&predicate, arguments);
    }
    CHECK(quick > 10000 && in_steps > 5000 && held > 100000);
}

/* Integers at both ends, whatever they are compared with: no range may wrap around. */
static void check_ends(void)
{
    static const uint64_t ends[] = {0, 1, INT64_MAX, UINT64_C(1) << 63, UINT64_MAX};
    static const double limits[] = {-INFINITY, -0x1p64, -0x1p63, -1,  0,       1,
                                    0x1p63,    0x1p64,  1e300,   NAN, INFINITY};
    for (unsigned i = 0; i < sizeof limits / sizeof *limits; i++)
        for (unsigned code = LIVE_EQUAL; code <= LIVE_MORE_EQUAL; code++)
            for (unsigned type = LIVE_SIGNED; type <= LIVE_UNSIGNED; type++)
                for (unsigned k = 0; k < sizeof ends / sizeof *ends; k++) {
                    uint64_t arguments[3] = {ends[k], 0, 0};
                    struct predicate predicate = {.type = {(enum live_type)type, LIVE_SIGNED},
                                                  .factors = 1,
                                                  .compare = (enum live_code)code,
                                                  .number = bits_of(limits[i])};
                    check_around(&predicate, arguments);
                }
}

int main(void)
{
    CHECK(fegetround() == FE_TONEAREST);
    table = table_new((struct live_table_spec){.keys = 0}, UINT32_MAX);
    check_ends();
    check_random();
    return check_failures != 0;
}
