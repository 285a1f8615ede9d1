/* SPDX-License-Identifier: BSD-2-Clause */
/* Programs of live aggregations: what the check refuses. */
#include "check.h"
#include "live.h"

#include <stdio.h>

union bytes {
    struct live_program program;
    uint64_t words[LIVE_MAX_PROGRAM / 8];
    uint8_t byte[LIVE_MAX_PROGRAM];
};

enum { NO = LIVE_NO_REGISTER, FIRST = LIVE_REGISTERS };

static const struct live_step good[] = {{LIVE_ARGUMENT, 0, 0, LIVE_SIGNED, 0, 0, 0},
                                        {LIVE_MORE, 1, 0, FIRST, 0, 0, 0},
                                        {LIVE_UNLESS, 0, 1, 0, 0, 0, 0},
                                        {LIVE_ARGUMENT, 2, 1, LIVE_UNSIGNED, 0, 0, 0},
                                        {LIVE_LOAD, 3, 2, 0, 0, 0, 0}};
enum { GOOD = sizeof good / sizeof *good };

static size_t make_good(union bytes *bytes)
{
    const uint64_t number = 4096;
    memset(bytes, 0, sizeof *bytes);
    bytes->program.action = LIVE_HIST;
    bytes->program.value = 0;
    bytes->program.key[0] = 3;
    bytes->program.key[1] = NO;
    return assemble(&bytes->program, good, GOOD, &number, 1, "abcdefgh", 8);
}

static bool is_right(const union bytes *bytes, size_t n)
{
    return live_program_check(bytes, n, NULL) == NULL;
}

static void check_header(void)
{
    union bytes bytes;
    size_t n = make_good(&bytes);
    struct live_types types;
    CHECK(live_program_check(&bytes, n, &types) == NULL);
    CHECK(types.value == LIVE_SIGNED && types.key[0] == LIVE_STRING && types.key[1] == LIVE_NONE);
    CHECK(types.texts == 1 && types.arguments == 2);
    for (size_t shorter = 0; shorter < n; shorter++)
        CHECK(!is_right(&bytes, shorter));
    CHECK(!is_right(&bytes, n + 8));
#define WRONG(change)                                                                              \
    do {                                                                                           \
        make_good(&bytes);                                                                         \
        bytes.program.change;                                                                      \
        CHECK(!is_right(&bytes, n));                                                               \
    } while (0)
    WRONG(magic++);
    WRONG(abi++);
    WRONG(size += 8);
    WRONG(steps++);
    WRONG(numbers++);
    WRONG(texts += 4);
    WRONG(kept = LIVE_KEEPS_END); /* as no version knows */
    WRONG(action = LIVE_ACTIONS);
    WRONG(value = NO);
    WRONG(value = 3);  /* a text */
    WRONG(value = 4);  /* it was not written */
    WRONG(key[0] = 9); /* the same */
    WRONG(key[0] = NO; bytes.program.key[1] = 0);
    WRONG(action = LIVE_COUNT); /* with a value */
    WRONG(action = LIVE_START; bytes.program.value = NO);
    WRONG(action = LIVE_STOP; bytes.program.value = 9); /* it was not written */
    WRONG(step[0].code = LIVE_CODES);
    WRONG(step[0].zero = 1);
    WRONG(step[0].to = LIVE_REGISTERS);
    WRONG(step[0].a = 12);
    WRONG(step[0].b = LIVE_STRING);
    WRONG(step[0].b = LIVE_NONE);
    WRONG(step[1].a = 5);         /* it was not written */
    WRONG(step[1].b = FIRST + 1); /* no such number */
    WRONG(step[1].b = 5);
    WRONG(step[2].to = 1);
    WRONG(step[2].b = 1);
    WRONG(step[3].b = LIVE_REAL); /* then it is no address */
    WRONG(step[4].b = 1);
}

/* A step after a text (0), an integer (1), a double (2), numbers: a text, a text outside, 7. */
static bool allows(struct live_step step)
{
    const struct live_step steps[] = {{LIVE_FACT, 0, LIVE_NAME, 0, 0, 0, 0},
                                      {LIVE_ARGUMENT, 1, 0, LIVE_SIGNED, 0, 0, 0},
                                      {LIVE_ARGUMENT, 2, 0, LIVE_REAL, 0, 0, 0},
                                      step};
    const uint64_t numbers[] = {8, UINT64_C(8) << 32 | 1, 7, UINT64_C(4) << 32 | 1};
    union bytes bytes = {.program = {.value = NO, .key = {NO, NO}}};
    size_t n = assemble(&bytes.program, steps, 4, numbers, 4, "abcdefgh", 8);
    return is_right(&bytes, n);
}

static void check_types(void)
{
    CHECK(allows((struct live_step){LIVE_BEGINS, 3, 0, FIRST, 0, 0, 0}));
    CHECK(!allows((struct live_step){LIVE_BEGINS, 3, 0, FIRST + 1, 0, 0, 0}));
    CHECK(!allows((struct live_step){LIVE_EQUAL, 3, 0, FIRST + 3, 0, 0, 0}));
    CHECK(!allows((struct live_step){LIVE_BEGINS, 3, 1, FIRST, 0, 0, 0}));
    CHECK(!allows((struct live_step){LIVE_EQUAL, 3, 0, 1, 0, 0, 0}));
    CHECK(allows((struct live_step){LIVE_EQUAL, 3, 2, 1, 0, 0, 0}));
    CHECK(!allows((struct live_step){LIVE_EQUAL, 3, 1, 2, 0, 0, 0})); /* the REAL is first */
    CHECK(!allows((struct live_step){LIVE_LESS, 3, 2, 0, 0, 0, 0}));
    CHECK(!allows((struct live_step){LIVE_BEGINS, 3, 2, 1, 0, 0, 0}));
    CHECK(allows((struct live_step){LIVE_EQUAL, 3, 2, 2, 0, 0, 0}));
    for (uint8_t code = LIVE_ADD; code <= LIVE_RIGHT; code++) {
        CHECK(allows((struct live_step){code, 3, 2, 2, 0, 0, 0}) == (code <= LIVE_DIVIDE));
        CHECK(allows((struct live_step){code, 3, 2, FIRST, 0, 0, 0}) == (code <= LIVE_DIVIDE));
        CHECK(!allows((struct live_step){code, 3, 2, 1, 0, 0, 0}));
        CHECK(!allows((struct live_step){code, 3, 1, 2, 0, 0, 0}));
        CHECK(!allows((struct live_step){code, 3, 2, 0, 0, 0, 0}));
    }
    CHECK(allows((struct live_step){.code = LIVE_TO_REAL, .to = 3, .a = 1}));
    CHECK(!allows((struct live_step){.code = LIVE_TO_REAL, .to = 3, .a = 2}));
    CHECK(!allows((struct live_step){.code = LIVE_TO_REAL, .to = 3, .a = 0}));
    CHECK(!allows((struct live_step){.code = LIVE_TO_REAL, .to = 3, .a = 1, .b = 1}));
    CHECK(allows((struct live_step){.code = LIVE_CUT, .to = 3, .a = 0, .b = 1}));
    CHECK(!allows((struct live_step){.code = LIVE_CUT, .to = 3, .a = 1, .b = 1}));
    CHECK(!allows((struct live_step){.code = LIVE_CUT, .to = 3, .a = 0, .b = 2}));
    CHECK(!allows((struct live_step){.code = LIVE_CUT, .to = 3, .a = 0, .b = FIRST}));
    CHECK(!allows((struct live_step){LIVE_ADD, 3, 0, 1, 0, 0, 0}));
    CHECK(allows((struct live_step){LIVE_SCALE, 3, 2, FIRST + 2, 0, 0, 0}));
    CHECK(!allows((struct live_step){LIVE_SCALE, 3, 2, 1, 0, 0, 0}));
    CHECK(!allows((struct live_step){LIVE_SCALE, 3, 1, FIRST + 2, 0, 0, 0}));
    CHECK(!allows((struct live_step){LIVE_LOAD, 3, 0, 0, 0, 0, 0}));
    CHECK(!allows((struct live_step){LIVE_LOAD_N, 3, 1, 0, 0, 0, 0}));
    CHECK(!allows((struct live_step){LIVE_NOT, 3, 0, 0, 0, 0, 0}));
    CHECK(!allows((struct live_step){LIVE_BOTH, 3, 0, 1, 0, 0, 0}));
    CHECK(!allows((struct live_step){LIVE_UNLESS, 0, 0, 0, 0, 0, 0}));
    CHECK(allows((struct live_step){LIVE_TRUTH, 3, 0, 0, 0, 0, 0}));
    CHECK(!allows((struct live_step){LIVE_NUMBER, 3, LIVE_STRING, FIRST, 0, 0, 0}));
    CHECK(allows((struct live_step){.code = LIVE_LOAD_VIEW, .to = 3, .a = 1}));
    CHECK(!allows((struct live_step){.code = LIVE_LOAD_VIEW, .to = 3, .a = 2}));
    CHECK(!allows((struct live_step){.code = LIVE_LOAD_VIEW, .to = 3, .a = 1, .b = 1}));
    CHECK(!allows((struct live_step){.code = LIVE_LOAD_VIEW, .to = 3, .a = 1, .kind = 1}));
    CHECK(!allows((struct live_step){.code = LIVE_LENGTH, .to = 3, .a = 1}));
    CHECK(allows((struct live_step){.code = LIVE_LENGTH, .to = 3, .a = 0}));
#define ELEMENT(a_, b_, c_, kind_)                                                                 \
    (struct live_step){.code = LIVE_ELEMENT, .to = 3, .a = a_, .b = b_, .c = c_, .kind = kind_}
    CHECK(allows(ELEMENT(1, 1, 1, 4)) && allows(ELEMENT(1, FIRST, 1, 0x28)));
    CHECK(!allows(ELEMENT(0, 1, 1, 4)) && !allows(ELEMENT(1, 0, 1, 4)));
    CHECK(!allows(ELEMENT(1, 1, 0, 4)) && !allows(ELEMENT(1, 1, 200, 4)));
    CHECK(!allows(ELEMENT(1, FIRST + 200, 1, 4)) && !allows(ELEMENT(1, 1, 1, 0)));
    CHECK(!allows(ELEMENT(1, 1, 1, 3)) && !allows(ELEMENT(1, 1, 1, 0x22)));
    CHECK(!allows(ELEMENT(1, 1, 1, 0x34)) && !allows(ELEMENT(1, 1, 1, 0x44)));
}

/* Of calls: one step that is the value, no keys, and as many numbers as roots. */
static void check_calls(void)
{
    const struct live_step step = {LIVE_ARGUMENT, 0, 0, LIVE_UNSIGNED, 0, 0, 0};
    const uint64_t roots[] = {0x1000, 0x2000};
    union bytes bytes;
    size_t n = 0;
#define CALLS(change)                                                                              \
    do {                                                                                           \
        memset(&bytes, 0, sizeof bytes);                                                           \
        bytes.program.action = LIVE_ENTER;                                                         \
        bytes.program.key[0] = bytes.program.key[1] = NO;                                          \
        n = assemble(&bytes.program, &step, 1, roots, 2, NULL, 0);                                 \
        bytes.program.kept = 128 | 2 << LIVE_ROOTS_SHIFT;                                          \
        bytes.program.change;                                                                      \
    } while (0)
    CALLS(texts = 0);
    CHECK(is_right(&bytes, n));
    CALLS(kept = 1 | 2 << LIVE_ROOTS_SHIFT);
    CHECK(is_right(&bytes, n));
    CALLS(kept = 0 | 2 << LIVE_ROOTS_SHIFT);
    CHECK(!is_right(&bytes, n));
    CALLS(kept = 129 | 2 << LIVE_ROOTS_SHIFT);
    CHECK(!is_right(&bytes, n));
    CALLS(kept = 128 | 3 << LIVE_ROOTS_SHIFT);
    CHECK(!is_right(&bytes, n));
    CALLS(kept = 128 | 2 << LIVE_ROOTS_SHIFT | UINT64_C(1) << 32);
    CHECK(!is_right(&bytes, n));
    CALLS(key[0] = 0);
    CHECK(!is_right(&bytes, n));
    CALLS(value = 1);
    CHECK(!is_right(&bytes, n));
    CALLS(step[0].b = LIVE_SIGNED);
    CHECK(!is_right(&bytes, n));
    CALLS(action = LIVE_LEAVE);
    CHECK(!is_right(&bytes, n)); /* with a depth */
    CALLS(action = LIVE_LEAVE; bytes.program.kept = 0);
    CHECK(is_right(&bytes, n));
}

int main(void)
{
    check_header();
    check_types();
    check_calls();
    return check_failures != 0;
}
