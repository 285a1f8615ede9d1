/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Recursive descent to code for a stack: so evaluation needs no recursion, and a long chain of
 * operators, which is deep only as a tree, costs nothing. Nesting is bounded while parsing, and
 * with it the stack: each level of parentheses leaves at most five operands waiting, one for each
 * kind of operator that has two.
 */
#include "expression.h"

#include "memory.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DEPTH_MOST = 64, STACK_SIZE = 5 * (DEPTH_MOST + 1) + 1 };

enum code {
    CODE_CONSTANT,
    CODE_NAME,
    CODE_OR,
    CODE_AND,
    CODE_NOT,
    CODE_EQUAL,
    CODE_UNEQUAL,
    CODE_LESS,
    CODE_LESS_EQUAL,
    CODE_MORE,
    CODE_MORE_EQUAL,
    CODE_BEGINS,
    CODE_ADD,
    CODE_SUBTRACT,
    CODE_MULTIPLY,
    CODE_DIVIDE,
    CODE_REMAINDER,
    CODE_BITS,
    CODE_NEGATE
};

struct step {
    enum code code;
    size_t index;           /* of a name */
    struct operand operand; /* a constant */
};

struct expression {
    struct step *steps;
    size_t count, room;
    struct expression_name *names;
    size_t name_count, name_room;
    struct arena arena;
};

struct parser {
    const char *text, *at;
    struct expression *expression;
    struct expression_error *error;
    unsigned depth;
};

static bool fail(struct parser *parser, const char *problem)
{
    if (!parser->error->problem) {
        parser->error->problem = problem;
        parser->error->offset = (size_t)(parser->at - parser->text);
    }
    return false;
}

static struct step *emit(struct parser *parser, enum code code)
{
    struct expression *to = parser->expression;
    if (to->count == to->room) {
        to->room = to->room ? 2 * to->room : 16;
        to->steps = memory_resize(to->steps, to->room, sizeof *to->steps);
    }
    to->steps[to->count] = (struct step){.code = code};
    return &to->steps[to->count++];
}

/* ---- words ---- */

static void skip_blanks(struct parser *parser)
{
    parser->at += strspn(parser->at, " \t\n");
}

static bool take(struct parser *parser, const char *mark)
{
    skip_blanks(parser);
    if (strncmp(parser->at, mark, strlen(mark)) != 0)
        return false;
    parser->at += strlen(mark);
    return true;
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static size_t name_length(const char *text)
{
    size_t length = 0;
    while (is_letter(text[length]) || (length && is_digit(text[length])))
        length++;
    return length;
}

static bool parse_number(struct parser *parser)
{
    char *end, *real_end;
    const char *start = parser->at;
    errno = 0;
    bool is_hex = start[0] == '0' && (start[1] == 'x' || start[1] == 'X');
    unsigned long long integer = strtoull(start, &end, is_hex ? 16 : 10);
    bool is_too_big = errno == ERANGE;
    double real = strtod(start, &real_end);
    bool is_real = !is_hex && real_end > end;
    const char *stop = is_real ? real_end : end;
    if (is_letter(*stop) || is_digit(*stop) || (!is_real && is_too_big))
        return fail(parser, "not a number that fits 64 bits");
    struct step *step = emit(parser, CODE_CONSTANT);
    step->operand = is_real ? (struct operand){.kind = OPERAND_REAL, .real = real}
                            : (struct operand){.kind = OPERAND_INTEGER, .integer = integer};
    parser->at = stop;
    return true;
}

static int hex_value(char c)
{
    return is_digit(c)            ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

/* What stands behind a backslash; the parser goes on behind it. */
static bool parse_escape(struct parser *parser, struct bytes *text)
{
    static const char letters[] = "\"\\ntr", meanings[] = "\"\\\n\t\r";
    char c = *parser->at;
    const char *known = c ? strchr(letters, c) : NULL;
    if (known) {
        bytes_append(text, &meanings[known - letters], 1);
        parser->at++;
        return true;
    }
    int high = c == 'x' ? hex_value(parser->at[1]) : -1;
    int low = high >= 0 ? hex_value(parser->at[2]) : -1;
    if (low < 0)
        return fail(parser, "no such escape in a text");
    bytes_append(text, &(uint8_t){(uint8_t)(high * 16 + low)}, 1);
    parser->at += 3;
    return true;
}

static bool parse_characters(struct parser *parser, struct bytes *text)
{
    while (*parser->at != '"') {
        if (!*parser->at)
            return fail(parser, "the text has no closing \"");
        if (*parser->at != '\\')
            bytes_append(text, parser->at++, 1);
        else if (parser->at++, !parse_escape(parser, text))
            return false;
    }
    parser->at++;
    return true;
}

static bool parse_text(struct parser *parser)
{
    struct bytes text = {0};
    parser->at++;
    bool is_good = parse_characters(parser, &text);
    if (is_good) {
        bytes_append(&text, "", 1);
        char *kept = arena_keep(&parser->expression->arena, text.data, text.size);
        emit(parser, CODE_CONSTANT)->operand =
            (struct operand){.kind = OPERAND_TEXT, .text = {kept, text.size - 1}};
    }
    bytes_free(&text);
    return is_good;
}

static void emit_name(struct parser *parser, size_t length, bool is_argument, size_t offset)
{
    struct expression *to = parser->expression;
    struct bytes name = {0};
    if (to->name_count == to->name_room) {
        to->name_room = to->name_room ? 2 * to->name_room : 8;
        to->names = memory_resize(to->names, to->name_room, sizeof *to->names);
    }
    bytes_append(&name, parser->at, length);
    bytes_append(&name, "", 1);
    to->names[to->name_count] =
        (struct expression_name){arena_keep(&to->arena, name.data, name.size), is_argument, offset};
    bytes_free(&name);
    emit(parser, CODE_NAME)->index = to->name_count++;
    parser->at += length;
}

static bool parse_name(struct parser *parser)
{
    size_t length = name_length(parser->at), offset = (size_t)(parser->at - parser->text);
    struct slice name = {parser->at, length};
    if (slice_is(name, "true") || slice_is(name, "false")) {
        emit(parser, CODE_CONSTANT)->operand =
            (struct operand){.kind = OPERAND_INTEGER, .integer = slice_is(name, "true")};
        parser->at += length;
        return true;
    }
    bool is_argument = slice_is(name, "arg") && parser->at[length] == '.';
    if (is_argument) {
        parser->at += length + 1;
        length = name_length(parser->at);
        if (!length)
            return fail(parser, "expected the name of an argument");
    }
    emit_name(parser, length, is_argument, offset);
    return true;
}

/* ---- grammar ---- */

static bool parse_or(struct parser *parser);

static bool enter(struct parser *parser)
{
    return ++parser->depth <= DEPTH_MOST || fail(parser, "nested too deeply");
}

static bool parse_value(struct parser *parser)
{
    skip_blanks(parser);
    if (is_digit(*parser->at) || (*parser->at == '.' && is_digit(parser->at[1])))
        return parse_number(parser);
    if (*parser->at == '"')
        return parse_text(parser);
    if (is_letter(*parser->at))
        return parse_name(parser);
    if (!take(parser, "("))
        return fail(parser, "expected a name, a number, a \"text\" or (");
    if (!enter(parser) || !parse_or(parser))
        return false;
    parser->depth--;
    return take(parser, ")") || fail(parser, "expected ) or an operator");
}

static bool parse_sign(struct parser *parser)
{
    if (!take(parser, "-"))
        return parse_value(parser);
    if (!enter(parser) || !parse_sign(parser))
        return false;
    parser->depth--;
    emit(parser, CODE_NEGATE);
    return true;
}

/* PART { mark PART }; the marks end with one that is NULL. */
struct mark {
    const char *text;
    enum code code;
};

static const struct mark *take_one(struct parser *parser, const struct mark *marks)
{
    skip_blanks(parser);
    for (; marks->text; marks++)
        /* && is no & */
        if ((strcmp(marks->text, "&") != 0 || parser->at[0] != '&' || parser->at[1] != '&') &&
            take(parser, marks->text))
            return marks;
    return NULL;
}

static bool parse_chain(struct parser *parser, bool part(struct parser *parser),
                        const struct mark *marks)
{
    if (!part(parser))
        return false;
    for (const struct mark *mark; (mark = take_one(parser, marks));) {
        if (!part(parser))
            return false;
        emit(parser, mark->code);
    }
    return true;
}

static bool parse_product(struct parser *parser)
{
    static const struct mark marks[] = {
        {"*", CODE_MULTIPLY}, {"/", CODE_DIVIDE}, {"%", CODE_REMAINDER}, {"&", CODE_BITS}, {0}};
    return parse_chain(parser, parse_sign, marks);
}

static bool parse_sum(struct parser *parser)
{
    static const struct mark marks[] = {{"+", CODE_ADD}, {"-", CODE_SUBTRACT}, {0}};
    return parse_chain(parser, parse_product, marks);
}

static bool parse_relation(struct parser *parser)
{
    static const struct mark marks[] = {
        {"==", CODE_EQUAL}, {"!=", CODE_UNEQUAL}, {"<=", CODE_LESS_EQUAL}, {">=", CODE_MORE_EQUAL},
        {"<", CODE_LESS},   {">", CODE_MORE},     {"^=", CODE_BEGINS},     {0}};
    if (!parse_sum(parser))
        return false;
    const struct mark *mark = take_one(parser, marks);
    if (!mark)
        return true;
    if (!parse_sum(parser))
        return false;
    emit(parser, mark->code);
    if (take_one(parser, marks)) {
        parser->at--;
        return fail(parser, "comparisons do not chain: write a < b && b < c");
    }
    return true;
}

static bool parse_not(struct parser *parser)
{
    skip_blanks(parser);
    if (parser->at[0] != '!' || parser->at[1] == '=')
        return parse_relation(parser);
    parser->at++;
    if (!enter(parser) || !parse_not(parser))
        return false;
    parser->depth--;
    emit(parser, CODE_NOT);
    return true;
}

static bool parse_and(struct parser *parser)
{
    static const struct mark marks[] = {{"&&", CODE_AND}, {0}};
    return parse_chain(parser, parse_not, marks);
}

static bool parse_or(struct parser *parser)
{
    static const struct mark marks[] = {{"||", CODE_OR}, {0}};
    return parse_chain(parser, parse_and, marks);
}

struct expression *expression_parse(const char *text, struct expression_error *error)
{
    struct expression *expression = memory_zeroed(1, sizeof *expression);
    struct parser parser = {text, text, expression, error, 0};
    *error = (struct expression_error){0};
    if (parse_or(&parser)) {
        skip_blanks(&parser);
        if (!*parser.at)
            return expression;
        fail(&parser,
             *parser.at == '=' ? "expected an operator; equality is ==" : "expected an operator");
    }
    expression_free(expression);
    return NULL;
}

void expression_free(struct expression *expression)
{
    if (!expression)
        return;
    free(expression->steps);
    free(expression->names);
    arena_free(&expression->arena);
    free(expression);
}

size_t expression_names(const struct expression *expression, const struct expression_name **names)
{
    *names = expression->names;
    return expression->name_count;
}

/* ---- evaluation ---- */

static const struct operand missing = {.kind = OPERAND_MISSING};

static struct operand integer(__int128 value)
{
    return (struct operand){.kind = OPERAND_INTEGER, .integer = value};
}

static struct operand real(double value)
{
    return (struct operand){.kind = OPERAND_REAL, .real = value};
}

static bool is_number(const struct operand *a)
{
    return a->kind == OPERAND_INTEGER || a->kind == OPERAND_REAL;
}

static long double as_real(const struct operand *a)
{
    return a->kind == OPERAND_INTEGER ? (long double)a->integer : (long double)a->real;
}

static bool is_true(const struct operand *a)
{
    switch (a->kind) {
    case OPERAND_INTEGER:
        return a->integer != 0;
    case OPERAND_REAL:
        return a->real != 0 && !isnan(a->real);
    case OPERAND_TEXT:
        return a->text.length > 0;
    default:
        return false;
    }
}

static int compare_text(struct slice a, struct slice b)
{
    size_t shorter = a.length < b.length ? a.length : b.length;
    int order = shorter ? memcmp(a.text, b.text, shorter) : 0;
    return order ? order : a.length < b.length ? -1 : a.length > b.length;
}

/* What has no order is unequal, and nothing else. */
static bool holds_unordered(enum code code)
{
    return code == CODE_UNEQUAL;
}

static bool holds_ordered(enum code code, int order)
{
    switch (code) {
    case CODE_EQUAL:
        return order == 0;
    case CODE_UNEQUAL:
        return order != 0;
    case CODE_LESS:
        return order < 0;
    case CODE_LESS_EQUAL:
        return order <= 0;
    case CODE_MORE:
        return order > 0;
    default:
        return order >= 0;
    }
}

static bool begins(const struct operand *a, const struct operand *b)
{
    return a->kind == OPERAND_TEXT && b->kind == OPERAND_TEXT && a->text.length >= b->text.length &&
           (!b->text.length || !memcmp(a->text.text, b->text.text, b->text.length));
}

/* A long double of x86 holds every integer of 64 bits and every double. */
static bool compare(enum code code, const struct operand *a, const struct operand *b)
{
    if (code == CODE_BEGINS)
        return begins(a, b);
    if (a->kind == OPERAND_TEXT && b->kind == OPERAND_TEXT)
        return holds_ordered(code, compare_text(a->text, b->text));
    if (!is_number(a) || !is_number(b))
        return false;
    if (a->kind == OPERAND_INTEGER && b->kind == OPERAND_INTEGER)
        return holds_ordered(code, (a->integer > b->integer) - (a->integer < b->integer));
    long double one = as_real(a), other = as_real(b);
    if (isnan(one) || isnan(other))
        return holds_unordered(code);
    return holds_ordered(code, (one > other) - (one < other));
}

static struct operand calculate_integers(enum code code, __int128 a, __int128 b)
{
    __int128 result;
    switch (code) {
    case CODE_ADD:
        return __builtin_add_overflow(a, b, &result) ? missing : integer(result);
    case CODE_SUBTRACT:
        return __builtin_sub_overflow(a, b, &result) ? missing : integer(result);
    case CODE_MULTIPLY:
        return __builtin_mul_overflow(a, b, &result) ? missing : integer(result);
    case CODE_DIVIDE: /* -1: the quotient of the smallest number overflows */
        return b == 0    ? missing
               : b == -1 ? calculate_integers(CODE_SUBTRACT, 0, a)
                         : integer(a / b);
    case CODE_REMAINDER:
        return b == 0 ? missing : integer(b == -1 ? 0 : a % b);
    default:
        return integer(a & b);
    }
}

static struct operand calculate(enum code code, const struct operand *a, const struct operand *b)
{
    if (!is_number(a) || !is_number(b))
        return missing;
    if (a->kind == OPERAND_INTEGER && b->kind == OPERAND_INTEGER)
        return calculate_integers(code, a->integer, b->integer);
    double one = (double)as_real(a), other = (double)as_real(b);
    switch (code) {
    case CODE_ADD:
        return real(one + other);
    case CODE_SUBTRACT:
        return real(one - other);
    case CODE_MULTIPLY:
        return real(one * other);
    case CODE_DIVIDE:
        return other == 0 ? missing : real(one / other);
    default:
        return missing;
    }
}

static struct operand apply(enum code code, const struct operand *a, const struct operand *b)
{
    if (code == CODE_OR)
        return integer(is_true(a) || is_true(b));
    if (code == CODE_AND)
        return integer(is_true(a) && is_true(b));
    if (code >= CODE_EQUAL && code <= CODE_BEGINS)
        return integer(compare(code, a, b));
    return calculate(code, a, b);
}

static struct operand negate(const struct operand *a)
{
    return a->kind == OPERAND_REAL      ? real(-a->real)
           : a->kind == OPERAND_INTEGER ? calculate_integers(CODE_SUBTRACT, 0, a->integer)
                                        : missing;
}

/* How many operands a step takes from the stack. */
static size_t operand_count(enum code code)
{
    return code == CODE_CONSTANT || code == CODE_NAME ? 0
           : code == CODE_NOT || code == CODE_NEGATE  ? 1
                                                      : 2;
}

bool expression_holds(const struct expression *expression, expression_lookup *lookup, void *scope)
{
    struct operand stack[STACK_SIZE];
    size_t top = 0;
    for (size_t i = 0; i < expression->count; i++) {
        const struct step *step = &expression->steps[i];
        if (top < operand_count(step->code) || top == STACK_SIZE)
            return false; /* the parser does not write such code */
        if (step->code == CODE_CONSTANT)
            stack[top++] = step->operand;
        else if (step->code == CODE_NAME) {
            stack[top] = missing;
            lookup(scope, step->index, &expression->names[step->index], &stack[top++]);
        } else if (step->code == CODE_NOT)
            stack[top - 1] = integer(!is_true(&stack[top - 1]));
        else if (step->code == CODE_NEGATE)
            stack[top - 1] = negate(&stack[top - 1]);
        else {
            top--;
            stack[top - 1] = apply(step->code, &stack[top - 1], &stack[top]);
        }
    }
    return top == 1 && is_true(&stack[0]);
}
