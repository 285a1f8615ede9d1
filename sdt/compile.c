/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See compile.h. The steps of an expression work on a stack; here the stack is one of values that
 * are known already (numbers and texts of the expression, of which nothing is left for the probed
 * process to calculate), or will be in a register by then. Of a predicate, what stands between `&&`
 * ends the program each by itself, so that a text is only loaded when what is before it holds.
 */
#include "compile.h"

#include "assemble.h"
#include "expression_code.h"
#include "mark.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A value: in a register, unless its type is LIVE_NONE; then it is known. */
struct value {
    enum live_type type;
    struct operand known;
    uint8_t number; /* of the register */
    bool is_hex;    /* an argument that is shown in base 16 */
    bool is_scaled; /* of a REAL: times `factor`, which int() takes */
    uint64_t factor;
};

struct compiler {
    const struct compile_request *request;
    struct compile_error *error;
    struct assembly assembly;
    const char *text; /* of the expression */
    const struct expression *expression;
    size_t offset; /* of the step */
    size_t *first; /* for each step: where what it makes begins */
    bool has_failed;
};

static struct value fail(struct compiler *compiler, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static struct value fail(struct compiler *compiler, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    if (!compiler->has_failed) {
        struct compile_error *error = compiler->error;
        error->text = compiler->text;
        error->offset = compiler->offset;
        vsnprintf(error->problem, sizeof error->problem, format, arguments);
    }
    va_end(arguments);
    compiler->has_failed = true;
    return (struct value){.known = {.kind = OPERAND_MISSING}};
}

static struct value known(struct operand operand)
{
    return (struct value){.known = operand};
}

static bool is_known(const struct value *value)
{
    return value->type == LIVE_NONE;
}

static bool is_integer(const struct value *value)
{
    return value->type == LIVE_SIGNED || value->type == LIVE_UNSIGNED;
}

static bool is_known_integer(const struct value *value)
{
    return is_known(value) && value->known.kind == OPERAND_INTEGER;
}

static struct value in_register(struct compiler *compiler, enum live_type type)
{
    return (struct value){.type = type, .number = assemble_register(&compiler->assembly)};
}

static void let_go(struct compiler *compiler, const struct value *value)
{
    if (!is_known(value))
        assemble_free(&compiler->assembly, value->number);
}

/* ---- What is known, as a number of the pool or in a register. ---- */

static bool fits(__int128 number, enum live_type type)
{
    return type == LIVE_SIGNED ? number >= INT64_MIN && number <= INT64_MAX
                               : number >= 0 && number <= (__int128)UINT64_MAX;
}

static uint64_t bits_of(double real)
{
    uint64_t bits;
    memcpy(&bits, &real, sizeof bits);
    return bits;
}

static struct value materialise(struct compiler *compiler, const struct value *value)
{
    struct operand operand = value->known;
    enum live_type type = operand.kind == OPERAND_REAL         ? LIVE_REAL
                          : fits(operand.integer, LIVE_SIGNED) ? LIVE_SIGNED
                                                               : LIVE_UNSIGNED;
    if (!is_known(value))
        return *value;
    if (operand.kind == OPERAND_MISSING)
        return fail(compiler, "this has no value");
    if (operand.kind == OPERAND_TEXT)
        return fail(compiler, "a text that is always the same can only be compared with");
    if (operand.kind == OPERAND_INTEGER && !fits(operand.integer, type))
        return fail(compiler, "this does not fit 64 bits");
    struct value made = in_register(compiler, type);
    uint64_t number = type == LIVE_REAL ? bits_of(operand.real) : (uint64_t)operand.integer;
    assemble_step(&compiler->assembly, LIVE_NUMBER, made.number, (uint8_t)type,
                  assemble_number(&compiler->assembly, number));
    return made;
}

/* VALUE as operand b beside an A of a register: a number of the pool if it is of A's type. */
static uint8_t operand_b(struct compiler *compiler, const struct value *a, struct value *b)
{
    if (is_known(b) && b->known.kind == OPERAND_TEXT && a->type == LIVE_STRING)
        return assemble_text(&compiler->assembly, b->known.text);
    if (is_known_integer(b) && is_integer(a) && fits(b->known.integer, a->type))
        return assemble_number(&compiler->assembly, (uint64_t)b->known.integer);
    if (is_known(b) && b->known.kind == OPERAND_REAL && a->type == LIVE_REAL)
        return assemble_number(&compiler->assembly, bits_of(b->known.real));
    *b = materialise(compiler, b);
    return b->number;
}

/* A step with operands A and B. */
static struct value step(struct compiler *compiler, enum live_code code, enum live_type type,
                         struct value *a, struct value *b)
{
    *a = materialise(compiler, a);
    uint8_t second = b ? operand_b(compiler, a, b) : 0;
    let_go(compiler, a);
    if (b)
        let_go(compiler, b);
    struct value made = in_register(compiler, type);
    assemble_step(&compiler->assembly, code, made.number, a->number, second);
    return made;
}

/* ---- Names. ---- */

static enum live_type type_of(const char *type)
{
    return !strcmp(type, "double") || !strcmp(type, "float") ? LIVE_REAL
           : !strncmp(type, "int", 3) || !strncmp(type, "duration", 8) || !strcmp(type, "length")
               ? LIVE_SIGNED
               : LIVE_UNSIGNED;
}

static struct value load_argument(struct compiler *compiler, size_t index)
{
    const struct compile_request *request = compiler->request;
    const char *type = request->arguments[index].type;
    bool is_bytes = !strcmp(type, "bytes"), is_text = is_bytes || !strcmp(type, "string");
    if (strchr(type, '['))
        return fail(compiler, "an array has no value that could be calculated with");
    if (!strcmp(type, "string_view"))
        return fail(compiler, "a string_view cannot be read here; SDT_TEXT(data, size) can");
    bool has_length = is_text && index + 1 < request->argument_count &&
                      !strcmp(request->arguments[index + 1].type, "length");
    struct value value = in_register(compiler, is_text ? LIVE_UNSIGNED : type_of(type));
    assemble_step(&compiler->assembly, LIVE_ARGUMENT, value.number, (uint8_t)index,
                  (uint8_t)value.type);
    value.is_hex = !strncmp(type, "hex", 3) || !strcmp(type, "pointer");
    if (!is_text)
        return value;
    struct value length = {.type = LIVE_NONE};
    if (has_length) {
        length = in_register(compiler, LIVE_SIGNED);
        assemble_step(&compiler->assembly, LIVE_ARGUMENT, length.number, (uint8_t)(index + 1),
                      LIVE_SIGNED);
    } else if (is_bytes)
        return fail(compiler, "it is not known how many bytes this has");
    assemble_load(&compiler->assembly, has_length ? LIVE_LOAD_N : LIVE_LOAD, value.number,
                  value.number, has_length ? length.number : 0);
    let_go(compiler, &length);
    return (struct value){.type = LIVE_STRING, .number = value.number};
}

static const char *const facts[LIVE_FACTS] = {
    [LIVE_TID] = "tid",   [LIVE_PID] = "pid",           [LIVE_CPU] = "cpu",
    [LIVE_TIME] = "time", [LIVE_COMM] = "comm",         [LIVE_PROVIDER] = "provider",
    [LIVE_NAME] = "name", [LIVE_FUNCTION] = "function", [LIVE_MODULE] = "module",
};

/* The number of the argument of this name, or SIZE_MAX. */
static size_t find_argument(const struct compile_request *request, const char *name)
{
    for (size_t i = 0; i < request->argument_count; i++)
        if (request->arguments[i].name && !strcmp(request->arguments[i].name, name))
            return i;
    char *end;
    bool is_number = !strncmp(name, "arg", 3) && name[3] >= '0' && name[3] <= '9';
    unsigned long number = is_number ? strtoul(name + 3, &end, 10) : 0;
    return is_number && !*end && number < request->argument_count ? number : SIZE_MAX;
}

static struct value unknown_name(struct compiler *compiler, const char *name)
{
    const struct compile_request *request = compiler->request;
    char names[100] = "";
    size_t length = 0;
    for (size_t i = 0; i < request->argument_count && length < sizeof names; i++) {
        const char *known_name = request->arguments[i].name;
        char number[32];
        snprintf(number, sizeof number, "arg%zu", i);
        length += (size_t)snprintf(names + length, sizeof names - length, "%s%s", i ? ", " : "",
                                   known_name ? known_name : number);
    }
    if (!request->argument_count)
        return fail(compiler, "the probe has no arguments, and nothing else is named '%s'", name);
    return fail(compiler, "the probe has no argument '%s', but %s", name, names);
}

static struct value compile_name(struct compiler *compiler, const struct expression_name *name)
{
    for (unsigned i = 0; i < LIVE_FACTS && !name->is_argument; i++)
        if (!strcmp(facts[i], name->name)) {
            bool is_text = i >= LIVE_COMM;
            struct value value = in_register(compiler, is_text ? LIVE_STRING : LIVE_UNSIGNED);
            (is_text ? assemble_load : assemble_step)(&compiler->assembly, LIVE_FACT, value.number,
                                                      (uint8_t)i, 0);
            return value;
        }
    size_t index = find_argument(compiler->request, name->name);
    return index == SIZE_MAX ? unknown_name(compiler, name->name) : load_argument(compiler, index);
}

/* ---- Calls. ---- */

static struct value compile_int(struct compiler *compiler, struct value *a)
{
    if (is_known(a) && a->known.kind == OPERAND_REAL) {
        if (!(fabs(a->known.real) < 0x1p63))
            return fail(compiler, "this does not fit 64 bits");
        return known((struct operand){.kind = OPERAND_INTEGER, .integer = (__int128)a->known.real});
    }
    if (is_known_integer(a) || is_integer(a))
        return *a;
    if (a->type != LIVE_REAL)
        return fail(compiler, "int() is of a number");
    uint64_t factor = a->is_scaled ? a->factor : 1;
    uint8_t second = assemble_number(&compiler->assembly, factor);
    let_go(compiler, a);
    struct value made = in_register(compiler, LIVE_SIGNED);
    assemble_step(&compiler->assembly, LIVE_SCALE, made.number, a->number, second);
    return made;
}

static struct value compile_call(struct compiler *compiler, const char *name, struct value *a)
{
    if (!strcmp(name, "int"))
        return compile_int(compiler, a);
    if (strcmp(name, "str") != 0)
        return fail(compiler, "there is no function '%s'; there are str() and int()", name);
    if (a->type == LIVE_STRING)
        return *a;
    if (is_known_integer(a))
        *a = materialise(compiler, a);
    if (!is_integer(a))
        return fail(compiler, "str() is of an address");
    let_go(compiler, a);
    struct value made = in_register(compiler, LIVE_STRING);
    assemble_load(&compiler->assembly, LIVE_LOAD, made.number, a->number, 0);
    return made;
}

/* ---- Operators. ---- */

static enum live_code calculation(enum code code)
{
    switch (code) {
    case CODE_ADD:
        return LIVE_ADD;
    case CODE_SUBTRACT:
        return LIVE_SUBTRACT;
    case CODE_MULTIPLY:
        return LIVE_MULTIPLY;
    case CODE_DIVIDE:
        return LIVE_DIVIDE;
    case CODE_REMAINDER:
        return LIVE_REMAINDER;
    case CODE_BITS:
        return LIVE_AND;
    case CODE_BITS_OR:
        return LIVE_OR;
    case CODE_BITS_XOR:
        return LIVE_XOR;
    case CODE_LEFT:
        return LIVE_LEFT;
    default:
        return LIVE_RIGHT;
    }
}

static bool commutes(enum code code)
{
    return code == CODE_ADD || code == CODE_MULTIPLY || code == CODE_BITS || code == CODE_BITS_OR ||
           code == CODE_BITS_XOR || code == CODE_OR || code == CODE_AND;
}

static void swap(struct value *a, struct value *b)
{
    struct value other = *a;
    *a = *b;
    *b = other;
}

/* A double times a number that is known and whole, which only int() has a use for. */
static struct value scale(struct compiler *compiler, struct value *a, struct value *b)
{
    double real = b->known.kind == OPERAND_REAL ? b->known.real : (double)b->known.integer;
    bool is_whole = b->known.kind == OPERAND_INTEGER
                        ? fits(b->known.integer, LIVE_UNSIGNED)
                        : real >= 0 && real < 0x1p63 && floor(real) == real;
    if (a->is_scaled || !is_whole)
        return fail(compiler, "floating-point numbers can only be multiplied by a whole number, "
                              "as in int(x * 1000)");
    a->is_scaled = true;
    a->factor = b->known.kind == OPERAND_REAL ? (uint64_t)real : (uint64_t)b->known.integer;
    return *a;
}

/* What the result of a calculation is: as live_program_check() has it. */
static enum live_type result_type(enum live_code code, enum live_type a, enum live_type b)
{
    if (code == LIVE_LEFT || code == LIVE_RIGHT)
        return a;
    if (code == LIVE_SUBTRACT)
        return LIVE_SIGNED;
    if (code == LIVE_AND)
        return a == LIVE_SIGNED && b == LIVE_SIGNED ? LIVE_SIGNED : LIVE_UNSIGNED;
    return a == LIVE_UNSIGNED && b == LIVE_UNSIGNED ? LIVE_UNSIGNED : LIVE_SIGNED;
}

static struct value calculate(struct compiler *compiler, enum code code, struct value *a,
                              struct value *b)
{
    if (is_known(a) && commutes(code))
        swap(a, b);
    if (code == CODE_MULTIPLY && a->type == LIVE_REAL && is_known(b) &&
        (b->known.kind == OPERAND_INTEGER || b->known.kind == OPERAND_REAL))
        return scale(compiler, a, b);
    if (a->type == LIVE_REAL || b->type == LIVE_REAL)
        return fail(compiler, "floating-point numbers are not calculated with in a process: "
                              "int(x) or int(x * 1000) makes an integer");
    *a = materialise(compiler, a);
    if (!is_integer(a) || (!is_integer(b) && !is_known_integer(b)))
        return fail(compiler, "this calculates with what is not an integer");
    enum live_type second = !is_known(b)                          ? b->type
                            : fits(b->known.integer, a->type)     ? a->type
                            : fits(b->known.integer, LIVE_SIGNED) ? LIVE_SIGNED
                                                                  : LIVE_UNSIGNED;
    enum live_code step_code = calculation(code);
    return step(compiler, step_code, result_type(step_code, a->type, second), a, b);
}

/* ---- Comparisons. ---- */

static enum code mirrored(enum code code)
{
    return code == CODE_LESS         ? CODE_MORE
           : code == CODE_LESS_EQUAL ? CODE_MORE_EQUAL
           : code == CODE_MORE       ? CODE_LESS
           : code == CODE_MORE_EQUAL ? CODE_LESS_EQUAL
                                     : code;
}

/* An integer and a number that is not whole: as the whole numbers beside it. */
static bool make_whole(enum code *code, struct value *b)
{
    double real = b->known.real, below = floor(real);
    if (!(fabs(real) < 0x1p63))
        return false;
    if (below != real) {
        if (*code == CODE_EQUAL || *code == CODE_UNEQUAL)
            return false;
        *code = *code == CODE_LESS || *code == CODE_LESS_EQUAL ? CODE_LESS_EQUAL : CODE_MORE;
    }
    b->known = (struct operand){.kind = OPERAND_INTEGER, .integer = (__int128)below};
    return true;
}

/* A double and an integer: as a double, if that is the same number. */
static bool make_real(struct value *b)
{
    double real = (double)b->known.integer;
    if ((__int128)real != b->known.integer)
        return false;
    b->known = (struct operand){.kind = OPERAND_REAL, .real = real};
    return true;
}

static struct value compare(struct compiler *compiler, enum code code, struct value *a,
                            struct value *b)
{
    bool is_text_a = a->type == LIVE_STRING;
    if (is_known(a) && code != CODE_BEGINS) {
        swap(a, b);
        code = mirrored(code);
        is_text_a = a->type == LIVE_STRING;
    }
    bool is_text_b = b->type == LIVE_STRING || (is_known(b) && b->known.kind == OPERAND_TEXT);
    if (is_known(b) && b->known.kind == OPERAND_MISSING)
        return fail(compiler, "this compares with what has no value");
    if (is_text_a != is_text_b || (code == CODE_BEGINS && !is_text_a))
        return fail(compiler, code == CODE_BEGINS ? "^= is of two texts, and the first of the hit"
                                                  : "this compares a text with a number");
    if (a->is_scaled || b->is_scaled)
        return fail(compiler, "compare int(x * 1000), not x * 1000");
    if (is_integer(a) && is_known(b) && b->known.kind == OPERAND_REAL && !make_whole(&code, b))
        return fail(compiler, "an integer is never this number");
    if (a->type == LIVE_REAL && is_known_integer(b) && !make_real(b))
        return fail(compiler, "a double cannot be this number");
    if ((a->type == LIVE_REAL) != (b->type == LIVE_REAL) && !is_known(b))
        return fail(compiler,
                    "this compares a floating-point number with an integer: write int(x)");
    if (is_known_integer(b) && !fits(b->known.integer, LIVE_SIGNED) &&
        !fits(b->known.integer, LIVE_UNSIGNED))
        return fail(compiler, "this does not fit 64 bits");
    return step(compiler, (enum live_code)(LIVE_EQUAL + (code - CODE_EQUAL)), LIVE_UNSIGNED, a, b);
}
_Static_assert(LIVE_BEGINS - LIVE_EQUAL == CODE_BEGINS - CODE_EQUAL &&
                   LIVE_MORE - LIVE_EQUAL == CODE_MORE - CODE_EQUAL &&
                   LIVE_LESS_EQUAL - LIVE_EQUAL == CODE_LESS_EQUAL - CODE_EQUAL,
               "the same order");

/* ---- Conditions. ---- */

/* A register that is 0 or 1, or at least an integer, as conditions take them. */
static struct value condition(struct compiler *compiler, struct value *a)
{
    if (is_known(a))
        return known((struct operand){.kind = OPERAND_INTEGER, .integer = code_is_true(&a->known)});
    return is_integer(a) ? *a : step(compiler, LIVE_TRUTH, LIVE_UNSIGNED, a, NULL);
}

static struct value combine(struct compiler *compiler, enum code code, struct value *a,
                            struct value *b)
{
    *a = condition(compiler, a);
    *b = condition(compiler, b);
    if (is_known(a))
        swap(a, b);
    return step(compiler, code == CODE_AND ? LIVE_BOTH : LIVE_EITHER, LIVE_UNSIGNED, a, b);
}

/* ---- Steps. ---- */

static struct value compile_one(struct compiler *compiler, enum code code, struct value *a)
{
    if (is_known(a))
        return known(code_apply(code, &a->known, &a->known));
    if (code == CODE_NOT) {
        struct value value = condition(compiler, a);
        return step(compiler, LIVE_NOT, LIVE_UNSIGNED, &value, NULL);
    }
    if (code == CODE_NEGATE && a->type == LIVE_REAL && !a->is_scaled)
        return step(compiler, LIVE_NEGATE, LIVE_REAL, a, NULL);
    if (!is_integer(a))
        return fail(compiler, "this is of an integer");
    return step(compiler, code == CODE_NEGATE ? LIVE_NEGATE : LIVE_COMPLEMENT, LIVE_SIGNED, a,
                NULL);
}

static struct value compile_two(struct compiler *compiler, enum code code, struct value *a,
                                struct value *b)
{
    if (is_known(a) && is_known(b))
        return known(code_apply(code, &a->known, &b->known));
    if (code == CODE_OR || code == CODE_AND)
        return combine(compiler, code, a, b);
    return code >= CODE_EQUAL && code <= CODE_BEGINS ? compare(compiler, code, a, b)
                                                     : calculate(compiler, code, a, b);
}

/* Steps from FIRST up to LAST, which make one value. */
static struct value compile_range(struct compiler *compiler, size_t first, size_t last)
{
    const struct expression *expression = compiler->expression;
    struct value stack[STACK_SIZE];
    size_t top = 0;
    for (size_t i = first; i <= last && !compiler->has_failed; i++) {
        const struct step *at = &expression->steps[i];
        compiler->offset = at->offset;
        top -= code_operands(at->code);
        struct value *a = &stack[top];
        *a = at->code == CODE_CONSTANT ? known(at->operand)
             : at->code == CODE_NAME   ? compile_name(compiler, &expression->names[at->index])
             : at->code == CODE_CALL ? compile_call(compiler, expression->names[at->index].name, a)
             : code_operands(at->code) == 1 ? compile_one(compiler, at->code, a)
                                            : compile_two(compiler, at->code, a, a + 1);
        top++;
        if (compiler->assembly.problem)
            fail(compiler, "%s", compiler->assembly.problem);
    }
    return compiler->has_failed ? known((struct operand){.kind = OPERAND_MISSING}) : stack[0];
}

/* ---- Expressions. ---- */

static struct expression *parse(struct compiler *compiler, const char *text)
{
    struct expression_error wrong;
    struct expression *expression = expression_parse(text, &wrong);
    compiler->text = text;
    compiler->expression = expression;
    if (expression)
        return expression;
    compiler->offset = wrong.offset;
    fail(compiler, "%s", wrong.problem);
    return NULL;
}

static struct value compile_expression(struct compiler *compiler, const char *text)
{
    struct expression *expression = parse(compiler, text);
    struct value value = {.type = LIVE_NONE};
    if (expression)
        value = compile_range(compiler, 0, expression->count - 1);
    expression_free(expression);
    return value;
}

static void end_unless(struct compiler *compiler, struct value *value)
{
    if (compiler->has_failed)
        return;
    *value = condition(compiler, value);
    if (is_known(value)) {
        if (!code_is_true(&value->known))
            fail(compiler, "this is never true");
        return;
    }
    assemble_step(&compiler->assembly, LIVE_UNLESS, 0, value->number, 0);
    let_go(compiler, value);
}

/* Where what each step makes begins. */
static size_t *find_firsts(const struct expression *expression)
{
    size_t *first = memory_zeroed(expression->count, sizeof *first);
    size_t stack[STACK_SIZE], top = 0;
    for (size_t i = 0; i < expression->count; i++) {
        size_t operands = code_operands(expression->steps[i].code);
        first[i] = operands ? stack[top - operands] : i;
        top -= operands;
        stack[top++] = first[i];
    }
    return first;
}

/* Of `a && b && c`, which is (a && b) && c, the last of each. */
static void compile_predicate(struct compiler *compiler, const char *text)
{
    struct expression *expression = parse(compiler, text);
    if (!expression)
        return;
    size_t *first = find_firsts(expression), *last = memory_zeroed(expression->count, sizeof *last);
    size_t n = 0, at = expression->count - 1;
    for (; expression->steps[at].code == CODE_AND; at = first[at - 1] - 1)
        last[n++] = at - 1;
    struct value value = compile_range(compiler, first[at], at);
    end_unless(compiler, &value);
    while (n > 0 && !compiler->has_failed) {
        at = last[--n];
        value = compile_range(compiler, first[at], at);
        end_unless(compiler, &value);
    }
    free(first);
    free(last);
    expression_free(expression);
}

/* ---- Programs. ---- */

static uint8_t compile_value(struct compiler *compiler, const char *text)
{
    struct value value = compile_expression(compiler, text);
    value = compiler->has_failed ? value : materialise(compiler, &value);
    if (!compiler->has_failed && !is_integer(&value)) {
        compiler->offset = 0;
        fail(compiler,
             value.type == LIVE_REAL
                 ? "a histogram is of integers: int(x) cuts off, or int(x * 1000)"
                 : "a histogram is of integers; 'sdt count PATTERN by EXPRESSION' counts texts");
    }
    return value.number;
}

static uint8_t compile_key(struct compiler *compiler, const char *text, bool *is_hex)
{
    struct value value = compile_expression(compiler, text);
    value = compiler->has_failed ? value : materialise(compiler, &value);
    if (!compiler->has_failed && !is_integer(&value) && value.type != LIVE_STRING) {
        compiler->offset = 0;
        fail(compiler, "a key is an integer or a text: int(x) makes an integer");
    }
    *is_hex = value.is_hex;
    return value.number;
}

static void compile_all(struct compiler *compiler, struct compiled *compiled)
{
    const struct compile_request *request = compiler->request;
    bool is_latency = request->action == LIVE_START || request->action == LIVE_STOP;
    uint8_t value = LIVE_NO_REGISTER, key[2] = {LIVE_NO_REGISTER, LIVE_NO_REGISTER};
    if (request->predicate)
        compile_predicate(compiler, request->predicate);
    if (request->value && !compiler->has_failed)
        value = compile_value(compiler, request->value);
    for (unsigned i = 0; i < 2 && !compiler->has_failed; i++)
        if (request->key[i] || (is_latency && i == 0))
            key[i] = compile_key(compiler, request->key[i] ? request->key[i] : "tid",
                                 &compiled->is_hex[i]);
    if (compiler->has_failed)
        return;
    const char *problem = assemble_end(&compiler->assembly, request->action, value, key,
                                       (struct live_program *)compiled->words);
    if (!problem)
        problem =
            live_program_check(compiled->words, compiled_program(compiled)->size, &compiled->types);
    if (problem)
        fail(compiler, "%s", problem);
}

int compile_program(const struct compile_request *request, struct compiled *compiled,
                    struct compile_error *error)
{
    struct compiler compiler = {.request = request, .error = error, .text = ""};
    memset(compiled, 0, sizeof *compiled);
    compile_all(&compiler, compiled);
    bytes_free(&compiler.assembly.texts);
    return compiler.has_failed ? -1 : 0;
}

int compile_or_report(const struct compile_request *request, struct compiled *compiled)
{
    struct compile_error error;
    return compile_program(request, compiled, &error) == 0
               ? 0
               : mark_error(error.text, error.offset, error.problem);
}
