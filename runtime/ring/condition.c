/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See condition.h. Integers are exact: those of 64 bits are calculated with 128. It runs as any
 * handler does, with the program's vector registers saved, so there are doubles as well.
 */
#define _GNU_SOURCE
#include "condition.h"

#include "hit/argument.h"
#include "hit/sync.h"
#include "shared/wide.h"

#include <math.h>
#include <sched.h>
#include <site/field.h>
#include <string.h>
#include <unistd.h>

enum { ROOM = 1024 }; /* for texts of the event */

struct value {
    enum { MISSING, INTEGER, REAL, TEXT } kind;
    uint32_t unit; /* of a time: how many nanoseconds 1 is; 0: it is none */
    union {
        __int128 integer;
        double real;
        struct {
            const char *text;
            size_t length;
        };
    };
};

/* What is being evaluated. */
struct look {
    const struct condition *condition;
    const struct sdt_event *event;
    const struct site *site;
    const struct rings *rings;
    size_t used;
    uint64_t words[SDT_MAX_ARGS];
    char room[ROOM + 16]; /* whole words are copied */
};

static const struct value missing = {.kind = MISSING};

static struct value integer(__int128 number)
{
    return (struct value){.kind = INTEGER, .integer = number};
}

static struct value real(double number)
{
    return (struct value){.kind = REAL, .real = number};
}

static struct value text(const char *start, size_t length)
{
    return (struct value){.kind = TEXT, .text = start, .length = length};
}

static struct value span(__int128 number, uint32_t unit)
{
    return (struct value){.kind = INTEGER, .unit = unit, .integer = number};
}

/* ---- Names. ---- */

/* What is at ADDRESS, up to a NUL if IS_TEXT: of each byte a copy, as it is recorded. */
static struct value copied(struct look *look, uintptr_t address, size_t most, bool is_text)
{
    size_t left = ROOM - look->used;
    most = most < look->rings->text ? most : look->rings->text;
    if (most > left)
        return missing;
    char *to = look->room + look->used;
    long length = hit_copy(look->rings, to, address, most, is_text);
    if (length < 0)
        return is_text ? text(address ? "<fault>" : "<null>", address ? 7 : 6) : text("", 0);
    look->used += (size_t)length;
    return text(to, (size_t)length);
}

static struct value argument(struct look *look, const struct field *field, unsigned i)
{
    uint64_t word = look->words[i];
    double number;
    switch (field->kind) {
    case FIELD_SIGNED:
        return integer((int64_t)word);
    case FIELD_FLOAT:
        memcpy(&number, &word, sizeof number);
        return real(number);
    case FIELD_STRING:
        return copied(look, word, SIZE_MAX, true);
    case FIELD_TEXT:
    case FIELD_BYTES:
        return copied(look, word, i + 1 < look->site->args.count ? look->words[i + 1] : 0,
                      field->kind == FIELD_TEXT);
    case FIELD_LENGTH:
        return missing;
    case FIELD_SECONDS:
        return span((int64_t)word, 1000000000);
    case FIELD_MILLISECONDS:
        return span((int64_t)word, 1000000);
    case FIELD_MICROSECONDS:
        return span((int64_t)word, 1000);
    case FIELD_NANOSECONDS:
        return span((int64_t)word, 1);
    default:
        return integer(word);
    }
}

static bool is_name(const struct look *look, const struct condition_step *step, const char *name,
                    size_t length)
{
    return step->length == length && !memcmp(look->condition->text + step->text, name, length);
}

/* What every event has. */
static bool look_up_event(const struct look *look, const struct condition_step *step,
                          struct value *value)
{
    static const char *const names[] = {"provider", "name", "function", "module",
                                        "cpu",      "pid",  "tid"};
    unsigned i = 0;
    while (i < 7 && !is_name(look, step, names[i], strlen(names[i])))
        i++;
    if (i == 7)
        return false;
    const char *string = i == 0   ? sdt_provider(look->event)
                         : i == 1 ? sdt_name(look->event)
                         : i == 2 ? sdt_function(look->event)
                         : i == 3 ? sdt_module(look->event)
                                  : NULL;
    *value = i < 4    ? text(string ? string : "", string ? strlen(string) : 0)
             : i == 4 ? integer(sched_getcpu())
             : i == 5 ? integer(getpid())
                      : integer(sync_thread());
    return true;
}

static struct value look_up(struct look *look, const struct condition_step *step)
{
    struct value value = missing;
    if (!step->is_argument && look_up_event(look, step, &value))
        return value;
    const char *descriptor = (const char *)record_target(&look->site->record->args);
    for (unsigned i = 0; i < look->site->args.count; i++) {
        struct field field = field_at(&look->site->args, descriptor, i);
        if (is_name(look, step, field.name, field.name_length))
            return argument(look, &field, i);
    }
    return missing;
}

/* ---- Operators. ---- */

static bool is_number(const struct value *a)
{
    /* NOLINTNEXTLINE(clang-analyzer-core.UndefinedBinaryOperatorResult): the parser checked it */
    return a->kind == INTEGER || a->kind == REAL;
}

/* A long double of x86 holds every integer of 64 bits and every double. */
static long double as_real(const struct value *a)
{
    return a->kind == INTEGER ? wide_real(a->integer) : (long double)a->real;
}

static bool is_true(const struct value *a)
{
    /* NOLINTNEXTLINE(clang-analyzer-core.UndefinedBinaryOperatorResult): the parser checked it */
    return (a->kind == INTEGER && a->integer != 0) ||
           (a->kind == REAL && a->real != 0 && !isnan(a->real)) ||
           (a->kind == TEXT && a->length > 0);
}

static int compare_text(const struct value *a, const struct value *b)
{
    size_t shorter = a->length < b->length ? a->length : b->length;
    int order = shorter ? memcmp(a->text, b->text, shorter) : 0;
    return order ? order : (a->length > b->length) - (a->length < b->length);
}

static bool holds(enum operation operation, int order)
{
    return operation == OP_EQUAL        ? order == 0
           : operation == OP_UNEQUAL    ? order != 0
           : operation == OP_LESS       ? order < 0
           : operation == OP_LESS_EQUAL ? order <= 0
           : operation == OP_MORE       ? order > 0
                                        : order >= 0;
}

/* A time in nanoseconds: of 64 bits, or it is missing. */
static struct value in_nanoseconds(const struct value *a)
{
    struct value ns = *a;
    if (a->kind == REAL)
        ns.real *= a->unit;
    else if (wide_multiply(a->integer, a->unit, &ns.integer))
        return missing;
    ns.unit = 1;
    return ns;
}

static bool have_two_units(const struct value *a, const struct value *b)
{
    return is_number(a) && is_number(b) && a->unit && b->unit && a->unit != b->unit;
}

static bool compare(enum operation operation, const struct value *a, const struct value *b)
{
    if (have_two_units(a, b)) {
        struct value one = in_nanoseconds(a), other = in_nanoseconds(b);
        return compare(operation, &one, &other);
    }
    bool are_texts = a->kind == TEXT && b->kind == TEXT;
    if (operation == OP_BEGINS)
        return are_texts && a->length >= b->length && !memcmp(a->text, b->text, b->length);
    if (are_texts)
        return holds(operation, compare_text(a, b));
    if (!is_number(a) || !is_number(b))
        return false;
    if (a->kind == INTEGER && b->kind == INTEGER)
        return holds(operation, (a->integer > b->integer) - (a->integer < b->integer));
    long double one = as_real(a), other = as_real(b);
    if (isnan(one) || isnan(other))
        return operation == OP_UNEQUAL;
    return holds(operation, (one > other) - (one < other));
}

static struct value calculate_integers(enum operation operation, __int128 a, __int128 b)
{
    __int128 result, rest;
    switch (operation) {
    case OP_ADD:
        return __builtin_add_overflow(a, b, &result) ? missing : integer(result);
    case OP_SUBTRACT:
        return __builtin_sub_overflow(a, b, &result) ? missing : integer(result);
    case OP_MULTIPLY:
        return wide_multiply(a, b, &result) ? missing : integer(result);
    case OP_DIVIDE: /* -1: the quotient of the smallest number overflows */
        return b == 0    ? missing
               : b == -1 ? calculate_integers(OP_SUBTRACT, 0, a)
                         : integer(wide_divide(a, b, &rest));
    case OP_REMAINDER:
        if (b != 0)
            wide_divide(a, b, &rest);
        return b == 0 ? missing : integer(rest);
    default:
        return integer(a & b);
    }
}

static struct value calculate_numbers(enum operation operation, const struct value *a,
                                      const struct value *b)
{
    if (!is_number(a) || !is_number(b))
        return missing;
    if (a->kind == INTEGER && b->kind == INTEGER)
        return calculate_integers(operation, a->integer, b->integer);
    double one = (double)as_real(a), other = (double)as_real(b);
    return operation == OP_ADD                    ? real(one + other)
           : operation == OP_SUBTRACT             ? real(one - other)
           : operation == OP_MULTIPLY             ? real(one * other)
           : operation == OP_DIVIDE && other != 0 ? real(one / other)
                                                  : missing;
}

/* As sdt/expression/code.h has it. */
static uint32_t unit_of(enum operation operation, uint32_t a, uint32_t b)
{
    return operation == OP_ADD || operation == OP_SUBTRACT ? (a ? a : b)
           : operation == OP_MULTIPLY                      ? (a && b ? 0 : a | b)
           : operation == OP_DIVIDE                        ? (b ? 0 : a)
           : operation == OP_REMAINDER                     ? a
                                                           : 0;
}

static struct value calculate(enum operation operation, const struct value *a,
                              const struct value *b)
{
    bool has_two = have_two_units(a, b) && operation != OP_MULTIPLY && operation != OP_BITS;
    struct value one = has_two ? in_nanoseconds(a) : *a;
    struct value other = has_two ? in_nanoseconds(b) : *b;
    struct value result = calculate_numbers(operation, &one, &other);
    result.unit = unit_of(operation, one.unit, other.unit);
    return result;
}

static struct value negate(const struct value *a)
{
    /* NOLINTNEXTLINE(clang-analyzer-core.UndefinedBinaryOperatorResult): the parser checked it */
    struct value result = a->kind == REAL      ? real(-a->real)
                          : a->kind == INTEGER ? calculate_integers(OP_SUBTRACT, 0, a->integer)
                                               : missing;
    result.unit = a->unit;
    return result;
}

static struct value apply(enum operation operation, const struct value *a, const struct value *b)
{
    if (operation == OP_OR)
        return integer(is_true(a) || is_true(b));
    if (operation == OP_AND)
        return integer(is_true(a) && is_true(b));
    if (operation >= OP_EQUAL && operation <= OP_BEGINS)
        return integer(compare(operation, a, b));
    return calculate(operation, a, b);
}

/* ---- All of it. ---- */

static struct value constant(const struct look *look, const struct condition_step *step)
{
    return step->operation == OP_INTEGER ? span(step->integer, step->is_time)
           : step->operation == OP_REAL  ? real(step->real)
                                         : text(look->condition->text + step->text, step->length);
}

bool condition_holds(const struct condition *condition, const struct sdt_event *event,
                     const struct rings *rings)
{
    struct value stack[CONDITION_STACK], *top = stack;
    struct look look; /* no initialiser: most of it is room */
    look.condition = condition;
    look.event = event;
    look.site = event_site(event);
    look.rings = rings;
    look.used = 0;
    if (!look.site || look.site->is_bad)
        return false;
    sdt_args(event, look.words, SDT_MAX_ARGS);
    for (unsigned i = 0; i < condition->count; i++) {
        const struct condition_step *step = &condition->steps[i];
        enum operation operation = (enum operation)step->operation;
        if (operation == OP_NAME)
            *top++ = look_up(&look, step);
        else if (operation < OP_NAME)
            *top++ = constant(&look, step);
        else if (operation == OP_NOT)
            top[-1] = integer(!is_true(&top[-1]));
        else if (operation == OP_NEGATE)
            top[-1] = negate(&top[-1]);
        else {
            top--;
            top[-1] = apply(operation, &top[-1], &top[0]);
        }
    }
    return is_true(&stack[0]);
}
