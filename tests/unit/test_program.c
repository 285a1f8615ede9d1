/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Programs of live aggregations (test_program_check.c: which are refused): random ones, each of
 * which is run by a hit and by a reference evaluator that shares nothing with it but the format.
 * What a program calculated is read from its table: it is the key of the only row.
 */
#include "check.h"
#include "live.h"
#include "real.h"

#include <bytecode/compiled.h>

#include <math.h>
#include <sdt/runtime.h>
#include <stdio.h>

union bytes {
    struct live_program program;
    uint64_t words[LIVE_MAX_PROGRAM / 8];
    uint8_t byte[LIVE_MAX_PROGRAM];
};

enum { NO = LIVE_NO_REGISTER, FIRST = LIVE_REGISTERS };

/* ---- The reference. ---- */

struct word {
    enum live_type type; /* LIVE_NONE: not written */
    bool is_missing;
    __int128 integer;
    double real;
    char text[LIVE_TEXT + 1];
    size_t length;
};

static __int128 integer_of(enum live_type type, uint64_t bits)
{
    return type == LIVE_SIGNED ? (__int128)(int64_t)bits : (__int128)bits;
}

static struct word word_of(enum live_type type, uint64_t bits)
{
    return (struct word){.type = type, .integer = integer_of(type, bits), .real = real_of(bits)};
}

static struct word pool_word(const struct live_program *program, enum live_type type, uint8_t b)
{
    uint64_t bits = live_numbers(program)[b - FIRST];
    struct word word = word_of(type, bits);
    if (type != LIVE_STRING)
        return word;
    word.length = (uint32_t)bits;
    memcpy(word.text, live_texts(program) + (bits >> 32), word.length);
    return word;
}

static bool holds(const struct word *a)
{
    return !a->is_missing && (a->type == LIVE_STRING ? a->length > 0
                              : a->type == LIVE_REAL ? a->real != 0 && !isnan(a->real)
                                                     : a->integer != 0);
}

static int order_texts(const struct word *a, const struct word *b)
{
    int order = memcmp(a->text, b->text, a->length < b->length ? a->length : b->length);
    return order ? order : (a->length > b->length) - (a->length < b->length);
}

/* A long double of x86 holds all integers of 64 bits. */
static long double real_value(const struct word *a)
{
    return a->type == LIVE_REAL     ? (long double)a->real
           : a->type == LIVE_STRING ? 0
                                    : (long double)a->integer;
}

static bool relate(enum live_code code, const struct word *a, const struct word *b)
{
    int order;
    if (a->is_missing || b->is_missing)
        return false;
    if (code == LIVE_BEGINS)
        return a->length >= b->length && !memcmp(a->text, b->text, b->length);
    if (isnan(real_value(a)) || isnan(real_value(b)))
        return code == LIVE_UNEQUAL;
    if (a->type == LIVE_REAL)
        order = (real_value(a) > real_value(b)) - (real_value(a) < real_value(b));
    else if (a->type == LIVE_STRING)
        order = order_texts(a, b);
    else
        order = (a->integer > b->integer) - (a->integer < b->integer);
    return code == LIVE_EQUAL        ? order == 0
           : code == LIVE_UNEQUAL    ? order != 0
           : code == LIVE_LESS       ? order < 0
           : code == LIVE_LESS_EQUAL ? order <= 0
           : code == LIVE_MORE       ? order > 0
                                     : order >= 0;
}

/* False: there is none. Long doubles hold what integers of 128 bits do not. */
static bool calculate(enum live_code code, __int128 a, __int128 b, __int128 *result)
{
    switch (code) {
    case LIVE_ADD:
        *result = a + b;
        return true;
    case LIVE_SUBTRACT:
        *result = a - b;
        return true;
    case LIVE_MULTIPLY:
        return !__builtin_mul_overflow(a, b, result);
    case LIVE_DIVIDE:
        return b && (*result = a / b, true);
    case LIVE_REMAINDER:
        return b && (*result = a % b, true);
    case LIVE_AND:
        *result = a & b;
        return true;
    case LIVE_OR:
        *result = a | b;
        return true;
    case LIVE_XOR:
        *result = a ^ b;
        return true;
    case LIVE_LEFT:
        return b >= 0 && b < 64 && !__builtin_mul_overflow(a, (__int128)1 << b, result);
    default:
        return b >= 0 && b < 64 && (*result = a >> b, true);
    }
}

/* The same of doubles. */
static void calculate_reals(enum live_code code, const struct word *a, const struct word *b,
                            struct word *made)
{
    made->real = code == LIVE_ADD        ? a->real + b->real
                 : code == LIVE_SUBTRACT ? a->real - b->real
                 : code == LIVE_MULTIPLY ? a->real * b->real
                                         : a->real / b->real;
    made->is_missing = code == LIVE_DIVIDE && b->real == 0;
}

static void set_integer(struct word *word, __int128 integer)
{
    bool fits = word->type == LIVE_SIGNED ? integer >= INT64_MIN && integer <= INT64_MAX
                                          : integer >= 0 && integer <= (__int128)UINT64_MAX;
    word->integer = integer;
    word->is_missing = !fits;
}

static void load(struct word *word, uintptr_t address, size_t most, bool is_text)
{
    const char *from = (const char *)address;
    const char *problem = !address ? "<null>" : address < 65536 ? "<fault>" : NULL;
    if (problem && !is_text) /* of bytes there are none */
        problem = "";
    if (problem)
        from = problem, most = strlen(problem);
    word->length = is_text || problem ? strnlen(from, most < LIVE_TEXT ? most : LIVE_TEXT)
                   : most < LIVE_TEXT ? most
                                      : LIVE_TEXT;
    memcpy(word->text, from, word->length);
}

static struct word scale(const struct word *a, uint64_t factor)
{
    struct word word = {.type = LIVE_SIGNED};
    double product = trunc(a->real * (double)factor);
    word.is_missing = a->is_missing || !(product >= -0x1p63 && product < 0x1p63);
    if (!word.is_missing)
        word.integer = (__int128)product;
    return word;
}

/* Objects of string_view's form, with room for elements after them. */
static union {
    struct sdt_text view[4];
    char room[2 * LIVE_TEXT];
} views = {{{"a view", 4}, {NULL, 0}, {NULL, 3}, {(const char *)4096, 2}}};

static void load_view(struct word *word, uintptr_t address)
{
    struct sdt_text view = {(const char *)1, 1};
    if (address >= 65536)
        memcpy(&view, (const void *)address, sizeof view);
    bool is_known = view.text == views.view[0].text || (uintptr_t)view.text < 65536;
    const char *from = is_known ? view.text : (const char *)1;
    load(word, view.length ? (uintptr_t)from : (uintptr_t) "", view.length, true);
}

static void load_element(struct word *word, const struct live_step *at, const struct word *a,
                         const struct word *b, const struct word *count)
{
    unsigned size = at->kind & LIVE_KIND_SIZE;
    uint64_t bits = 0;
    float narrow;
    word->is_missing = b->integer < 0 || b->integer >= count->integer || a->integer < 65536 ||
                       count->integer > INT64_MAX;
    if (word->is_missing)
        return;
    const char *from = (const char *)(uintptr_t)(uint64_t)a->integer;
    memcpy(&bits, from + (uint64_t)b->integer * size, size);
    memcpy(&narrow, &bits, sizeof narrow);
    int64_t extended = (int64_t)(bits << (64 - 8 * size)) >> (64 - 8 * size);
    word->integer = word->type == LIVE_SIGNED ? extended : (__int128)bits;
    word->real = size == 4 ? (double)narrow : real_of(bits);
}

/* False: the program ends. */
static bool step(const struct live_program *program, unsigned i, enum live_type type,
                 const uint64_t *arguments, struct word *registers)
{
    const struct live_step *at = &program->step[i];
    enum live_code code = (enum live_code)at->code;
    struct word a = {0}, b = {0}, made = {.type = type};
    if (code > LIVE_NUMBER)
        a = registers[at->a];
    if (code == LIVE_ELEMENT)
        b = at->b < FIRST ? registers[at->b] : pool_word(program, LIVE_UNSIGNED, at->b);
    else if (code > LIVE_LOAD && code != LIVE_LOAD_VIEW && code != LIVE_LENGTH &&
             code != LIVE_TO_REAL)
        b = at->b < FIRST ? registers[at->b]
                          : pool_word(program, code == LIVE_SCALE ? LIVE_UNSIGNED : a.type, at->b);
    if (code == LIVE_UNLESS)
        return holds(&a);
    if (code == LIVE_ARGUMENT)
        made = word_of(type, arguments[at->a]);
    else if (code == LIVE_NUMBER)
        made = pool_word(program, type, at->b);
    else if (code == LIVE_LOAD)
        load(&made, (uintptr_t)(uint64_t)a.integer, LIVE_TEXT, true);
    else if (code == LIVE_LOAD_N)
        load(&made, (uintptr_t)(uint64_t)a.integer, b.integer < 0 ? 0 : (size_t)b.integer,
             at->kind == 1);
    else if (code == LIVE_LOAD_VIEW)
        load_view(&made, (uintptr_t)(uint64_t)a.integer);
    else if (code == LIVE_LENGTH)
        made.integer = (__int128)a.length;
    else if (code == LIVE_TO_REAL)
        made.real = (double)a.integer;
    else if (code == LIVE_CUT) {
        made = a;
        made.length = b.integer < 0                       ? 0
                      : b.integer < (__int128)made.length ? (size_t)b.integer
                                                          : made.length;
    } else if (type == LIVE_REAL && code >= LIVE_ADD && code <= LIVE_DIVIDE)
        calculate_reals(code, &a, &b, &made);
    else if (code == LIVE_ELEMENT)
        load_element(&made, at, &a, &b, &registers[at->c]);
    else if (code == LIVE_SCALE)
        made = scale(&a, (uint64_t)b.integer);
    else if (code == LIVE_NEGATE && type == LIVE_REAL)
        made.real = -a.real;
    else if (code == LIVE_NEGATE)
        set_integer(&made, -a.integer);
    else if (code == LIVE_COMPLEMENT)
        set_integer(&made, ~a.integer);
    else if (code >= LIVE_EQUAL && code <= LIVE_BEGINS)
        made.integer = relate(code, &a, &b);
    else if (code == LIVE_TRUTH)
        made.integer = holds(&a);
    else if (code == LIVE_NOT)
        made.integer = !holds(&a);
    else if (code == LIVE_BOTH)
        made.integer = holds(&a) && holds(&b);
    else if (code == LIVE_EITHER)
        made.integer = holds(&a) || holds(&b);
    else {
        __int128 result = 0;
        bool is_there = calculate(code, a.integer, b.integer, &result);
        set_integer(&made, result);
        made.is_missing |= !is_there;
    }
    if (code > LIVE_UNLESS)
        made.is_missing |= a.is_missing || (code == LIVE_CUT && b.is_missing) ||
                           (code == LIVE_ELEMENT && (b.is_missing || registers[at->c].is_missing));
    if (code < LIVE_EQUAL && code > LIVE_NUMBER)
        made.is_missing |= a.is_missing || (code != LIVE_NEGATE && code != LIVE_COMPLEMENT &&
                                            code != LIVE_LOAD && b.is_missing);
    registers[at->to] = made;
    return true;
}

/* ---- Random programs. ---- */

static uint64_t state = 42;

static uint64_t any(uint64_t below)
{
    state = state * UINT64_C(6364136223846793005) + 1442695040888963407;
    return (state >> 33) % below;
}

/* Each as long as may be read. */
static const char texts[][LIVE_TEXT + 1] = {
    "", "a", "request", "requests", "request-8", "0123456789abcdef", "\x80\xff\xfe binary"};

static uint64_t any_number(void)
{
    static const uint64_t some[] = {0,
                                    1,
                                    2,
                                    7,
                                    8,
                                    63,
                                    64,
                                    65,
                                    4096,
                                    INT64_MAX,
                                    UINT64_MAX,
                                    UINT64_C(1) << 63,
                                    UINT64_MAX - 7,
                                    UINT32_MAX};
    static const double reals[] = {0.0, -0.0, 1.5, -1.5, 1e300, 1e-310, 123456.75, -0x1p62};
    uint64_t bits;
    switch (any(5)) {
    case 0:
        return (uintptr_t)texts[any(sizeof texts / sizeof *texts)];
    case 1:
        memcpy(&bits, &reals[any(sizeof reals / sizeof *reals)], sizeof bits);
        return any(20) ? bits : UINT64_C(0x7ff8000000000000); /* NaN */
    case 2:
        return any(100);
    default:
        return some[any(sizeof some / sizeof *some)];
    }
}

/* A step that may be wrong. Addresses are arguments 4 and 5, or bad ones. */
static struct live_step any_step(void)
{
    struct live_step step = {.code = (uint8_t)any(LIVE_CODES), .to = (uint8_t)any(LIVE_REGISTERS)};
    step.a = (uint8_t)any(LIVE_REGISTERS);
    step.b = (uint8_t)(any(3) ? any(LIVE_REGISTERS) : FIRST + any(8));
    if (step.code == LIVE_ARGUMENT) {
        step.a %= 6;
        step.b = (uint8_t)(1 + any(3));
    } else if (step.code == LIVE_NUMBER) {
        step.a = (uint8_t)(1 + any(3));
        step.b = (uint8_t)(FIRST + any(8));
    } else if (step.code == LIVE_ELEMENT) {
        static const uint8_t kinds[] = {1, 2, 4, 8, 0x11, 0x12, 0x14, 0x18, 0x24, 0x28, 0x34, 3};
        step.kind = kinds[any(sizeof kinds)];
        step.c = (uint8_t)any(LIVE_REGISTERS);
        step.b = (uint8_t)(FIRST + 1 + any(7));
    } else if (step.code == LIVE_SCALE)
        step.b = FIRST; /* a small number */
    else if (step.code == LIVE_LOAD_N)
        step.kind = (uint8_t)any(2);
    else if (any(2))
        step.b = 0;
    if (step.code == LIVE_UNLESS)
        step.to = 0;
    return step;
}

/* Whether it reads memory that this program says where it is: argument 4 or 5, not calculated. */
static bool is_safe(const struct live_step *steps, unsigned n, const struct live_step *step,
                    const uint64_t *numbers)
{
    bool is_element = step->code == LIVE_ELEMENT;
    if (step->code != LIVE_LOAD && step->code != LIVE_LOAD_N && step->code != LIVE_LOAD_VIEW &&
        !is_element)
        return step->code != LIVE_FACT;
    if (is_element && (step->b < FIRST || numbers[step->b - FIRST] > LIVE_TEXT / 8 - 1))
        return false;
    while (n-- > 0)
        if (steps[n].to == step->a && steps[n].code != LIVE_UNLESS)
            return steps[n].code == LIVE_ARGUMENT && steps[n].a >= 4 &&
                   (step->code != LIVE_LOAD_N || step->b < FIRST);
    return false;
}

/* Append steps that the check takes; the last register that was written is the key. */
static bool make_program(union bytes *bytes, struct live_types *types)
{
    struct live_step steps[24] = {{LIVE_ARGUMENT, 14, 4, LIVE_UNSIGNED, 0, 0, 0},
                                  {LIVE_LOAD, 15, 14, 0, 0, 0, 0},
                                  {LIVE_ARGUMENT, 13, 5, LIVE_UNSIGNED, 0, 0, 0},
                                  {LIVE_LOAD, 12, 13, 0, 0, 0, 0}};
    uint64_t numbers[8] = {any(10)};
    char pool[16] = "request";
    unsigned n = any(2) ? 4 : 0, most = 4 + (unsigned)any(20);
    for (unsigned i = 1; i < 8; i++)
        numbers[i] = any(4) ? any_number() : any(8); /* texts at 0, up to 7 bytes */
    memset(bytes, 0, sizeof *bytes);
    bytes->program.value = bytes->program.key[0] = bytes->program.key[1] = NO;
    for (unsigned tries = 0; tries < 4000 && n < most; tries++) {
        steps[n] = any_step();
        if (steps[n].code == LIVE_UNLESS && any(4))
            continue;
        size_t size = assemble(&bytes->program, steps, n + 1, numbers, 8, pool, 16);
        if (is_safe(steps, n, &steps[n], numbers) && !live_program_check(bytes, size, NULL))
            n++;
    }
    for (unsigned i = n; i-- > 0;) {
        if (steps[i].code == LIVE_UNLESS)
            continue;
        bytes->program.key[0] = steps[i].to;
        size_t size = assemble(&bytes->program, steps, n, numbers, 8, pool, 16);
        return !live_program_check(bytes, size, types);
    }
    return false;
}

static bool is_key(const struct live_key *key, const struct word *word)
{
    if (word->type == LIVE_STRING) {
        size_t n = word->length < 64 ? word->length : 64;
        return key->length[0] == n && !memcmp(key->text[0], word->text, n);
    }
    return key->number[0] == (uint64_t)word->integer;
}

/* Run PROGRAM both ways. Returns 0, 1, 2: it ended, nothing was counted, something was. */
static int compare(const union bytes *bytes, const struct live_types *types,
                   const uint64_t *arguments)
{
    struct live_table_spec spec = {.key = {types->key[0]}, .keys = 4};
    struct word registers[LIVE_REGISTERS] = {{0}};
    struct live_aggregation *aggregation;
    struct live_sums sums = {0};
    struct live_key key;
    bool goes_on = true, found = false;
    spec.key_text = types->key[0] == LIVE_STRING ? 64 : 0;
    struct table table = table_new(spec, 0);
    const char *problem = live_aggregation_make(&aggregation, bytes, bytes->program.size,
                                                table.memory, &table.layout);
    CHECK(!problem);
    hit(aggregation, arguments, 6);
    for (unsigned i = 0; goes_on && i < bytes->program.steps; i++)
        goes_on = step(&bytes->program, i, types->at[i], arguments, registers);
    const struct word *word = &registers[bytes->program.key[0]];
    for (uint32_t row = 0; row < live_rows(&table.layout); row++)
        if (live_row_key(&table.view, row, &key)) {
            CHECK(goes_on && !word->is_missing && is_key(&key, word));
            live_row_add(&table.view, row, &sums);
            found = true;
        }
    CHECK(found == (goes_on && !word->is_missing) && sums.count == found);
    CHECK(table_header(&table)->missing == (goes_on && word->is_missing));
    live_aggregation_free(aggregation);
    table_free(&table);
    return !goes_on ? 0 : found ? 2 : 1;
}

static void print_program(const struct live_program *program)
{
    for (unsigned i = 0; i < program->steps; i++)
        printf("  %2u: code %u to %u a %u b %u c %u kind %u\n", i, program->step[i].code,
               program->step[i].to, program->step[i].a, program->step[i].b, program->step[i].c,
               program->step[i].kind);
}

static void check_random(void)
{
    enum { PROGRAMS = 4000, HITS = 4 };
    unsigned results[3] = {0}, codes[LIVE_CODES] = {0};
    for (unsigned i = 0; i < PROGRAMS; i++) {
        union bytes bytes;
        struct live_types types;
        if (!make_program(&bytes, &types))
            continue;
        for (unsigned k = 0; k < bytes.program.steps; k++)
            codes[bytes.program.step[k].code]++;
        for (unsigned k = 0; k < HITS; k++) {
            uint64_t arguments[6];
            int before = check_failures;
            for (unsigned a = 0; a < 6; a++)
                arguments[a] = any_number();
            for (unsigned a = 4; a < 6; a++)
                arguments[a] = !any(3)  ? (uintptr_t)&views.view[any(4)]
                               : any(6) ? (uintptr_t)texts[any(sizeof texts / sizeof *texts)]
                                        : any(2) * 4096;
            results[compare(&bytes, &types, arguments)]++;
            if (check_failures > before) {
                print_program(&bytes.program);
                return;
            }
        }
    }
    CHECK(results[0] > 100 && results[1] > 500 && results[2] > 5000);
    for (unsigned code = 0; code < LIVE_CODES; code++)
        CHECK(code == LIVE_FACT || codes[code] > 20);
}

/* ---- Forms that run without steps. ---- */

static uint64_t count_of(const struct live_step *steps, size_t n, uint64_t number,
                         const uint64_t *arguments)
{
    union bytes bytes = {.program = {.value = NO, .key = {NO, NO}}};
    struct table table = table_new((struct live_table_spec){.keys = 0}, 0);
    struct live_aggregation *aggregation;
    struct live_sums sums = {0};
    size_t size = assemble(&bytes.program, steps, n, &number, 1, NULL, 0);
    CHECK(!live_aggregation_make(&aggregation, &bytes, size, table.memory, &table.layout));
    hit(aggregation, arguments, 2);
    live_row_add(&table.view, 0, &sums);
    live_aggregation_free(aggregation);
    table_free(&table);
    return sums.count;
}

/* A comparison of an argument with a number, in all cases at the edges. */
static void check_tests(void)
{
    static const uint64_t edges[] = {0,
                                     1,
                                     INT64_MAX - 1,
                                     INT64_MAX,
                                     UINT64_C(1) << 63,
                                     (UINT64_C(1) << 63) + 1,
                                     UINT64_MAX - 1,
                                     UINT64_MAX};
    enum { EDGES = sizeof edges / sizeof *edges };
    for (unsigned code = LIVE_EQUAL; code <= LIVE_MORE_EQUAL; code++)
        for (uint8_t type = LIVE_SIGNED; type <= LIVE_UNSIGNED; type++)
            for (unsigned i = 0; i < EDGES * EDGES; i++) {
                uint64_t arguments[2] = {7, edges[i % EDGES]}, number = edges[i / EDGES];
                struct word a = word_of(type, arguments[1]), b = word_of(type, number);
                const struct live_step steps[] = {{LIVE_ARGUMENT, 0, 1, type, 0, 0, 0},
                                                  {(uint8_t)code, 0, 0, FIRST, 0, 0, 0},
                                                  {LIVE_UNLESS, 0, 0, 0, 0, 0, 0}};
                uint64_t n = count_of(steps, 3, number, arguments);
                CHECK(n == relate((enum live_code)code, &a, &b));
            }
}

/* Two of them. */
static void check_two_tests(void)
{
    const struct live_step steps[] = {{LIVE_ARGUMENT, 0, 0, LIVE_SIGNED, 0, 0, 0},
                                      {LIVE_MORE, 1, 0, FIRST, 0, 0, 0},
                                      {LIVE_UNLESS, 0, 1, 0, 0, 0, 0},
                                      {LIVE_ARGUMENT, 0, 1, LIVE_SIGNED, 0, 0, 0},
                                      {LIVE_LESS, 1, 0, FIRST, 0, 0, 0},
                                      {LIVE_UNLESS, 0, 1, 0, 0, 0, 0}};
    for (uint64_t i = 0; i < 9; i++) {
        const uint64_t arguments[] = {9 + i / 3, 9 + i % 3};
        CHECK(count_of(steps, 6, 10, arguments) == (i == 6));
    }
}

/* A text of each length from 0 on as the key, twice: of those that are cut, one row has all. */
static void check_text_keys(uint32_t key_text, uint8_t value)
{
    enum { LENGTHS = LIVE_TEXT + 44, PLACES = 8 };
    static const struct live_step steps[] = {{LIVE_ARGUMENT, 0, 0, LIVE_UNSIGNED, 0, 0, 0},
                                             {LIVE_LOAD, 1, 0, 0, 0, 0, 0},
                                             {LIVE_ARGUMENT, 2, 1, LIVE_UNSIGNED, 0, 0, 0}};
    static const char *const unreadable[] = {"<null>", "<fault>"};
    union bytes bytes = {.program = {.action = value ? LIVE_HIST : LIVE_COUNT,
                                     .value = value ? 2 : NO,
                                     .key = {1, NO}}};
    struct table table = table_new(
        (struct live_table_spec){
            .value = value, .key = {LIVE_STRING}, .keys = 1024, .key_text = key_text},
        0);
    struct live_aggregation *aggregation;
    char room[LENGTHS + PLACES] __attribute__((aligned(8))), expected[LENGTHS];
    uint64_t left = 2 * (LENGTHS + 2);
    size_t size = assemble(&bytes.program, steps, 3, NULL, 0, NULL, 0);
    CHECK(!live_aggregation_make(&aggregation, &bytes, size, table.memory, &table.layout));
    CHECK(aggregation->is_quick);
    for (unsigned i = 0; i < LENGTHS; i++)
        expected[i] = (char)('a' + i % 23);
    for (unsigned i = 0; i < 2 * LENGTHS; i++) {
        char *text = room + i % PLACES;
        memset(room, '!', sizeof room);
        memcpy(text, expected, i / 2);
        text[i / 2] = 0;
        hit(aggregation, (const uint64_t[2]){(uintptr_t)text, 5}, 2);
    }
    for (uint64_t i = 0; i < 4; i++)
        hit(aggregation, (const uint64_t[2]){i / 2 * 4096, 5}, 2);
    for (uint32_t row = 0; row < live_rows(&table.layout); row++) {
        struct live_sums sums = {0};
        struct live_key key;
        if (!live_row_key(&table.view, row, &key))
            continue;
        const char *is = key.text[0][0] == '<' ? unreadable[key.text[0][1] == 'f'] : expected;
        unsigned n = key.length[0], all = LENGTHS - n;
        live_row_add(&table.view, row, &sums);
        CHECK(n <= key_text && !memcmp(key.text[0], is, n));
        CHECK(sums.count == (is == expected && n == key_text ? 2 * all : 2));
        left -= sums.count;
    }
    CHECK(left == 0);
    live_aggregation_free(aggregation);
    table_free(&table);
}

/* What a hit is, beside its arguments. */
static void check_facts(void)
{
    static const struct live_step steps[] = {
        {LIVE_FACT, 0, LIVE_TID, 0, 0, 0, 0},  {LIVE_FACT, 1, LIVE_PID, 0, 0, 0, 0},
        {LIVE_EQUAL, 2, 0, 1, 0, 0, 0},        {LIVE_UNLESS, 0, 2, 0, 0, 0, 0},
        {LIVE_FACT, 3, LIVE_CPU, 0, 0, 0, 0},  {LIVE_LESS, 3, 3, FIRST, 0, 0, 0},
        {LIVE_UNLESS, 0, 3, 0, 0, 0, 0},       {LIVE_FACT, 4, LIVE_COMM, 0, 0, 0, 0},
        {LIVE_FACT, 5, LIVE_NAME, 0, 0, 0, 0}, /* of no probe: "" */
        {LIVE_BEGINS, 4, 4, 5, 0, 0, 0},       {LIVE_UNLESS, 0, 4, 0, 0, 0, 0}};
    CHECK(count_of(steps, 11, 65536, (const uint64_t[2]){0, 0}) == 1);
}

int main(void)
{
    check_random();
    check_tests();
    check_two_tests();
    check_text_keys(8, LIVE_NONE);
    check_text_keys(64, LIVE_NONE);
    check_text_keys(LIVE_MAX_KEY_TEXT, LIVE_NONE);
    check_text_keys(64, LIVE_UNSIGNED);
    check_facts();
    return check_failures != 0;
}
