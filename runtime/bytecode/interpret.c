/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See interpret.h. The meaning of each step, types included, was decided when the aggregation was
 * made: each op has the address of its function, and that ends in a jump to the next one's, so that
 * an op takes little more than what it calculates. Few values are missing; so a function asks once
 * whether anything is that it would touch, and leaves those cases to step_missing().
 *
 * This file is compiled for general registers only; softfloat.h calculates with doubles.
 */
#include "interpret.h"

#include "hit/argument.h"
#include "hit/counters.h"
#include "hit/sync.h"
#include "softfloat.h"
#include "texts.h"

#include <machine/thread.h>
#include <sys/syscall.h>
#include <unistd.h>

/* ---- Facts. ---- */

static uint64_t this_cpu(void)
{
    if (counters_cpus) {
        const char *area = machine_thread() + counters_area;
        uint32_t cpu = *(const volatile uint32_t *)(const void *)(area + 4); /* cpu_id */
        if (cpu < LIVE_MAX_CPUS)
            return cpu;
    }
    unsigned cpu = 0;
    syscall(SYS_getcpu, &cpu, NULL, NULL);
    return cpu;
}

/* ---- Integers. ---- */

static inline __int128 wide(uint64_t value, bool is_signed)
{
    return is_signed ? (__int128)(int64_t)value : (__int128)value;
}

/* By magnitudes; false: B is 0. */
static bool divide(__int128 a, __int128 b, __int128 *quotient, __int128 *remainder)
{
    uint64_t one = (uint64_t)(a < 0 ? -a : a), other = (uint64_t)(b < 0 ? -b : b);
    if (!other)
        return false;
    *quotient = (a < 0) != (b < 0) ? -(__int128)(one / other) : (__int128)(one / other);
    *remainder = a < 0 ? -(__int128)(one % other) : (__int128)(one % other);
    return true;
}

/* False: there is no result, or it does not fit. Out of line: all but sums and bits. */
static __attribute__((noinline)) bool calculate(enum op_code code, __int128 a, __int128 b,
                                                __int128 *result)
{
    __int128 other;
    switch (code) {
    case OP_DIVIDE:
        return divide(a, b, result, &other);
    case OP_REMAINDER:
        return divide(a, b, &other, result);
    case OP_MULTIPLY: /* of two 64 bits without a sign, there may be one too many */
        *result = (__int128)((unsigned __int128)a * (unsigned __int128)b);
        return a <= 0 || b <= 0 || *result > 0;
    case OP_LEFT:
        *result = (__int128)((unsigned __int128)a << (b & 63));
        return b >= 0 && b < 64;
    default:
        *result = a >> (b & 63);
        return b >= 0 && b < 64;
    }
}

static inline bool narrow(__int128 wide_value, bool is_signed, uint64_t *result)
{
    *result = (uint64_t)wide_value;
    return wide(*result, is_signed) == wide_value;
}

/* ---- Steps. ---- */

/* The next one. */
static inline bool go_on(struct run *run, const struct op *op)
{
    return op[1].step(run, op + 1);
}

/* The result of OP is VALUE. */
static inline bool go_on_with(struct run *run, const struct op *op, uint64_t value)
{
    run->reg[op->to] = value;
    return go_on(run, op);
}

/* There is no result. */
static inline bool lose(struct run *run, const struct op *op)
{
    run->missing |= UINT32_C(1) << op->to;
    return go_on(run, op);
}

/* There is always one. */
static inline void find(struct run *run, const struct op *op)
{
    if (__builtin_expect(run->missing & op->touched, 0))
        run->missing &= ~op->touched;
}

/* The same of a condition, which may end the program. */
static inline bool go_on_if(struct run *run, const struct op *op, bool value)
{
    run->reg[op->to] = value;
    return value >= op->ends && go_on(run, op);
}

static inline bool is_touched(const struct run *run, const struct op *op)
{
    return __builtin_expect(run->missing & op->touched, 0);
}

static inline uint64_t operand_b(const struct run *run, const struct op *op)
{
    return op->has_number ? op->number : run->reg[op->b];
}

/* OP, where an operand is missing, or what it writes was. Of conditions, what is missing is false;
 * what else is made of it, is missing as well. */
static __attribute__((noinline)) bool step_missing(struct run *run, const struct op *op)
{
    const uint32_t missing = run->missing, to = UINT32_C(1) << op->to;
    run->missing &= ~to;
    if (!(missing & op->operands))
        return op->step(run, op);
    if (op->code < OP_FIRST_CONDITION)
        return lose(run, op);
    bool has_a = !(missing >> op->a & 1) && run->reg[op->a] != 0;
    bool has_b = (op->has_number || !(missing >> op->b & 1)) && operand_b(run, op) != 0;
    bool result = op->code == OP_NOT ? true /* a is missing */
                                     : op->code == OP_EITHER && (has_a || has_b);
    return go_on_if(run, op, result);
}

/* A step without operands. A site may have fewer arguments than the one that the program was made
 * for. */
static bool step_argument(struct run *run, const struct op *op)
{
    const struct fetch *fetch = run->event->fetch;
    if (__builtin_expect(op->number >= fetch->count, 0))
        return lose(run, op);
    uint64_t value = fetch->get[op->number](run->event, op->number, fetch);
    find(run, op);
    return go_on_with(run, op, value);
}

static bool step_number(struct run *run, const struct op *op)
{
    find(run, op);
    return go_on_with(run, op, op->number);
}

static bool step_thread(struct run *run, const struct op *op)
{
    find(run, op);
    return go_on_with(run, op, op->number | (uint64_t)(unsigned)sync_thread());
}

/* ---- Conditions. ---- */

static inline unsigned order_of(int order)
{
    return order == SOFTFLOAT_UNORDERED ? ORDER_NONE
           : order < 0                  ? ORDER_LESS
           : order > 0                  ? ORDER_MORE
                                        : ORDER_EQUAL;
}

static bool step_compare_number(struct run *run, const struct op *op)
{
    if (is_touched(run, op))
        return step_missing(run, op);
    return go_on_if(run, op, range_has(&op->range, run->reg[op->a]));
}

static bool step_compare_real_number(struct run *run, const struct op *op)
{
    if (is_touched(run, op))
        return step_missing(run, op);
    return go_on_if(run, op, range_has(&op->range, (uint64_t)softfloat_order(run->reg[op->a])));
}

static bool step_compare(struct run *run, const struct op *op)
{
    if (is_touched(run, op))
        return step_missing(run, op);
    uint64_t a = run->reg[op->a] + op->bias, b = run->reg[op->b] + op->bias;
    unsigned order = a < b ? ORDER_LESS : a > b ? ORDER_MORE : ORDER_EQUAL;
    return go_on_if(run, op, (order & op->accepts) != 0);
}

static bool step_logic(struct run *run, const struct op *op)
{
    if (is_touched(run, op))
        return step_missing(run, op);
    bool a = run->reg[op->a] != 0, b = operand_b(run, op) != 0;
    return go_on_if(run, op,
                    op->code == OP_TRUTH  ? a
                    : op->code == OP_NOT  ? !a
                    : op->code == OP_BOTH ? a && b
                                          : a || b);
}

/* Out of line, those that few programs have. */
static __attribute__((noinline)) bool holds(const struct op *op, uint64_t a, uint64_t b)
{
    __int128 one = wide(a, op->is_signed & 1), other = wide(b, op->is_signed & 2);
    switch ((enum op_code)op->code) {
    case OP_COMPARE_REAL:
        return order_of(softfloat_compare(a, b)) & op->accepts;
    case OP_COMPARE_MIXED:
        return order_of(softfloat_compare_integer(a, b, op->is_signed & 2)) & op->accepts;
    case OP_COMPARE_WIDE:
        return order_of((one > other) - (one < other)) & op->accepts;
    case OP_COMPARE_TEXT:
        return order_of(texts_compare(text_of(a), text_of(b))) & op->accepts;
    case OP_BEGINS:
        return texts_begin(text_of(a), text_of(b));
    case OP_TRUTH_REAL:
        return a << 1 && !softfloat_is_nan(a);
    default: /* OP_TRUTH_TEXT */
        return text_of(a)->length > 0;
    }
}

static bool step_condition(struct run *run, const struct op *op)
{
    if (is_touched(run, op))
        return step_missing(run, op);
    return go_on_if(run, op, holds(op, run->reg[op->a], operand_b(run, op)));
}

/* ---- Calculations. ---- */

static inline __int128 combine(enum op_code code, __int128 a, __int128 b)
{
    return code == OP_ADD        ? a + b
           : code == OP_SUBTRACT ? a - b
           : code == OP_AND      ? (a & b)
           : code == OP_OR       ? (a | b)
                                 : (a ^ b);
}

/* Sums and bits. */
static bool step_combine(struct run *run, const struct op *op)
{
    if (is_touched(run, op))
        return step_missing(run, op);
    __int128 a = wide(run->reg[op->a], op->is_signed & 1);
    __int128 b = wide(operand_b(run, op), op->is_signed & 2);
    bool fits = narrow(combine((enum op_code)op->code, a, b), op->is_signed & 4, &run->reg[op->to]);
    return fits ? go_on(run, op) : lose(run, op);
}

/* Out of line, as above. False: the result is missing. */
static __attribute__((noinline)) bool make(struct run *run, const struct op *op, uint64_t a,
                                           uint64_t b, uint64_t *result)
{
    __int128 one = wide(a, op->is_signed & 1), other = wide(b, op->is_signed & 2), product;
    switch ((enum op_code)op->code) {
    case OP_CPU:
        *result = this_cpu();
        return true;
    case OP_TIME:
        *result = run_monotonic(run->aggregation, run_now(run->aggregation));
        return true;
    case OP_FACT:
        *result = texts_fact(run, op);
        return true;
    case OP_CONTEXT:
        return texts_context(run, op, result);
    case OP_LOAD:
        *result = texts_load(run, op, a, LIVE_TEXT, true);
        return true;
    case OP_LOAD_N:
        *result = texts_load(run, op, a, other < 0 ? 0 : b, op->kind);
        return true;
    case OP_LOAD_VIEW:
        *result = texts_load_view(run, op, a);
        return true;
    case OP_ELEMENT:
        return texts_element(run, op, a, b, run->reg[op->c], result);
    case OP_CUT:
        *result = texts_cut(run, op, text_of(a), other < 0 ? 0 : b);
        return true;
    case OP_LENGTH:
        *result = text_of(a)->length;
        return true;
    case OP_NEGATE:
        return narrow(-one, op->is_signed & 4, result);
    case OP_COMPLEMENT:
        return narrow(~one, op->is_signed & 4, result);
    default:
        return calculate((enum op_code)op->code, one, other, &product) &&
               narrow(product, op->is_signed & 4, result);
    }
}

/* The same of doubles; a division by zero has no result, as that of integers. */
static __attribute__((noinline)) bool make_real(const struct op *op, uint64_t a, uint64_t b,
                                                uint64_t *result)
{
    switch ((enum op_code)op->code) {
    case OP_SCALE:
        return softfloat_scale(a, b, result);
    case OP_TO_REAL:
        *result = softfloat_from_integer(a, op->is_signed & 1);
        return true;
    case OP_MULTIPLY_REAL:
        *result = softfloat_multiply(a, b);
        return true;
    case OP_ADD_REAL:
        *result = softfloat_add(a, b);
        return true;
    case OP_SUBTRACT_REAL:
        *result = softfloat_subtract(a, b);
        return true;
    case OP_DIVIDE_REAL:
        *result = softfloat_divide(a, b);
        return b << 1 != 0;
    default: /* OP_NEGATE_REAL */
        *result = a ^ UINT64_C(1) << 63;
        return true;
    }
}

static bool step_make(struct run *run, const struct op *op)
{
    if (is_touched(run, op))
        return step_missing(run, op);
    bool is_there = make(run, op, run->reg[op->a], operand_b(run, op), &run->reg[op->to]);
    return is_there ? go_on(run, op) : lose(run, op);
}

static __attribute__((noinline)) bool step_make_real(struct run *run, const struct op *op)
{
    if (is_touched(run, op))
        return step_missing(run, op);
    bool is_there = make_real(op, run->reg[op->a], operand_b(run, op), &run->reg[op->to]);
    return is_there ? go_on(run, op) : lose(run, op);
}

/* What is not so simple goes the long way. */
static bool step_to_real(struct run *run, const struct op *op)
{
    uint64_t real;
    if (is_touched(run, op))
        return step_missing(run, op);
    if (!softfloat_from_integer_quickly(run->reg[op->a], op->is_signed & 1, &real))
        return step_make_real(run, op);
    return go_on_with(run, op, real);
}

static bool step_multiply_real(struct run *run, const struct op *op)
{
    uint64_t product;
    if (is_touched(run, op))
        return step_missing(run, op);
    if (!softfloat_multiply_quickly(run->reg[op->a], operand_b(run, op), &product))
        return step_make_real(run, op);
    return go_on_with(run, op, product);
}

bool interpret_end(struct run *run, const struct op *op)
{
    (void)run;
    (void)op;
    return true;
}

op_step *interpret_function(const struct op *op)
{
    switch ((enum op_code)op->code) {
    case OP_ARGUMENT:
        return step_argument;
    case OP_NUMBER:
    case OP_PID:
        return step_number;
    case OP_TID:
        return step_thread;
    case OP_ADD:
    case OP_SUBTRACT:
    case OP_AND:
    case OP_OR:
    case OP_XOR:
        return step_combine;
    case OP_TO_REAL:
        return step_to_real;
    case OP_MULTIPLY_REAL:
        return step_multiply_real;
    case OP_COMPARE:
        return op->has_number ? step_compare_number : step_compare;
    case OP_COMPARE_REAL:
        return op->has_number ? step_compare_real_number : step_condition;
    case OP_TRUTH:
    case OP_NOT:
    case OP_BOTH:
    case OP_EITHER:
        return step_logic;
    default:
        return op->code >= OP_FIRST_CONDITION                          ? step_condition
               : op->code >= OP_FIRST_REAL && op->code <= OP_LAST_REAL ? step_make_real
                                                                       : step_make;
    }
}
