/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See program.h. The check follows the types of the registers from step to step; as there are no
 * jumps, one pass sees all that can happen. Nothing is read before the sizes are checked, and
 * unused fields must be zero, so that a later version can give them a meaning.
 */
#include "validate.h"

#include <string.h>

struct check {
    const struct live_program *program;
    uint8_t type[LIVE_REGISTERS]; /* enum live_type, so far */
    struct live_types types;
};

static bool is_integer(enum live_type type)
{
    return type == LIVE_SIGNED || type == LIVE_UNSIGNED;
}

static const char *check_sizes(const struct live_program *program, size_t n)
{
    if (n < sizeof *program || program->magic != LIVE_PROGRAM_MAGIC)
        return "it is not a program";
    if (program->abi != LIVE_PROGRAM_ABI)
        return "it is a program of another version";
    if (program->size != n || n > LIVE_MAX_PROGRAM || program->steps > LIVE_MAX_STEPS ||
        program->numbers > LIVE_MAX_NUMBERS || program->texts % 8)
        return "its header is wrong";
    if (sizeof *program + program->steps * sizeof(struct live_step) +
            program->numbers * sizeof(uint64_t) + program->texts !=
        n)
        return "its header does not add up";
    return NULL;
}

static enum live_type type_of(const struct check *check, uint8_t number)
{
    return number < LIVE_REGISTERS ? (enum live_type)check->type[number] : LIVE_NONE;
}

/* Whether number B of the pool is a text: it begins at a whole word, and ends in the texts. */
static bool is_text(const struct live_program *program, uint8_t b)
{
    uint64_t word = live_numbers(program)[b - LIVE_REGISTERS];
    uint64_t offset = word >> 32, length = (uint32_t)word;
    return offset % 8 == 0 && length <= LIVE_TEXT && offset <= program->texts &&
           length <= program->texts - offset;
}

static bool is_number(const struct check *check, uint8_t b)
{
    return b >= LIVE_REGISTERS && b - LIVE_REGISTERS < check->program->numbers;
}

/* Of operand b of a step with two, the first of which is of type A. */
static enum live_type type_of_b(const struct check *check, uint8_t b, enum live_type a)
{
    if (b < LIVE_REGISTERS)
        return (enum live_type)check->type[b];
    if (!is_number(check, b) || (a == LIVE_STRING && !is_text(check->program, b)))
        return LIVE_NONE;
    return a;
}

/* ---- What a step makes; LIVE_NONE: it is wrong. ---- */

static enum live_type element(const struct check *check, const struct live_step *step,
                              enum live_type address)
{
    unsigned size = step->kind & LIVE_KIND_SIZE, is_float = step->kind & LIVE_KIND_FLOAT;
    bool is_kind = (step->kind & ~(LIVE_KIND_SIZE | LIVE_KIND_SIGNED | LIVE_KIND_FLOAT)) == 0;
    if (!is_kind || (size != 1 && size != 2 && size != 4 && size != 8) || (is_float && size < 4) ||
        (is_float && step->kind & LIVE_KIND_SIGNED) || !is_integer(address) ||
        !is_integer(type_of_b(check, step->b, LIVE_UNSIGNED)) ||
        !is_integer(type_of(check, step->c)))
        return LIVE_NONE;
    return is_float ? LIVE_REAL : step->kind & LIVE_KIND_SIGNED ? LIVE_SIGNED : LIVE_UNSIGNED;
}

static enum live_type load(const struct check *check, const struct live_step *step)
{
    enum live_type a = type_of(check, step->a);
    switch (step->code) {
    case LIVE_ARGUMENT:
        return step->a < 12 && step->b >= LIVE_SIGNED && step->b <= LIVE_REAL
                   ? (enum live_type)step->b
                   : LIVE_NONE;
    case LIVE_FACT:
        return step->a >= LIVE_FACTS || step->b ? LIVE_NONE
               : step->a < LIVE_COMM            ? LIVE_UNSIGNED
               : step->a >= LIVE_TRACE_ID       ? LIVE_STRING
               : step->a > LIVE_MODULE          ? LIVE_UNSIGNED
                                                : LIVE_STRING;
    case LIVE_NUMBER:
        return is_number(check, step->b) && step->a >= LIVE_SIGNED && step->a <= LIVE_REAL
                   ? (enum live_type)step->a
                   : LIVE_NONE;
    case LIVE_LOAD:
    case LIVE_LOAD_VIEW:
        return is_integer(a) && !step->b ? LIVE_STRING : LIVE_NONE;
    case LIVE_ELEMENT:
        return element(check, step, a);
    default:
        return is_integer(a) && is_integer(type_of(check, step->b)) ? LIVE_STRING : LIVE_NONE;
    }
}

static enum live_type calculate(enum live_code code, enum live_type a, enum live_type b)
{
    bool are_unsigned = a == LIVE_UNSIGNED && b == LIVE_UNSIGNED;
    if (a == LIVE_REAL && b == LIVE_REAL && code <= LIVE_DIVIDE)
        return LIVE_REAL;
    if (!is_integer(a) || !is_integer(b))
        return LIVE_NONE;
    switch (code) {
    case LIVE_SUBTRACT:
        return LIVE_SIGNED;
    case LIVE_AND:
        return a == LIVE_SIGNED && b == LIVE_SIGNED ? LIVE_SIGNED : LIVE_UNSIGNED;
    case LIVE_LEFT:
    case LIVE_RIGHT:
        return a;
    default:
        return are_unsigned ? LIVE_UNSIGNED : LIVE_SIGNED;
    }
}

static enum live_type compare(enum live_code code, enum live_type a, enum live_type b)
{
    bool can_compare =
        ((is_integer(a) || a == LIVE_REAL) && is_integer(b)) || (a == b && a != LIVE_NONE);
    return can_compare && (code != LIVE_BEGINS || a == LIVE_STRING) ? LIVE_UNSIGNED : LIVE_NONE;
}

static enum live_type alone(const struct live_step *step, enum live_type a)
{
    if (step->b)
        return LIVE_NONE;
    if (step->code == LIVE_TRUTH)
        return a == LIVE_NONE ? LIVE_NONE : LIVE_UNSIGNED;
    if (step->code == LIVE_NEGATE && a == LIVE_REAL)
        return LIVE_REAL;
    if (!is_integer(a))
        return LIVE_NONE;
    return step->code == LIVE_NOT || step->code == LIVE_UNLESS ? LIVE_UNSIGNED : LIVE_SIGNED;
}

static enum live_type result(const struct check *check, const struct live_step *step)
{
    enum live_type a = type_of(check, step->a);
    bool is_load =
        step->code <= LIVE_LOAD_N || step->code == LIVE_LOAD_VIEW || step->code == LIVE_ELEMENT;
    enum live_type b = is_load ? LIVE_NONE : type_of_b(check, step->b, a);
    if (is_load)
        return load(check, step);
    if (step->code == LIVE_LENGTH)
        return a == LIVE_STRING && !step->b ? LIVE_SIGNED : LIVE_NONE;
    if (step->code == LIVE_CUT)
        return a == LIVE_STRING && is_integer(type_of(check, step->b)) ? LIVE_STRING : LIVE_NONE;
    if (step->code == LIVE_TO_REAL)
        return is_integer(a) && !step->b ? LIVE_REAL : LIVE_NONE;
    if (step->code == LIVE_SCALE)
        return a == LIVE_REAL && is_number(check, step->b) ? LIVE_SIGNED : LIVE_NONE;
    if (step->code == LIVE_NEGATE || step->code == LIVE_COMPLEMENT || step->code == LIVE_TRUTH ||
        step->code == LIVE_NOT || step->code == LIVE_UNLESS)
        return alone(step, a);
    if (step->code <= LIVE_RIGHT)
        return calculate((enum live_code)step->code, a, b);
    if (step->code <= LIVE_BEGINS)
        return compare((enum live_code)step->code, a, b);
    return is_integer(a) && is_integer(b) ? LIVE_UNSIGNED : LIVE_NONE;
}

/* What most steps have no use for is 0. */
static bool has_more(const struct live_step *step)
{
    return step->code == LIVE_ELEMENT  ? false
           : step->code == LIVE_LOAD_N ? step->c || step->kind > 1
                                       : step->c || step->kind;
}

static const char *check_step(struct check *check, unsigned i)
{
    const struct live_step *step = &check->program->step[i];
    struct live_types *types = &check->types;
    if (step->code >= LIVE_CODES || step->zero || has_more(step) || step->to >= LIVE_REGISTERS ||
        (step->code == LIVE_UNLESS && step->to))
        return "a step is none that this version knows";
    enum live_type type = result(check, step);
    if (type == LIVE_NONE)
        return "a step's operands are wrong";
    if (live_makes_text(step, type) && ++types->texts > LIVE_MAX_TEXTS)
        return "it loads more texts than there is room for";
    if (step->code == LIVE_ARGUMENT && step->a >= types->arguments)
        types->arguments = (uint8_t)(step->a + 1);
    types->at[i] = (uint8_t)type;
    if (step->code != LIVE_UNLESS)
        check->type[step->to] = (uint8_t)type;
    return NULL;
}

/* Of calls: there is nothing to calculate, and what a call begins with must end it. */
static const char *check_frame(const struct live_program *program)
{
    const struct live_step *step = program->step;
    return program->steps == 1 && step->code == LIVE_ARGUMENT && step->b == LIVE_UNSIGNED &&
                   step->to == program->value && program->key[0] == LIVE_NO_REGISTER
               ? NULL
               : "of calls, it takes an argument, and nothing else";
}

static const char *check_value(const struct live_program *program, struct live_types *types,
                               enum live_type type)
{
    types->value = LIVE_NONE;
    if (program->action == LIVE_COUNT)
        return program->value == LIVE_NO_REGISTER ? NULL : "its action takes no value";
    types->value = (uint8_t)type;
    if (live_is_of_calls(program))
        return check_frame(program);
    if (program->action == LIVE_HIST)
        return is_integer(type) ? NULL : "the value of its histogram is not an integer";
    return is_integer(type) || type == LIVE_STRING
               ? NULL
               : "what matches is neither an integer nor a text";
}

static const char *check_action(struct check *check)
{
    const struct live_program *program = check->program;
    struct live_types *types = &check->types;
    if (program->action >= LIVE_ACTIONS)
        return "its action is none that this version knows";
    const char *problem = check_value(program, types, type_of(check, program->value));
    if (problem)
        return problem;
    for (unsigned i = 0; i < 2; i++) {
        enum live_type type = type_of(check, program->key[i]);
        if (program->key[i] == LIVE_NO_REGISTER)
            continue;
        if (!is_integer(type) && type != LIVE_STRING)
            return "a key is neither an integer nor a text";
        types->key[i] = (uint8_t)type;
    }
    if (!types->key[0] && types->key[1])
        return "it has no first key";
    return NULL;
}

static const char *check_kept(const struct live_program *program)
{
    unsigned texts = 0;
    if (program->action == LIVE_ENTER)
        return live_depth(program) > 0 && live_depth(program) <= LIVE_MAX_DEPTH &&
                       program->kept >> LIVE_ROOTS_SHIFT == program->numbers
                   ? NULL
                   : "it has another depth or other roots than calls have";
    if (program->kept && program->action == LIVE_LEAVE)
        return "its action keeps no arguments";
    for (unsigned i = 0; i < LIVE_LABEL_SHIFT / 4; i++) {
        unsigned keep = program->kept >> 4 * i & 15;
        texts += keep > LIVE_KEEP_WORD;
        if (keep >= LIVE_KEEPS_END || texts > LIVE_SIDE_TEXTS)
            return "it keeps arguments as none that this version knows";
    }
    return NULL;
}

const char *live_program_check(const void *bytes, size_t n, struct live_types *types)
{
    struct check check = {.program = bytes};
    const char *problem = check_sizes(bytes, n);
    for (unsigned i = 0; !problem && i < check.program->steps; i++)
        problem = check_step(&check, i);
    if (!problem)
        problem = check_action(&check);
    if (!problem)
        problem = check_kept(check.program);
    if (!problem && types)
        *types = check.types;
    return problem;
}
