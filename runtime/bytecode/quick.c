/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See quick.h. Which comparisons of a program are tests of its arguments, and what these must be.
 *
 * A comparison of an integer argument with a number is one with a range. So is one of a double, in
 * the order that doubles have as integers; and what is calculated of one argument and numbers,
 * `bytes / 1e6 > 2.5`, rises or falls with it, rounding and overflow included: then the arguments
 * that are accepted are a range as well, whose ends are found by trying, 64 times each, with the
 * functions that a hit would have called. Only a product of two arguments is left to the hit.
 */
#include "quick.h"

#include "softfloat.h"
#include "tests.h"

#include <string.h>

static const uint64_t sign_bit = UINT64_C(1) << 63;
static const uint64_t infinity = UINT64_C(0x7ff) << 52; /* in order, the largest; and its bits */

/* ---- What a comparison accepts. ---- */

static struct range all_if(bool are_accepted)
{
    return (struct range){0, UINT64_MAX, !are_accepted};
}

/* Of numbers from LEAST to MOST, and NaNs, which are none of these. */
static struct range range_of(unsigned accepts, uint64_t number, uint64_t least, uint64_t most)
{
    bool has_less = accepts & ORDER_LESS, has_more = accepts & ORDER_MORE;
    bool has_equal = accepts & ORDER_EQUAL;
    if (has_less && has_more) /* all others */
        return (struct range){number, 0, true};
    if ((has_less && !has_equal && number == least) || (has_more && !has_equal && number == most))
        return all_if(false);
    uint64_t low = has_less ? least : number + !has_equal;
    uint64_t high = has_more ? most : number - !has_equal;
    return (struct range){low, high - low, false};
}

void quick_take_range(struct op *op)
{
    const uint64_t order = (uint64_t)softfloat_order(op->number);
    if (op->code == OP_COMPARE) {
        op->range = range_of(op->accepts, op->number + op->bias, 0, UINT64_MAX);
        op->range.low -= op->bias;
    } else if (softfloat_is_nan(op->number)) {
        op->range = all_if(op->accepts & ORDER_NONE);
    } else {
        op->range =
            range_of(op->accepts, order + sign_bit, sign_bit - infinity, sign_bit + infinity);
        op->range.low -= sign_bit;
    }
}

/* ---- Functions of one argument. ---- */

/* What wrote register NUMBER before OP. */
static const struct op *writer(const struct op *first, const struct op *op, uint8_t number)
{
    while (op-- > first)
        if (op->to == number)
            return op;
    return NULL;
}

/* Whether operand b of OP, or a if IS_FIRST, is one and the same in all hits. */
static bool is_number(const struct op *first, const struct op *op, bool is_first, uint64_t *number)
{
    const struct op *made = NULL;
    if (is_first || !op->has_number)
        made = writer(first, op, is_first ? op->a : op->b);
    *number = made ? made->number : op->number;
    return !made || made->code == OP_NUMBER;
}

/* The value that OP makes if the argument is X. OP is one of those that follow() takes. */
static uint64_t value_of(const struct op *first, const struct op *op, uint64_t x)
{
    uint64_t a, b = 0;
    if (op->code == OP_ARGUMENT)
        return x;
    if (op->code == OP_NUMBER)
        return op->number;
    a = value_of(first, writer(first, op, op->a), x);
    if (op->code != OP_TO_REAL && op->code != OP_NEGATE_REAL)
        b = op->has_number ? op->number : value_of(first, writer(first, op, op->b), x);
    return op->code == OP_TO_REAL         ? softfloat_from_integer(a, op->is_signed & 1)
           : op->code == OP_NEGATE_REAL   ? a ^ sign_bit
           : op->code == OP_ADD_REAL      ? softfloat_add(a, b)
           : op->code == OP_SUBTRACT_REAL ? softfloat_subtract(a, b)
           : op->code == OP_MULTIPLY_REAL ? softfloat_multiply(a, b)
                                          : softfloat_divide(a, b);
}

/* The argument that OP is, or is of, as a double. False: it is none. */
static bool take_argument(const struct op *first, const struct op *op, struct quick_real *real)
{
    real->type = op->code != OP_TO_REAL ? LIVE_REAL
                 : op->is_signed & 1    ? LIVE_SIGNED
                                        : LIVE_UNSIGNED;
    if (op->code == OP_TO_REAL)
        op = writer(first, op, op->a);
    real->argument = (uint8_t)op->number;
    return op->code == OP_ARGUMENT;
}

/* What has made the operand of OP that is no number, if OP rises or falls with it, and makes a NaN
 * of nothing else: so sums with what is finite, and products with what is not 0 either. (Divisions
 * are by numbers: is_pure().) NULL: not so. */
static const struct op *source(const struct op *first, const struct op *op)
{
    bool is_product = op->code == OP_MULTIPLY_REAL || op->code == OP_DIVIDE_REAL;
    uint8_t varies = op->a;
    uint64_t number;
    if (op->code == OP_NEGATE_REAL)
        return writer(first, op, op->a);
    if (!is_product && op->code != OP_ADD_REAL && op->code != OP_SUBTRACT_REAL)
        return NULL;
    if (!is_number(first, op, false, &number)) {
        if (!is_number(first, op, true, &number))
            return NULL;
        varies = op->b;
    }
    bool keeps_order = (number & infinity) != infinity && !(is_product && number << 1 == 0);
    return keeps_order ? writer(first, op, varies) : NULL;
}

/* Whether OP makes something of one argument by such steps. */
static bool follow(const struct op *first, const struct op *op, struct quick_real *real)
{
    while (op && !take_argument(first, op, real))
        op = source(first, op);
    return op != NULL;
}

/* ---- The arguments for which they are in a range. ---- */

struct search {
    const struct op *first, *op;
    const struct quick_real *real;
    uint64_t last; /* arguments are numbered in their order, from 0 to that */
    bool falls;
};

static uint64_t bits_of(const struct search *search, uint64_t number)
{
    int64_t order = (int64_t)(number - infinity);
    return search->real->type == LIVE_SIGNED     ? number - sign_bit
           : search->real->type == LIVE_UNSIGNED ? number
           : order < 0                           ? (uint64_t)-order | sign_bit
                                                 : (uint64_t)order;
}

static int64_t order_at(const struct search *search, uint64_t number)
{
    return softfloat_order(value_of(search->first, search->op, bits_of(search, number)));
}

/* The first at which the result has risen to LIMIT, or has fallen to it. False: none. */
static bool first_at(const struct search *search, int64_t limit, uint64_t *found)
{
    uint64_t low = 0, high = search->last;
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        int64_t order = order_at(search, middle);
        if (search->falls ? order <= limit : order >= limit)
            high = middle;
        else
            low = middle + 1;
    }
    *found = low;
    int64_t order = order_at(search, low);
    return search->falls ? order <= limit : order >= limit;
}

/* What the argument must be for that which is made of it by OP to be in RANGE. */
static struct range solve(const struct op *first, const struct op *op,
                          const struct quick_real *real, struct range range)
{
    struct search search = {first, op, real, real->type == LIVE_REAL ? 2 * infinity : UINT64_MAX,
                            false};
    int64_t low = (int64_t)range.low, high = (int64_t)(range.low + range.span);
    uint64_t begin, end;
    if (range.span == UINT64_MAX)
        return range;
    search.falls = order_at(&search, 0) > order_at(&search, search.last);
    if (!first_at(&search, search.falls ? high : low, &begin))
        return all_if(range.fails);
    bool has_end = first_at(&search, search.falls ? low - 1 : high + 1, &end);
    if (has_end && begin == end)
        return all_if(range.fails);
    end = has_end ? end - 1 : search.last;
    return (struct range){.low = real->type == LIVE_REAL     ? begin - infinity
                                 : real->type == LIVE_SIGNED ? begin - sign_bit
                                                             : begin,
                          .span = end - begin,
                          .fails = range.fails};
}

/* ---- Tests. ---- */

/* The argument that register NUMBER is, or is the text of, by the last step that wrote it before
 * END. */
static uint8_t argument_of(const struct live_program *program, unsigned end, uint8_t number)
{
    while (end-- > 0) {
        const struct live_step *step = &program->step[end];
        if (step->code == LIVE_UNLESS || step->to != number)
            continue;
        return step->code == LIVE_ARGUMENT                     ? step->a
               : step->code == LIVE_LOAD                       ? argument_of(program, end, step->a)
               : step->code != LIVE_FACT                       ? QUICK_NONE
               : step->a == LIVE_TID || step->a == LIVE_THREAD ? QUICK_TID
                                                               : QUICK_NONE;
    }
    return QUICK_NONE;
}

/* OP compares a double with a number. */
static bool take_real(const struct op *first, const struct op *op, struct quick_test *test)
{
    const struct op *made = writer(first, op, op->a);
    struct quick_real *a = &test->real[0], *b = &test->real[1];
    if (follow(first, made, a)) {
        test->kind = a->type == LIVE_REAL ? QUICK_REAL : QUICK_INTEGER;
        test->range = solve(first, made, a, op->range);
        return true;
    }
    if (made->code != OP_MULTIPLY_REAL || made->has_number ||
        !take_argument(first, writer(first, made, made->a), a) ||
        !take_argument(first, writer(first, made, made->b), b))
        return false;
    bool is_square = a->argument == b->argument && a->type == b->type;
    test->kind = is_square ? QUICK_SQUARE : QUICK_PRODUCT;
    test->range = op->range;
    return true;
}

/* Whether the op made of a comparison is a test; it is added. */
static bool take_test(struct live_aggregation *made, const struct op *op)
{
    struct quick *quick = &made->quick;
    if (quick->tests == QUICK_TESTS || !op->ends || !op->has_number)
        return false;
    struct quick_test *test = &quick->test[quick->tests++];
    if (op->code == OP_COMPARE_REAL)
        return take_real(made->op, op, test);
    const struct op *argument = writer(made->op, op, op->a);
    test->real[0].argument = (uint8_t)argument->number;
    test->range = op->range;
    return op->code == OP_COMPARE && argument->code == OP_ARGUMENT;
}

/* Whether OP needs not be executed if nothing needs its result: it has no other effect, and is
 * never missing. */
static bool is_pure(const struct op *op)
{
    switch ((enum op_code)op->code) {
    case OP_ARGUMENT:
    case OP_LOAD:
    case OP_TID:
    case OP_NUMBER:
    case OP_TO_REAL:
    case OP_NEGATE_REAL:
    case OP_ADD_REAL:
    case OP_SUBTRACT_REAL:
    case OP_MULTIPLY_REAL:
        return true;
    default:
        return op->code == OP_DIVIDE_REAL && op->has_number && op->number << 1 != 0;
    }
}

static bool take_tests(const struct live_program *program, struct live_aggregation *made)
{
    const struct op *op = made->op, *end = op + made->steps;
    for (unsigned i = 0; i < program->steps; i++) {
        bool is_unless = program->step[i].code == LIVE_UNLESS;
        if (is_unless && op < end && op->to == LIVE_REGISTERS)
            return false; /* not of a comparison */
        if (is_unless)
            continue;
        if (!is_pure(op) && !take_test(made, op))
            return false;
        op++;
    }
    return true;
}

bool quick_take(const struct live_program *program, const struct live_types *types,
                struct live_aggregation *made)
{
    struct quick *quick = &made->quick;
    quick->value = quick->key = QUICK_NONE;
    if (!take_tests(program, made))
        return false;
    for (unsigned i = 0; i < quick->tests; i++)
        quick->test[i].holds = tests_function((enum quick_kind)quick->test[i].kind);
    if (program->value != LIVE_NO_REGISTER)
        quick->value = argument_of(program, program->steps, program->value);
    if (program->key[0] != LIVE_NO_REGISTER)
        quick->key = argument_of(program, program->steps, program->key[0]);
    quick->is_text = types->key[0] == LIVE_STRING;
    if (program->action >= LIVE_START)
        return program->key[0] == LIVE_NO_REGISTER && types->value != LIVE_STRING &&
               quick->value != QUICK_NONE;
    return program->key[1] == LIVE_NO_REGISTER &&
           (program->value == LIVE_NO_REGISTER || quick->value < QUICK_TID) &&
           (program->key[0] == LIVE_NO_REGISTER || quick->key != QUICK_NONE) &&
           (!quick->is_text || quick->key < QUICK_TID);
}
