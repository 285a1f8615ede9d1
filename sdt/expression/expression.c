/* SPDX-License-Identifier: BSD-2-Clause */
/* Recursive descent, to the code of code.h. */
#include "expression.h"

#include "code.h"

#include <shared/words.h>
#include <stdlib.h>
#include <string.h>

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
    if (to->count == to->capacity) {
        to->capacity = to->capacity ? 2 * to->capacity : 16;
        to->steps = memory_resize(to->steps, to->capacity, sizeof *to->steps);
    }
    to->steps[to->count] =
        (struct step){.code = code, .offset = (size_t)(parser->at - parser->text)};
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

static bool parse_number(struct parser *parser)
{
    struct word_number number;
    size_t length = word_number(parser->at, &number);
    if (length == 0)
        return fail(parser, "not a number that fits 64 bits, and no time such as 10ms");
    emit(parser, CODE_CONSTANT)->operand =
        number.is_real ? (struct operand){.kind = OPERAND_REAL, .real = number.real}
                       : (struct operand){.kind = OPERAND_INTEGER,
                                          .unit = number.is_time,
                                          .integer = number.integer};
    parser->at += length;
    return true;
}

/* What stands after a backslash; the parser goes on after it. */
static bool parse_escape(struct parser *parser, struct bytes *text)
{
    char meaning;
    size_t length = word_escape(parser->at, &meaning);
    if (length == 0)
        return fail(parser, "no such escape in a text");
    bytes_append(text, &meaning, 1);
    parser->at += length;
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

/* The number of a name that is next; the parser goes on after it. */
static size_t add_name(struct parser *parser, size_t length, bool is_argument, bool is_call,
                       size_t offset)
{
    struct expression *to = parser->expression;
    struct bytes name = {0};
    if (to->name_count == to->name_capacity) {
        to->name_capacity = to->name_capacity ? 2 * to->name_capacity : 8;
        to->names = memory_resize(to->names, to->name_capacity, sizeof *to->names);
    }
    bytes_append(&name, parser->at, length);
    bytes_append(&name, "", 1);
    to->names[to->name_count] = (struct expression_name){
        arena_keep(&to->arena, name.data, name.size), is_argument, is_call, offset, SIZE_MAX};
    bytes_free(&name);
    parser->at += length;
    return to->name_count++;
}

static bool parse_or(struct parser *parser);

static bool enter(struct parser *parser)
{
    return ++parser->depth <= MAX_DEPTH || fail(parser, "nested too deeply");
}

/* ( or ), of which the first is next. */
static bool parse_parentheses(struct parser *parser)
{
    if (!take(parser, "(") || !enter(parser) || !parse_or(parser))
        return false;
    parser->depth--;
    return take(parser, ")") || fail(parser, "expected ) or an operator");
}

/* `, or`, as str() may have it. */
static bool parse_second(struct parser *parser, const char *name)
{
    if (strcmp(name, "str") != 0)
        return fail(parser, "only str() takes two values, an address and a length");
    return take(parser, ",") && parse_or(parser);
}

static bool parse_call(struct parser *parser, size_t length, size_t offset)
{
    struct expression *to = parser->expression;
    size_t index = add_name(parser, length, false, true, offset), first = to->count;
    if (!take(parser, "(") || !enter(parser) || !parse_or(parser))
        return false;
    if (to->count == first + 1 && to->steps[first].code == CODE_NAME)
        to->names[index].of = to->steps[first].index;
    skip_blanks(parser);
    bool has_two = *parser->at == ',';
    if (has_two && !parse_second(parser, to->names[index].name))
        return false;
    parser->depth--;
    if (!take(parser, ")"))
        return fail(parser, "expected ) or an operator");
    struct step *step = emit(parser, has_two ? CODE_CALL_TWO : CODE_CALL);
    step->index = index;
    step->offset = offset;
    return true;
}

/* [ or ] after the name of an array. */
static bool parse_element(struct parser *parser)
{
    size_t offset = (size_t)(parser->at - parser->text) - 1;
    if (!enter(parser) || !parse_or(parser))
        return false;
    parser->depth--;
    if (!take(parser, "]"))
        return fail(parser, "expected ] or an operator");
    emit(parser, CODE_ELEMENT)->offset = offset;
    return true;
}

static bool parse_name(struct parser *parser)
{
    size_t length = word_name(parser->at), offset = (size_t)(parser->at - parser->text);
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
        length = word_name(parser->at);
        if (!length)
            return fail(parser, "expected the name of an argument");
    }
    const char *behind = parser->at + length;
    behind += strspn(behind, " \t\n");
    if (*behind == '(' && !is_argument)
        return parse_call(parser, length, offset);
    size_t index = add_name(parser, length, is_argument, false, offset);
    struct step *step = emit(parser, CODE_NAME);
    step->index = index;
    step->offset = offset;
    return !take(parser, "[") || parse_element(parser);
}

/* ---- grammar ---- */

static bool parse_value(struct parser *parser)
{
    skip_blanks(parser);
    size_t offset = (size_t)(parser->at - parser->text);
    bool is_number =
        word_is_digit(*parser->at) || (*parser->at == '.' && word_is_digit(parser->at[1]));
    if (is_number || *parser->at == '"') {
        if (!(is_number ? parse_number : parse_text)(parser))
            return false;
        parser->expression->steps[parser->expression->count - 1].offset = offset;
        return true;
    }
    if (word_is_letter(*parser->at))
        return parse_name(parser);
    if (*parser->at != '(')
        return fail(parser, "expected a name, a number, a \"text\" or (");
    return parse_parentheses(parser);
}

static bool parse_sign(struct parser *parser)
{
    skip_blanks(parser);
    size_t offset = (size_t)(parser->at - parser->text);
    enum code code = *parser->at == '~' ? CODE_COMPLEMENT : CODE_NEGATE;
    if (!take(parser, "-") && !take(parser, "~"))
        return parse_value(parser);
    if (!enter(parser) || !parse_sign(parser))
        return false;
    parser->depth--;
    emit(parser, code)->offset = offset;
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
    if (!strncmp(parser->at, "&&", 2) || !strncmp(parser->at, "||", 2) ||
        !strncmp(parser->at, "^=", 2)) { /* no & or |, nor ^ */
        while (marks->text && strncmp(marks->text, parser->at, 2) != 0)
            marks++;
        return marks->text && take(parser, marks->text) ? marks : NULL;
    }
    for (; marks->text; marks++)
        if (take(parser, marks->text))
            return marks;
    return NULL;
}

static bool parse_chain(struct parser *parser, bool part(struct parser *parser),
                        const struct mark *marks)
{
    if (!part(parser))
        return false;
    for (const struct mark *mark; (mark = take_one(parser, marks));) {
        size_t offset = (size_t)(parser->at - parser->text) - strlen(mark->text);
        if (!part(parser))
            return false;
        emit(parser, mark->code)->offset = offset;
    }
    return true;
}

static bool parse_product(struct parser *parser)
{
    static const struct mark marks[] = {{"*", CODE_MULTIPLY},
                                        {"/", CODE_DIVIDE},
                                        {"%", CODE_REMAINDER},
                                        {"&", CODE_BITS},
                                        {"<<", CODE_LEFT},
                                        {">>", CODE_RIGHT},
                                        {0}};
    return parse_chain(parser, parse_sign, marks);
}

static bool parse_sum(struct parser *parser)
{
    static const struct mark marks[] = {
        {"+", CODE_ADD}, {"-", CODE_SUBTRACT}, {"|", CODE_BITS_OR}, {"^", CODE_BITS_XOR}, {0}};
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
    size_t offset = (size_t)(parser->at - parser->text) - strlen(mark->text);
    if (!parse_sum(parser))
        return false;
    emit(parser, mark->code)->offset = offset;
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
