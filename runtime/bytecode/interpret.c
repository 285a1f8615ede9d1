/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See interpret.h. The meaning of each step, types included, was decided when the aggregation was
 * made; so there is one loop with one jump per step. A missing value is a bit of `missing`: most
 * steps cannot produce one, and then it costs an instruction or two.
 *
 * This file is compiled for general registers only; softfloat.h calculates with doubles.
 */
#include "interpret.h"

#include "hit/argument.h"
#include "hit/counters.h"
#include "hit/sync.h"
#include "process/fault.h"
#include "process/pages.h"
#include "ring/clock.h"
#include "softfloat.h"

#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

/* ---- Facts. ---- */

uint64_t run_now(const struct live_aggregation *aggregation)
{
    return aggregation->is_tsc ? clock_cycles() : clock_monotonic();
}

uint64_t run_monotonic(const struct live_aggregation *aggregation, uint64_t now)
{
    return aggregation->is_tsc
               ? aggregation->monotonic + run_ns(aggregation, now - aggregation->cycles)
               : now;
}

static uint64_t this_cpu(void)
{
    if (counters_cpus) {
        const char *area = (const char *)__builtin_thread_pointer() + counters_area;
        uint32_t cpu = *(const volatile uint32_t *)(const void *)(area + 4); /* cpu_id */
        if (cpu < LIVE_MAX_CPUS)
            return cpu;
    }
    unsigned cpu = 0;
    syscall(SYS_getcpu, &cpu, NULL, NULL);
    return cpu;
}

static inline uint64_t argument(const struct sdt_event *event, uint64_t index)
{
    const struct fetch *fetch = event->fetch;
    return index < fetch->count ? fetch->get[index](event, index, fetch) : 0;
}

/* ---- Texts. ---- */

static const char *fact(const struct sdt_event *event, uint64_t which)
{
    return which == LIVE_PROVIDER   ? sdt_provider(event)
           : which == LIVE_NAME     ? sdt_name(event)
           : which == LIVE_FUNCTION ? sdt_function(event)
                                    : sdt_module(event);
}

static struct pages_way way_of(const struct live_aggregation *aggregation)
{
    return (struct pages_way){aggregation->is_guarded, aggregation->is_tsc};
}

size_t interpret_load(const struct live_aggregation *aggregation, uint64_t *room, uintptr_t from,
                      uint64_t most, bool is_text)
{
    most = most < LIVE_TEXT ? most : LIVE_TEXT;
    long length = pages_copy(way_of(aggregation), (char *)room, from, most, is_text);
    if (__builtin_expect(length >= 0, 1))
        return (size_t)length;
    if (!is_text)
        return 0;
    room[0] = from ? UINT64_C(0x3e746c7561663c) : UINT64_C(0x3e6c6c756e3c); /* <fault>, <null> */
    return from ? 7 : 6;
}

/* The same, into the room of OP. Returns the register's value. */
static __attribute__((noinline)) uint64_t load(const struct live_aggregation *aggregation,
                                               struct run *run, const struct op *op, uintptr_t from,
                                               uint64_t most, bool is_text)
{
    uint64_t *room = run->room[op->slot];
    run->texts[op->slot] =
        (struct text){room, interpret_load(aggregation, room, from, most, is_text)};
    return (uintptr_t)&run->texts[op->slot];
}

/* The text of the struct sdt_text at FROM. */
static uint64_t load_view(const struct live_aggregation *aggregation, struct run *run,
                          const struct op *op, uintptr_t from)
{
    uint64_t view[sizeof(struct sdt_text) / 8 + 2];
    long n = pages_copy(way_of(aggregation), (char *)view, from, sizeof(struct sdt_text), false);
    if (n != (long)sizeof(struct sdt_text))
        return load(aggregation, run, op, 1, 1, true); /* <fault> */
    if (view[1] == 0)                                  /* wherever that is */
        return load(aggregation, run, op, (uintptr_t) "", 1, true);
    return load(aggregation, run, op, view[0], view[1], true);
}

/* Element INDEX, of OP's kind, of the COUNT at FROM. False: there is none. */
static bool load_element(const struct live_aggregation *aggregation, const struct op *op,
                         uintptr_t from, uint64_t index, uint64_t count, uint64_t *result)
{
    uint64_t room[3];
    unsigned size = op->kind & LIVE_KIND_SIZE, shift = 64 - 8 * size;
    if (index >= count || count > INT64_MAX || index > UINT32_MAX ||
        pages_copy(way_of(aggregation), (char *)room, from + index * size, size, false) !=
            (long)size)
        return false;
    uint64_t bits = room[0] << shift >> shift;
    if (op->kind & LIVE_KIND_SIGNED)
        bits = (uint64_t)((int64_t)(room[0] << shift) >> shift);
    *result = op->kind & LIVE_KIND_FLOAT && size == 4 ? softfloat_from_float((uint32_t)bits) : bits;
    return true;
}

/* The first MOST bytes of FROM. */
static uint64_t cut(struct run *run, const struct op *op, const struct text *from, uint64_t most)
{
    run->texts[op->slot] =
        (struct text){from->word, from->length < most ? from->length : (size_t)most};
    return (uintptr_t)&run->texts[op->slot];
}

static __attribute__((noinline)) uint64_t load_fact(struct run *run, const struct op *op)
{
    uint64_t *room = run->room[op->slot];
    long length;
    if (op->number == LIVE_COMM) {
        syscall(SYS_prctl, PR_GET_NAME, room);
        for (length = 0; length < 16 && ((volatile char *)room)[length];)
            length++;
    } else
        length = copy_text(room, (uintptr_t)fact(run->event, op->number), LIVE_TEXT, true);
    run->texts[op->slot] = (struct text){room, (size_t)length};
    return (uintptr_t)&run->texts[op->slot];
}

/* Of the word in which both differ, or one ends: its first N bytes, as a number to compare. */
static uint64_t leading(uint64_t word, size_t n)
{
    return n >= 8 ? __builtin_bswap64(word) : n ? __builtin_bswap64(word) >> (64 - 8 * n) : 0;
}

/* Compare the first N bytes. */
static int compare_bytes(const struct text *a, const struct text *b, size_t n)
{
    for (size_t i = 0; i < n; i += 8) {
        uint64_t one = leading(a->word[i / 8], n - i), other = leading(b->word[i / 8], n - i);
        if (one != other)
            return one < other ? -1 : 1;
    }
    return 0;
}

int interpret_compare_texts(const struct text *a, const struct text *b)
{
    int order = compare_bytes(a, b, a->length < b->length ? a->length : b->length);
    return order ? order : (a->length > b->length) - (a->length < b->length);
}

bool interpret_begins(const struct text *a, const struct text *b)
{
    return a->length >= b->length && compare_bytes(a, b, b->length) == 0;
}

static const struct text *text_of(uint64_t value)
{
    return (const struct text *)(uintptr_t)value;
}

/* ---- Doubles. ---- */

static unsigned order_of_reals(int order)
{
    return order == SOFTFLOAT_UNORDERED ? ORDER_NONE
           : order < 0                  ? ORDER_LESS
           : order > 0                  ? ORDER_MORE
                                        : ORDER_EQUAL;
}

/* False: the result is missing, as for a division by zero, also of integers. */
static __attribute__((noinline)) bool step_real(const struct op *op, uint64_t a, uint64_t b,
                                                uint64_t *result)
{
    switch ((enum op_code)op->code) {
    case OP_SCALE:
        return softfloat_scale(a, b, result);
    case OP_TO_REAL:
        *result = softfloat_from_integer(a, op->is_signed & 1);
        return true;
    case OP_ADD_REAL:
        *result = softfloat_add(a, b);
        return true;
    case OP_SUBTRACT_REAL:
        *result = softfloat_subtract(a, b);
        return true;
    case OP_MULTIPLY_REAL:
        *result = softfloat_multiply(a, b);
        return true;
    case OP_DIVIDE_REAL:
        *result = softfloat_divide(a, b);
        return b << 1 != 0;
    case OP_COMPARE_REAL:
        *result = (order_of_reals(softfloat_compare(a, b)) & op->accepts) != 0;
        return true;
    case OP_COMPARE_MIXED:
        *result =
            (order_of_reals(softfloat_compare_integer(a, b, op->is_signed & 2)) & op->accepts) != 0;
        return true;
    case OP_TRUTH_REAL:
        *result = a << 1 && !softfloat_is_nan(a);
        return true;
    default: /* OP_NEGATE_REAL */
        *result = a ^ UINT64_C(1) << 63;
        return true;
    }
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

static inline unsigned compare(uint64_t a, uint64_t b)
{
    return a < b ? ORDER_LESS : a > b ? ORDER_MORE : ORDER_EQUAL;
}

static inline unsigned order_of(int order)
{
    return order < 0 ? ORDER_LESS : order > 0 ? ORDER_MORE : ORDER_EQUAL;
}

/* Out of line: the steps that few programs have. False: the result is missing. */
static __attribute__((noinline)) bool step_rarely(const struct live_aggregation *aggregation,
                                                  struct run *run, const struct op *op, uint64_t a,
                                                  uint64_t b, uint64_t *result)
{
    __int128 one = wide(a, op->is_signed & 1), other = wide(b, op->is_signed & 2), sum;
    switch ((enum op_code)op->code) {
    case OP_CPU:
        *result = this_cpu();
        return true;
    case OP_TIME:
        *result = run_monotonic(aggregation, run_now(aggregation));
        return true;
    case OP_FACT:
        *result = load_fact(run, op);
        return true;
    case OP_LOAD:
        *result = load(aggregation, run, op, a, LIVE_TEXT, true);
        return true;
    case OP_LOAD_N:
        *result = load(aggregation, run, op, a, other < 0 ? 0 : b, op->kind);
        return true;
    case OP_LOAD_VIEW:
        *result = load_view(aggregation, run, op, a);
        return true;
    case OP_ELEMENT:
        return load_element(aggregation, op, a, b, run->reg[op->c], result);
    case OP_CUT:
        *result = cut(run, op, text_of(a), other < 0 ? 0 : b);
        return true;
    case OP_LENGTH:
        *result = text_of(a)->length;
        return true;
    case OP_COMPARE_WIDE:
        *result = ((one < other   ? ORDER_LESS
                    : one > other ? ORDER_MORE
                                  : ORDER_EQUAL) &
                   op->accepts) != 0;
        return true;
    case OP_COMPARE_TEXT:
        *result = (order_of(interpret_compare_texts(text_of(a), text_of(b))) & op->accepts) != 0;
        return true;
    case OP_BEGINS:
        *result = interpret_begins(text_of(a), text_of(b));
        return true;
    case OP_TRUTH_TEXT:
        *result = text_of(a)->length > 0;
        return true;
    case OP_NEGATE:
        return narrow(-one, op->is_signed & 4, result);
    case OP_COMPLEMENT:
        return narrow(~one, op->is_signed & 4, result);
    default:
        return calculate((enum op_code)op->code, one, other, &sum) &&
               narrow(sum, op->is_signed & 4, result);
    }
}

static inline bool step(const struct live_aggregation *aggregation, struct run *run,
                        const struct op *op, uint64_t a, uint64_t b, uint64_t *result)
{
    switch ((enum op_code)op->code) {
    case OP_ARGUMENT:
        *result = argument(run->event, op->number);
        return true;
    case OP_NUMBER:
    case OP_PID:
        *result = op->number;
        return true;
    case OP_TID:
        *result = op->number | (uint64_t)(unsigned)sync_thread();
        return true;
    case OP_COMPARE:
        *result = (compare(a + op->bias, b + op->bias) & op->accepts) != 0;
        return true;
    case OP_TRUTH:
        *result = a != 0;
        return true;
    case OP_NOT:
        *result = a == 0;
        return true;
    case OP_BOTH:
        *result = a != 0 && b != 0;
        return true;
    case OP_EITHER:
        *result = a != 0 || b != 0;
        return true;
    case OP_ADD:
        return narrow(wide(a, op->is_signed & 1) + wide(b, op->is_signed & 2), op->is_signed & 4,
                      result);
    case OP_SUBTRACT:
        return narrow(wide(a, op->is_signed & 1) - wide(b, op->is_signed & 2), op->is_signed & 4,
                      result);
    case OP_AND:
        return narrow(wide(a, op->is_signed & 1) & wide(b, op->is_signed & 2), op->is_signed & 4,
                      result);
    case OP_OR:
        return narrow(wide(a, op->is_signed & 1) | wide(b, op->is_signed & 2), op->is_signed & 4,
                      result);
    case OP_XOR:
        return narrow(wide(a, op->is_signed & 1) ^ wide(b, op->is_signed & 2), op->is_signed & 4,
                      result);
    default:
        return op->code >= OP_FIRST_REAL && op->code <= OP_LAST_REAL
                   ? step_real(op, a, b, result)
                   : step_rarely(aggregation, run, op, a, b, result);
    }
}

/* What becomes of a step with an operand that is missing. False: the result is missing. */
static __attribute__((noinline)) bool step_missing(const struct run *run, const struct op *op,
                                                   uint64_t a, uint64_t b, uint64_t *result)
{
    bool has_a = !(run->missing >> op->a & 1) && a != 0;
    bool has_b = (op->has_number || !(run->missing >> op->b & 1)) && b != 0;
    *result = op->code == OP_NOT      ? 1 /* a is missing */
              : op->code == OP_EITHER ? has_a || has_b
                                      : 0;
    /* Of conditions, what is missing is false; what else is made of it, is missing as well. */
    return op->code >= OP_FIRST_CONDITION;
}

bool interpret_steps(const struct live_aggregation *aggregation, struct run *run)
{
    const struct op *op = aggregation->op, *end = op + aggregation->steps;
    for (; op < end; op++) {
        uint64_t a = run->reg[op->a], b = op->has_number ? op->number : run->reg[op->b], result = 0;
        bool is_there = __builtin_expect(run->missing & op->operands, 0)
                            ? step_missing(run, op, a, b, &result)
                            : step(aggregation, run, op, a, b, &result);
        run->reg[op->to] = result;
        run->missing &= ~(UINT32_C(1) << op->to);
        if (__builtin_expect(!is_there, 0))
            run->missing |= UINT32_C(1) << op->to;
        if (op->ends && !result)
            return false;
    }
    return true;
}
